import { expect, test } from 'vitest'
import { RESERVED_CHARACTERS, ResultSizes, cutMiddle, responseCap, resultCap } from './result-cap.ts'
import fc from '../../test/support/property.ts'

test('the cap follows the window between its bounds', () => {
  expect([8_192, 32_768, 128_000, 1_000_000].map((window) => resultCap(window))).toEqual([6_553, 8_000, 25_600, 50_000])
  expect(resultCap(8_192, 100_000)).toBe(6_553)
  expect(resultCap(128_000, 1_000)).toBe(1_000)
  expect(responseCap(8_192)).toBe(8_192)
})

test('a cut keeps whole lines at both ends and counts what is gone', () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `${at + 1}| line`)
  const { text, truncated } = cutMiddle(lines.join('\n'), 1_000, 'Use start_line and end_line.')
  const kept = text.split('\n').filter((line) => !line.startsWith('…'))
  const note = /… (\d+) characters left out here\. Use start_line and end_line\. …/.exec(text)
  expect({
    truncated,
    whole: kept.every((line) => lines.includes(line)),
    ends: [kept[0], kept.at(-1)],
    counted: Number(note?.[1]) + text.length - note![0].length - 2,
  }).toEqual({ truncated: true, whole: true, ends: ['1| line', '1000| line'], counted: lines.join('\n').length })
})

test('whatever the text, the result fits, head and tail are its own, and the count is right', () => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constant('\n'), fc.constant('😀')))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.integer({ min: RESERVED_CHARACTERS, max: 3_000 }), (source, limit) => {
      const cut = cutMiddle(source, limit, 'rest')
      expect(cut.text.length).toBeLessThanOrEqual(limit)
      expect(cut.truncated).toBe(source.length > limit)
      if (!cut.truncated) {
        expect(cut.text).toBe(source)
        return
      }
      const omitted = [...cut.text.matchAll(/\n… (\d+) characters left out here\. rest …\n/g)].find((match) => {
        const [head, tail] = [cut.text.slice(0, match.index), cut.text.slice(match.index + match[0].length)]
        return (
          source.startsWith(head) &&
          source.endsWith(tail) &&
          head.length + tail.length + Number(match[1]) === source.length
        )
      })
      expect(omitted).toBeDefined()
    }),
    { numRuns: 150 },
  )
})

test('secrets are hidden before the cut, and of a very long text only what is kept is looked through', () => {
  const looked: number[] = []
  const hide = (text: string): string => {
    looked.push(text.length)
    return text.replaceAll('secret', '⟦secret:1⟧')
  }
  const long = `secret ${'x'.repeat(3_000_000)} secret`
  const result = new ResultSizes(128_000, 1_000, 1).fit({ status: 'success', text: long }, ['note'], 'Ask.', hide)
  expect(looked.every((length) => length <= 2_000)).toBe(true)
  expect(result.text).toMatch(/^⟦secret:1⟧ x+\n… \d+ characters left out here\. Ask\. …\nx+ ⟦secret:1⟧\nnote$/)
  const omitted = Number(/… (\d+) characters/.exec(result.text)![1])
  expect(Math.abs(omitted - (3_000_000 - 1_000))).toBeLessThan(200)
})
