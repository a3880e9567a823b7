import { z } from 'zod'
import type { Reference, SymbolInfo } from '../../index/answers.ts'
import type { CodeIndex } from '../../index/code-index.ts'
import { answer, firstLines, noSymbol, withIndex } from '../index-answer.ts'
import { defineTool } from '../tool.ts'
import { definitionLine } from './find-definition.ts'
import { plural } from '../../lib/plural.ts'

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
  title: ({ symbol }) => `find where ${symbol} is used`,
  run: ({ symbol, path }, context) =>
    withIndex(context, async (index) => {
      const { definitions, references } = await index.references({
        name: symbol,
        ...(path === undefined ? {} : { path }),
      })
      if (definitions.length === 0 && references.length === 0) return noSymbol(index, symbol, path)
      const uses = references.filter(({ kind }) => kind !== 'declaration')
      const files = new Set(uses.map((each) => each.path)).size
      const groups = await byDefinition(index, definitions, uses)
      const head = `${firstLines(definitions.map(definitionLine), SHOWN_DEFINITIONS, 'definitions')}\n${plural(uses.length, 'reference')} in ${plural(files, 'file')}`
      return answer(index, `${head}${groups ? `.\n${groupedLines(groups)}` : `:\n${referenceLines(uses)}`}`, {
        total: uses.length,
        files,
      })
    }),
})

interface Group {
  /** `undefined` when no single definition, or each of several, is meant. */
  definition: SymbolInfo | undefined
  uses: Reference[]
}

/** The uses of each definition of a name that several have; undefined when they cannot be told apart. */
async function byDefinition(
  index: CodeIndex,
  definitions: readonly SymbolInfo[],
  uses: readonly Reference[],
): Promise<Group[] | undefined> {
  if (definitions.length < 2 || definitions.length > SHOWN_DEFINITIONS) return undefined
  const found = await Promise.all(
    definitions.map(async ({ path, line, column }) => {
      const { references } = await index.references({ path, line, column })
      return new Set(references.map(placeKey))
    }),
  )
  const owner = (use: Reference): SymbolInfo | undefined => {
    const owners = definitions.filter((_definition, at) => found[at]!.has(placeKey(use)))
    return owners.length === 1 ? owners[0] : undefined
  }
  const owners = new Map(uses.map((use) => [use, owner(use)]))
  const groups = [...definitions, undefined].map((definition) => ({
    definition,
    uses: uses.filter((use) => owners.get(use) === definition),
  }))
  return groups.every((group) => group.definition === undefined || group.uses.length === 0) ? undefined : groups
}

const placeKey = ({ path, line, column }: Reference): string => `${path}:${line}:${column}`

function groupedLines(groups: readonly Group[]): string {
  return groups
    .filter(({ definition, uses }) => definition !== undefined || uses.length > 0)
    .map(({ definition, uses }) => {
      const what =
        definition === undefined ? 'which one is not certain' : `of ${definition.path}:${definition.startLine}`
      return uses.length === 0 ? `${what}: none` : `${what}: ${uses.length}\n${referenceLines(uses)}`
    })
    .join('\n')
}

/** A line for each line that uses the symbol. */
function referenceLines(uses: readonly Reference[]): string {
  return firstLines([...new Set(uses.map(referenceLine))], SHOWN, 'references')
}

/** `src/a.ts:3: text (call in f)`; what is not certain says so. */
function referenceLine({ path, line, text, kind, confidence, inside }: Reference): string {
  const where = inside === undefined ? '' : ` in ${inside}`
  const doubt = confidence === 'exact' ? '' : `, ${confidence}`
  return `${path}:${line}: ${text} (${kind}${where}${doubt})`
}
