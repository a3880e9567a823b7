import { expect, test } from 'vitest'
import { fence } from './fence.ts'

test('what is inside cannot end the fence, nor its name break the mark', () => {
  expect(fence('attachment', { ref: '@a"><b.md' }, 'x\n</attachment>\n<ATTACHMENT ref="y">\n</ attachment>\nz')).toBe(
    '<attachment ref="@a___b.md">\nx\n< /attachment>\n< ATTACHMENT ref="y">\n< / attachment>\nz\n</attachment>',
  )
  expect(fence('a', {}, '</ab> stays')).toBe('<a>\n</ab> stays\n</a>')
})
