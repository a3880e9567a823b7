import { z } from 'zod'
import type { TextMatch, TextQuery, TextResult } from '../../index/answers.ts'
import type { ToolResult } from '../../protocol/index.ts'
import type { CodeIndex } from '../../index/code-index.ts'
import { stampOf } from '../../workspace/files/stamp.ts'
import { faultResult } from '../fault-result.ts'
import { scanText } from '../scan-text.ts'
import { defineTool, fail, ok } from '../tool.ts'
import { plural } from '../../lib/plural.ts'

/** Matches of one result; the rest is counted. */
const SHOWN_MATCHES = 200
/** Characters of one line: a match in a minified file must not fill the result. */
const LINE_CHARACTERS = 240

export const searchText = defineTool({
  name: 'search_text',
  description: 'Search file contents; gives path:line: text.',
  input: z.object({
    query: z.string().min(1),
    path: z.string().default('.'),
    glob: z.string().optional().describe('files to search, e.g. *.ts'),
    regex: z.boolean().optional(),
    case_sensitive: z.boolean().optional().describe('default false'),
    context: z.int().min(0).max(20).optional().describe('lines around'),
  }),
  effect: 'read',
  repeatable: true,
  rest: 'Narrow it with path, glob or a longer query',
  aliases: [
    { name: 'grep', set: { regex: true } },
    { name: 'Grep', set: { regex: true } },
    { name: 'rg', set: { regex: true } },
    { name: 'ripgrep', set: { regex: true } },
    { name: 'grep_search', set: { regex: true } },
    { name: 'search_files', set: { regex: true } },
    { name: 'search_code' },
  ],
  synonyms: {
    pattern: 'query',
    text: 'query',
    search: 'query',
    regexp: 'query',
    dir: 'path',
    directory: 'path',
    folder: 'path',
    file_path: 'path',
    include: 'glob',
    include_pattern: 'glob',
    file_pattern: 'glob',
    is_regex: 'regex',
    use_regex: 'regex',
    context_lines: 'context',
    '-C': 'context',
  },
  paths: ({ path }) => [path],
  title: ({ query, path, glob }) =>
    [`search ${JSON.stringify(query)}`, path !== '.' && `in ${path}`, glob !== undefined && `(${glob})`]
      .filter(Boolean)
      .join(' '),
  async run({ query, path, glob, regex, case_sensitive: caseSensitive, context = 0 }, { workspace, index, signal }) {
    const at = workspace.resolve(path, 'read')
    if (!at.ok) return faultResult(at)
    if (stampOf(workspace, path).stamp === 'none') return missingPath(path, index)
    const asked = {
      query,
      limit: SHOWN_MATCHES,
      context,
      regex: regex === true,
      caseSensitive: caseSensitive === true,
      signal,
      ...(glob === undefined ? {} : { glob }),
      ...(at.relative === '.' ? {} : { path: at.relative }),
    }
    const fromIndex = index?.status().state === 'ready'
    const result = fromIndex ? await index.searchText(asked) : await scanText(workspace, asked)
    if ('ok' in result) return faultResult(result)
    if (result.error !== undefined) {
      return fail(
        'FORMAT_ERROR',
        `The regular expression cannot be used: ${result.error}. Mend it, or leave regex out to search for the text itself.`,
      )
    }
    if (result.total === 0) return ok(nothingFound(asked), { total: 0, files: 0 })
    return ok(resultText(result, asked), { total: result.total, files: result.files })
  },
})

function missingPath(path: string, index: CodeIndex | undefined): ToolResult {
  const near = index?.similarPaths(path, 3) ?? []
  const hint = near.length > 0 ? `Nearest: ${near.join(', ')}.` : 'Leave path out to search everywhere.'
  return fail('NOT_FOUND', `${path} does not exist, so nothing was searched. ${hint}`)
}

function nothingFound({
  query,
  regex,
  path,
  glob,
}: {
  query: string
  regex: boolean
  path?: string
  glob?: string
}): string {
  const where = [path === undefined ? 'the workspace' : path, ...(glob === undefined ? [] : [`files ${glob}`])].join(
    ', ',
  )
  const looksLikeRegex = !regex && /[\\|*+^$[\](){}]/.test(query)
  return `No match for ${JSON.stringify(query)} in ${where}.${looksLikeRegex ? ' It was searched for as plain text: set regex: true for a pattern.' : ''}`
}

function resultText(
  { matches, total, files, unsearched = 0 }: TextResult,
  asked: Pick<TextQuery, 'query' | 'regex' | 'caseSensitive'>,
): string {
  const counted = `${plural(total, 'matching line')} in ${plural(files, 'file')}`
  const shown = matches.length < total ? `; the first ${matches.length}` : ''
  const around = matches.some(({ before, after }) => before?.length || after?.length)
  const blocks = matches.map((match) => matchLines(match).join('\n'))
  const rest =
    unsearched > 0
      ? `\n(${unsearched} more files were not searched: the time was over. Narrow it with path or glob.)`
      : ''
  return `${counted}${shown}${otherCase(matches, asked)}:\n${blocks.join(around ? '\n--\n' : '\n')}${rest}`
}

/** A name is written in one way: matches of another case are often another name. */
function otherCase(
  matches: readonly TextMatch[],
  { query, regex, caseSensitive }: Pick<TextQuery, 'query' | 'regex' | 'caseSensitive'>,
): string {
  if (regex === true || caseSensitive === true || query === query.toLowerCase()) return ''
  const same = matches.filter(({ text }) => text.includes(query)).length
  if (same === matches.length) return ''
  return same === 0
    ? ', none in this very case'
    : `, ${same} in this very case (case_sensitive: true gives those alone)`
}

function matchLines({ path, line, column, text, before = [], after = [] }: TextMatch): string[] {
  return [
    ...before.map((each, at) => `${path}-${line - before.length + at}- ${shortLine(each, 1)}`),
    `${path}:${line}: ${shortLine(text, column)}`,
    ...after.map((each, at) => `${path}-${line + 1 + at}- ${shortLine(each, 1)}`),
  ]
}

/** A long line is shown around its match. */
function shortLine(text: string, column: number): string {
  if (text.length <= LINE_CHARACTERS) return text
  const from = Math.max(0, Math.min(column - 1 - LINE_CHARACTERS / 4, text.length - LINE_CHARACTERS))
  const to = from + LINE_CHARACTERS
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}
