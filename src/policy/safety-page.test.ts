import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { safetyPage } from '../../script/docs/safety-part.ts'

const page = readFileSync(new URL('../../docs/safety.md', import.meta.url), 'utf8')

test('the table of verdicts in docs/safety.md is what the policy says', async () => {
  expect(await safetyPage(page)).toBe(page)
})

test('a page that lost the place of its table is refused', async () => {
  await expect(safetyPage('# Safety\n')).rejects.toThrow('has no lines')
})
