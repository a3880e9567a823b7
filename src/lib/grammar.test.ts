import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadGrammar, loadTreeSitter } from './grammar.ts'
import { shippedFolder } from './shipped.ts'

const names = readdirSync(shippedFolder('languages', 'index/languages'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

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
  expect(names.length).toBeGreaterThanOrEqual(13)
  expect(roots.filter((type) => type === undefined)).toEqual([])
})

test('a grammar is loaded once', () => {
  expect(loadGrammar('bash')).toBe(loadGrammar('bash'))
})

test('a name without a grammar is an error that names the missing file', async () => {
  await expect(loadGrammar('cobol')).rejects.toThrow(/cobol/)
})
