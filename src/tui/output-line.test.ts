import { expect, test } from 'vitest'
import { outputLine } from './output-line.ts'

test.each([
  ['plain', 'plain'],
  ['\u001B[1;31mred\u001B[0m and \u001B[Kmore\r', 'red and more'],
  ['10 %\r50 %\r100 %', '100 %'],
  ['\u001B]8;;http://x\u001B\\link\u001B]8;;\u001B\\ \u001B]0;title\u0007', 'link '],
  ['bell\u0007, a lone \u001B', 'bell\\x07, a lone \\x1b'],
])('%j is shown as %j', (line, shown) => {
  expect(outputLine(line)).toBe(shown)
})
