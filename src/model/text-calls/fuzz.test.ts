import { expect, inject, test } from 'vitest'
import { garbageKinds, garbageOf } from '../../../bench/parser/garbage-kinds.ts'
import { check, mutate, random } from '../../../test/corpora/text-calls/fuzz.ts'
import { tools } from '../../../test/corpora/text-calls/tools.ts'
import { createTextCallScanner } from './scanner.ts'

/** Seconds of fuzzing; CI gives a minute, the nightly script ten (bench/parser/fuzz.ts). */
const SECONDS = Number(process.env['CODEHOUND_FUZZ_SECONDS'] ?? 8)
const MARGIN_MS = 60_000

test(
  'any text gives the same result in any chunks, runs no truncated write and invents no value',
  () => {
    const seed = Number(process.env['CODEHOUND_FUZZ_SEED'] ?? inject('propertySeed') ?? Date.now() % 1_000_000)
    const next = random(seed)
    const end = Date.now() + SECONDS * 1000
    let count = 0
    do {
      const text = mutate(next)
      expect(check(text, next), `text ${++count} of seed ${seed}: ${JSON.stringify(text)}`).toBeUndefined()
    } while (Date.now() < end)
  },
  SECONDS * 1000 + MARGIN_MS,
)

test('a prefix of one letter is one in any chunks', () => {
  const text = 'I read it. <m|tool_calls>\n<m|toolcall<m:toolcall'
  for (let seed = 1; seed <= 50; seed++) expect(check(text, random(seed))).toBeUndefined()
})

test('half a character in a value is nothing invented', () => {
  const value = `{")message":"fix: it's done","files":["src/aé?\uDE00.ts"]}`
  const text = `<|channel|>commentary to=functions.git_commit json<|message|>${value}<|call|>`
  for (let seed = 1; seed <= 20; seed++) expect(check(text, random(seed))).toBeUndefined()
})

test('garbage comes out as it went in, and not a call with it', () => {
  const size = 20_000
  for (const { id, ...kind } of garbageKinds) {
    // Right calls are calls.
    if (['right calls', 'calls and words in turn', 'thinking with calls in it'].includes(id)) continue
    const text = garbageOf(kind, size)
    const scanner = createTextCallScanner({ tools, dialect: 'tagged-json' })
    const parts = [...scanner.feed(text), ...scanner.end()]
    expect(parts.filter((part) => part.type === 'call' && part.verdict === 'call').length, id).toBe(0)
  }
})
