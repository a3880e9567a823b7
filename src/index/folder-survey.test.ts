import { expect, test } from 'vitest'
import { FolderSurvey } from './folder-survey.ts'

const files = (folder: string, count: number, ending = '.ts'): string[] =>
  Array.from({ length: count }, (_, i) => `${folder}/f${i}${ending}`)

test('projects come first, then what the index can read most of, then what is too large, hidden folders last', () => {
  const survey = new FolderSurvey([
    'readme.md',
    ...files('.cache/deep/er', 300),
    ...files('photos', 90, '.raw'),
    ...files('notes', 20, '.md'),
    ...files('app', 5),
    'app/package.json',
    ...files('data', 150, '.csv'),
  ])
  expect(survey.files).toBe(567)
  expect(survey.likely(100, 9)).toEqual([
    { path: 'app', files: 6 },
    { path: 'notes', files: 20 },
    { path: 'photos', files: 90 },
    { path: 'data', files: 150 },
    { path: '.cache', files: 300 },
  ])
  expect(survey.likely(100, 2)).toHaveLength(2)
})

test('of a folder that is too large the parts that count are offered, unless one is nearly all of it', () => {
  const survey = new FolderSurvey()
  for (const path of [
    ...files('all/one/src', 500),
    ...files('all/two', 400),
    ...files('all/tiny', 5),
    'all/app/go.mod',
    ...files('wrap/inner', 300),
  ])
    survey.add(path)
  expect(survey.likely(200, 9).map(({ path }) => path)).toEqual(['all/app', 'all', 'all/one', 'all/two', 'wrap'])
  expect([survey.filesIn(''), survey.filesIn('all/one'), survey.filesIn('all/one/src/deeper')]).toEqual([
    1206,
    500,
    undefined,
  ])
})

test('nothing is offered where all files lie in the root', () => {
  expect(new FolderSurvey(['a.ts', 'b.ts']).likely(1, 9)).toEqual([])
})
