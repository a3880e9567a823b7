import { z } from 'zod'
import type { Reference } from '../../index/answers.ts'
import { answer, firstLines, noSymbol, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'
import { definitionLine } from './find-definition.ts'

const SHOWN = 150
const SHOWN_DEFINITIONS = 5

export const findReferences = defineTool({
  name: 'find_references',
  description: 'Where a symbol is used, resolved through imports.',
  input: z.object({ symbol: z.string(), path: z.string().optional().describe('file that defines it') }),
  effect: 'read',
  repeatable: true,
  rest: 'Name the file that defines it in path',
  aliases: [{ name: 'find_usages' }, { name: 'get_references' }],
  synonyms: { name: 'symbol', query: 'symbol', symbol_name: 'symbol', file: 'path', file_path: 'path' },
  paths: ({ path = '.' }) => [path],
  title: ({ symbol }) => `references to ${symbol}`,
  run: ({ symbol, path }, context) =>
    withIndex(context, async (index) => {
      const { definitions, references } = await index.references({
        name: symbol,
        ...(path === undefined ? {} : { path }),
      })
      if (definitions.length === 0 && references.length === 0) return noSymbol(index, symbol, path)
      const uses = references.filter(({ kind }) => kind !== 'declaration')
      const files = new Set(uses.map((each) => each.path)).size
      const head = `${firstLines(definitions.map(definitionLine), SHOWN_DEFINITIONS, 'definitions')}\n${uses.length} references in ${files} files:`
      return answer(index, `${head}\n${firstLines(uses.map(referenceLine), SHOWN, 'references')}`, {
        total: uses.length,
        files,
      })
    }),
})

/** `src/a.ts:3: text (call in f)`; what is not certain says so. */
function referenceLine({ path, line, text, kind, confidence, inside }: Reference): string {
  const where = inside === undefined ? '' : ` in ${inside}`
  const doubt = confidence === 'exact' ? '' : `, ${confidence}`
  return `${path}:${line}: ${text} (${kind}${where}${doubt})`
}
