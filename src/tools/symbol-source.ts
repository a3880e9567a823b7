import type { SourceSpan } from '../index/answers.ts'
import type { CodeIndex } from '../index/code-index.ts'
import type { SymbolKind } from '../index/kinds.ts'
import type { ToolResult } from '../protocol/index.ts'
import { splitLines } from '../workspace/edit/lines.ts'
import { faultResult } from './fault-result.ts'
import { answer, noFile } from './index-answer.ts'
import { fail, type ToolContext } from './tool.ts'

/** Names of the file's own symbols offered on a miss. */
const OFFERED = 30

/** The lines of the symbols that a name means in a file, numbered as a read numbers them. */
export async function symbolSource(
  index: CodeIndex,
  { path, name, kinds }: { path: string; name: string; kinds: ReadonlySet<SymbolKind> },
  { workspace, seen }: ToolContext,
): Promise<ToolResult> {
  const file = await workspace.readText(path)
  if (!file.ok) return faultResult(file)
  const spans = await index.symbolSource(file.path, name)
  const wanted = spans.filter(({ symbol }) => kinds.has(symbol.kind))
  if (wanted.length === 0) return await notThere(index, file.path, name, spans)
  const lines = splitLines(file.text)
  const parts = wanted.map(({ symbol: { qualifiedName, startLine, endLine } }) => {
    seen.show(file.path, file.hash, startLine, endLine)
    const body = lines.slice(startLine - 1, endLine).map((line, at) => `${startLine + at}| ${line.text}`)
    return `${file.path}:${startLine}-${endLine} ${qualifiedName}\n${body.join('\n')}`
  })
  const places = wanted.map(({ symbol: { startLine, endLine } }) => ({ startLine, endLine }))
  return answer(index, parts.join('\n'), { path: file.path, places })
}

async function notThere(index: CodeIndex, path: string, name: string, others: SourceSpan[]): Promise<ToolResult> {
  const [other] = others
  if (other)
    return fail(
      'NOT_FOUND',
      `${name} in ${path} is a ${other.symbol.kind}, at line ${other.symbol.line}. Read it with read_file.`,
    )
  const outline = await index.outline(path)
  if (!outline) return noFile(index, path)
  const entries = outline.symbols.flatMap((entry) => [entry].concat(entry.children))
  const names = entries.map(({ symbol }) => symbol.qualifiedName)
  const list =
    names.length === 0
      ? 'It defines no symbols.'
      : `It defines: ${names.slice(0, OFFERED).join(', ')}${names.length > OFFERED ? ', …' : ''}.`
  return fail('NOT_FOUND', `${path} has no ${JSON.stringify(name)}. ${list}`)
}
