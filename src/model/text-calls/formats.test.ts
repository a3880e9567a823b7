// What the models of today write (test/corpora/text-calls/formats.ts), and what is written about it.
import { describe, expect, test } from 'vitest'
import { allLeadIns, formatCases, leadInCases, wrongInFormat } from '../../../test/corpora/text-calls/format-cases.ts'
import type { FormatCase } from '../../../test/corpora/text-calls/format-cases.ts'
import { formats } from '../../../test/corpora/text-calls/formats.ts'
import { inventedIn, prose, realProse } from '../../../test/corpora/text-calls/prose.ts'
import { tools } from '../../../test/corpora/text-calls/tools.ts'
import fc from '../../../test/support/property.ts'
import { createTextCallScanner, joinParts, scanText } from './scanner.ts'

const wrong = (list: readonly FormatCase[]): string[] =>
  list.flatMap((each) => {
    const fault = wrongInFormat(each, scanText)
    return fault === undefined ? [] : [`${each.id}: ${fault}\n${each.text}`]
  })

/** Files of packages that are read in the test run; `node bench/parser/formats.ts` reads all of them. */
const REAL = 100

describe('the formats of today’s models', () => {
  test('give the calls that were meant: alone, after and before prose, after thinking, several, cut', () => {
    expect(formats.length).toBeGreaterThanOrEqual(60)
    expect(wrong(formatCases)).toEqual([])
  })

  test('give them behind every sentence that agents write before a call, in a session that knows nothing', () => {
    const sentences = [...allLeadIns.grammar, ...allLeadIns.heldOut]
    expect(new Set(sentences).size).toBeGreaterThanOrEqual(500)
    expect(wrong(leadInCases(sentences, (format) => format.special))).toEqual([])
    expect(wrong(leadInCases(sentences, (format) => format.id === 'hermes'))).toEqual([])
    expect(wrong(leadInCases(sentences, (format) => !format.special))).toEqual([])
  })

  test('give nothing where they are only written about', () => {
    const texts = [...prose, ...realProse('node_modules', REAL)]
    expect(texts.length).toBeGreaterThanOrEqual(2000 + REAL)
    const invented = texts.flatMap((each) => {
      const fault = inventedIn(each, scanText)
      return fault === undefined ? [] : [`${each.id}: ${fault}`]
    })
    expect(invented).toEqual([])
  })

  test('give the same in any chunks', () => {
    const inChunks = (text: string, sizes: readonly number[], cut: boolean): unknown => {
      const scanner = createTextCallScanner({ tools })
      const parts = []
      let at = 0
      for (let turn = 0; at < text.length; turn++) {
        const size = sizes[turn % sizes.length]!
        parts.push(...scanner.feed(text.slice(at, at + size)))
        at += size
      }
      return joinParts([...parts, ...scanner.end({ cut })])
    }
    const texts = [...formatCases, ...leadInCases(allLeadIns.heldOut, () => true)]
    for (const { text, cut = false } of texts)
      expect(inChunks(text, [1], cut), text).toEqual(scanText(text, { tools }, { cut }))
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.constantFrom(...texts, ...prose), sizes, fc.boolean(), ({ text }, some, cut) => {
        expect(inChunks(text, some, cut)).toEqual(scanText(text, { tools }, { cut }))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('thinking', () => {
  test('is never the whole of an answer: what never ended, or ended with the message, was the answer', () => {
    for (const text of ['<think>\nThe answer is 42.', 'The answer is 42.\n</think>', '[THINK]The answer is 42.'])
      expect(scanText(text, { tools }).at(-1)).toEqual({ type: 'answer-before' })
    expect(scanText('<think>\nThe answer is 4', { tools }, { cut: true })).toEqual([
      { type: 'reasoning', text: '\nThe answer is 4' },
    ])
  })

  test('ends with a closing tag on its line, but not where the tag is a word of a sentence', () => {
    expect(scanText('Which file? That one.</think>It is done.', { tools })).toEqual([
      { type: 'text', text: 'Which file? That one.' },
      { type: 'reasoning-before' },
      { type: 'text', text: 'It is done.' },
    ])
    const mention = 'Models put their thoughts between <think> and </think> tags, and </think> is the end.'
    expect(scanText(mention, { tools })).toEqual([{ type: 'text', text: mention }])
  })
})
