import { z } from 'zod'
import type { SymbolInfo } from '../../index/answers.ts'
import { answer, firstLines, noSymbol, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'

const SHOWN = 40

export const findDefinition = defineTool({
  name: 'find_definition',
  description: 'Where a symbol (name or Class.method) is defined, with signature.',
  input: z.object({ symbol: z.string(), path: z.string().optional() }),
  effect: 'read',
  repeatable: true,
  aliases: [{ name: 'go_to_definition' }, { name: 'get_definition' }, { name: 'find_symbol' }],
  synonyms: { name: 'symbol', query: 'symbol', symbol_name: 'symbol', file: 'path', file_path: 'path' },
  paths: ({ path = '.' }) => [path],
  title: ({ symbol }) => `find where ${symbol} is defined`,
  run: ({ symbol, path }, context) =>
    withIndex(context, async (index) => {
      const found = await index.definitions({ name: symbol, ...(path === undefined ? {} : { path }) })
      if (found.length === 0) return noSymbol(index, symbol, path)
      return answer(index, firstLines(found.map(definitionLine), SHOWN, 'definitions'), { total: found.length })
    }),
})

/** `src/a.ts:12-20 exported function: signature — doc`; a member says what it belongs to: `method of Store: …`. */
export function definitionLine(symbol: SymbolInfo): string {
  const { path, startLine, endLine, kind, exported, name, qualifiedName, signature, doc } = symbol
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`
  const owner = qualifiedName.endsWith(`.${name}`) ? ` of ${qualifiedName.slice(0, -name.length - 1)}` : ''
  const words = exported ? signature.replace(/^export (?:default )?/, '') : signature
  return `${path}:${lines} ${exported ? 'exported ' : ''}${kind}${owner}: ${words}${doc === undefined ? '' : ` — ${doc}`}`
}
