import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { protocolPage } from '../../script/docs/protocol-page.ts'

test('docs/protocol.md says what the schemas say (else: npm run docs)', () => {
  const written = readFileSync(join(import.meta.dirname, '../../docs/protocol.md'), 'utf8')
  expect(written).toBe(protocolPage())
})
