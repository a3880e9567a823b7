import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadGrammar, loadTreeSitter } from './grammar.ts'
import { shippedFolder } from './shipped.ts'

const folder = shippedFolder('languages', 'index/languages')
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'language.json')))

test('every language folder has a grammar that the runtime accepts, also when all are asked for at once', async () => {
  const { Parser } = await loadTreeSitter()
  const grammars = await Promise.all(names.map(loadGrammar))
  const parser = new Parser()
  const roots = grammars.map((grammar) => {
    parser.setLanguage(grammar)
    const tree = parser.parse('\n')
    const type = tree?.rootNode.type
    tree?.delete()
    return type
  })
  parser.delete()
  expect(names.length).toBeGreaterThanOrEqual(12)
  expect(roots.filter((type) => type === undefined)).toEqual([])
})

test('a grammar is loaded once', () => {
  expect(loadGrammar('bash')).toBe(loadGrammar('bash'))
})

test('a name without a grammar is an error that names the missing file', async () => {
  await expect(loadGrammar('cobol')).rejects.toThrow(/cobol/)
})
