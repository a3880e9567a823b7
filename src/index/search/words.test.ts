import { expect, test } from 'vitest'
import { stem, wordsOf } from './words.ts'

test('identifiers fall into their words, whatever their case', () => {
  expect(wordsOf('parseUserNames')).toEqual(wordsOf('parses the names of users').toSpliced(1, 2, 'user', 'nam'))
  expect(wordsOf('HTTPServer_readFile')).toEqual(['http', 'server', 'read', 'fil'])
})

test('the forms of a word have one stem', () => {
  for (const forms of [
    ['change', 'changes', 'changed', 'changing'],
    ['file', 'files', 'filed', 'filing'],
    ['apply', 'applies', 'applied', 'applying'],
    ['stop', 'stops', 'stopped', 'stopping'],
    ['match', 'matches', 'matched', 'matching'],
    ['class', 'classes'],
    ['cookie', 'cookies'],
  ]) {
    expect(new Set(forms.map(stem)).size, forms.join(' ')).toBe(1)
  }
})
