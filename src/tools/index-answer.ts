import { setTimeout } from 'node:timers/promises'
import type { CodeIndex } from '../index/code-index.ts'
import type { ToolResult } from '../protocol/index.ts'
import { fail, ok, type ToolContext } from './tool.ts'

/** Names offered instead of one that is not there. */
const OFFERED = 5

/** An index that is being built is waited for so long: a whole answer is worth it, but not a minute. Milliseconds. */
const BUILD_WAIT_MS = 2_000

/** Runs a query, or says how to go on without an index. */
export async function withIndex(
  { openIndex, whyNoIndex }: ToolContext,
  query: (index: CodeIndex) => Promise<ToolResult>,
): Promise<ToolResult> {
  const index = await openIndex()
  let fault: string | undefined
  if (index?.status().state === 'building') {
    const built = index.ready().catch((error: Error) => void (fault = `The code index failed: ${error.message}`))
    await Promise.race([built, setTimeout(BUILD_WAIT_MS, undefined, { ref: false })])
  }
  const why = whyNoIndex() ?? fault
  if (index && why === undefined) return await query(index)
  return fail('INDEX_NOT_READY', `${why ?? 'There is no code index in this session.'} Use search_text and read_file.`)
}

/** A result of the index; while it is being built the model is told that the answer covers only a part. */
export function answer(index: CodeIndex, text: string, data: Record<string, unknown>): ToolResult {
  const { state, indexed, files } = index.status()
  if (state !== 'building') return ok(text, data)
  return ok(`${text}\n(The index is still being built: ${indexed} of ${files} files so far; more may come.)`, {
    ...data,
    partial: true,
  })
}

/** No symbol of that name: the nearest names there are. */
export function noSymbol(index: CodeIndex, name: string, path: string | undefined): ToolResult {
  const near = index.similarNames(name, OFFERED)
  const where = path === undefined ? '' : ` in ${path}`
  const hint = near.length > 0 ? ` Nearest names: ${near.join(', ')}.` : ''
  return fail(
    'NOT_FOUND',
    `No symbol ${JSON.stringify(name)} is defined${where}.${scopeHint(index)}${hint} search_text finds it in text.`,
  )
}

/** No such file in the index: the nearest paths there are. */
export function noFile(index: CodeIndex, path: string): ToolResult {
  const near = index.similarPaths(path, OFFERED)
  const hint = near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ' Use list_files.'
  return fail('NOT_FOUND', `${path} is not a file the index knows.${scopeHint(index)}${hint}`)
}

/** What is outside of the scope may be there all the same. */
function scopeHint(index: CodeIndex): string {
  const { scope } = index.status()
  return scope === undefined ? '' : ` The index covers ${scope}/ alone.`
}

/** So many lines, and how many more there are. */
export function firstLines(lines: readonly string[], limit: number, what: string): string {
  if (lines.length <= limit) return lines.join('\n')
  return `${lines.slice(0, limit).join('\n')}\n… ${lines.length - limit} more ${what}`
}
