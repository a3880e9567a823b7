import { expect, test } from 'vitest'
import type { RequestMessage } from './language-model.ts'
import { TokenCounter, promptSize } from './tokens.ts'

const user = (size: { width?: number; height?: number }, content = 'x'): RequestMessage => ({
  role: 'user',
  content,
  images: [{ hash: 'h', mediaType: 'image/png', base64: 'A'.repeat(100_000), ...size }],
})

test('an image counts by its pixels, not by its bytes, and one of unknown size as a large one', () => {
  expect(promptSize([user({ width: 640, height: 480 })], [])).toEqual({ chars: 1, messages: 1, imageTokens: 410 })
  expect(promptSize([user({ width: 4000, height: 3000 })], []).imageTokens).toBe(1600)
  expect(promptSize([user({})], []).imageTokens).toBe(1600)
  expect(promptSize([{ role: 'user', content: 'x' }], [])).toEqual({ chars: 1, messages: 1 })
})

test('a count that is mostly images teaches nothing about text; one with a small share does', () => {
  const counter = new TokenCounter()
  const text = 'x'.repeat(4000)
  counter.observe(promptSize([user({}, text)], []), 2604)
  expect(counter.measured).toBe(false)
  counter.observe(promptSize([user({ width: 100, height: 100 }, text)], []), 1018)
  expect(counter.charsPerToken).toBeCloseTo(4, 5)
  expect(counter.estimate(promptSize([user({ width: 100, height: 100 }, text)], []))).toBe(1018)
})
