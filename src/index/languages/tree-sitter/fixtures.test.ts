import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { factsText } from '../../../../test/support/facts-text.ts'
import { loadExtract } from './engine.ts'
import { readLanguages } from './language-data.ts'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))

describe('each language reads its fixture as its expected.txt says', () => {
  test.each(readLanguages())('$id', async (data) => {
    const fixture = readdirSync(join(folder, data.id)).find((name) => name.startsWith('fixture.'))!
    const text = readFileSync(join(folder, data.id, fixture), 'utf8')
    const facts = factsText(await loadExtract(data), fixture, text)
    const expectedFile = join(folder, data.id, 'expected.txt')
    // UPDATE_EXPECTED=1 writes what is found; read the difference against the fixture before it is committed.
    if (process.env['UPDATE_EXPECTED'] === '1') writeFileSync(expectedFile, facts)
    expect(existsSync(expectedFile)).toBe(true)
    expect(facts).toBe(readFileSync(expectedFile, 'utf8'))
  })
})
