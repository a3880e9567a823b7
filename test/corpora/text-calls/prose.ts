// Texts in which nothing is called: documentation of every format, quotations, explanations, templates of chats, and the prose
// of real packages. Each says whether a question is allowed; a call never is.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScannerOptions } from '../../../src/model/text-calls/types.ts'
import type { Scan } from './format-cases.ts'
import { formats, type Format } from './formats.ts'
import { tools } from './tools.ts'

export interface Prose {
  id: string
  text: string
}

const FENCE = '```'
const shown = { name: 'shell_exec', args: { command: 'rm -rf build' } }
const harmless = { name: 'read_file', args: { path: 'src/app.ts' } }

const isLine = (text: string): boolean => !text.includes('\n') && !text.includes('`')
const lines = (text: string, mark: string): string =>
  text
    .split('\n')
    .map((line) => mark + line)
    .join('\n')

/** Ways to write about a call. `line`: only for calls of one line; `noFence`: not for calls with a code block in them. */
const ABOUT: readonly { id: string; line?: true; noFence?: true; special?: true; text: (call: string, models: string) => string }[] = [
  { id: 'code span', line: true, text: (call, models) => `${models} writes a call as \`${call}\`, on one line.` },
  { id: 'code span in a list', line: true, text: (call, models) => `- ${models}: \`${call}\`\n- others: JSON` },
  { id: 'code span in a table', line: true, text: (call, models) => `| model | call |\n|---|---|\n| ${models} | \`\` ${call} \`\` |` },
  { id: 'double quotes', line: true, special: true, text: (call) => `The parser looks for "${call}" and nothing else.` },
  { id: 'block quote', text: (call) => `The model answered:\n\n${lines(call, '> ')}\n\nand stopped.` },
  { id: 'block of text with prose after', noFence: true, text: (call, models) => `${models} uses this format:\n\n${FENCE}text\n${call}\n${FENCE}\n\nThe parser reads it token by token.` },
  { id: 'block of JSON with prose after', noFence: true, text: (call) => `The request for the tool looks like this:\n\n${FENCE}json\n${call}\n${FENCE}\n\nIts result comes in the next message.` },
  { id: 'block of XML with prose after', noFence: true, text: (call) => `An example:\n\n${FENCE}xml\n${call}\n${FENCE}\n\nNote the closing tag.` },
  { id: 'block of Python', noFence: true, text: (call) => `${FENCE}python\nexpected = """${call}"""\nassert parse(expected)\n${FENCE}` },
  { id: 'block of Jinja', noFence: true, text: (call) => `The template:\n\n${FENCE}jinja\n{%- for call in message.tool_calls %}\n${call}\n{%- endfor %}\n${FENCE}` },
  { id: 'block of a diff', noFence: true, text: (call) => `${FENCE}diff\n${lines(call, '+')}\n${FENCE}\n\nThat is the change.` },
  { id: 'block in four back-quotes', text: (call) => `${FENCE}\`md\nThe call:\n\n${call}\n${FENCE}\`` },
  { id: 'tildes', text: (call) => `~~~text\n${call}\n~~~\n\nThat is how it is written.` },
  { id: 'comment', text: (call) => `<!--\n${call}\n-->\n\nThe page has no other content.` },
  { id: 'thinking', text: (call) => `<think>\nI could write ${call}\nbut it is done.\n</think>\nIt is done.` },
  { id: 'tool output', text: (call) => `<tool_response>\n${call}\n</tool_response>\nThat is what the page says.` },
  { id: 'example tag', text: (call) => `<example>\n${call}\n</example>\nSo much for the form.` },
  { id: 'html', text: (call) => `<pre>\n${call}\n</pre>\n<p>The call in HTML.</p>` },
  { id: 'announced and explained', special: true, text: (call) => `For example:\n\n${call}\n\nThat would be a call of the tool.` },
  { id: 'test in TypeScript', noFence: true, text: (call) => `${FENCE}ts\ntest('reads a call', () => {\n  expect(parse(${JSON.stringify(call)})).toHaveLength(1)\n})\n${FENCE}` },
  { id: 'escaped in JSON', text: (call) => `The log has:\n\n${FENCE}json\n${JSON.stringify({ role: 'assistant', content: call, at: 1 })}\n${FENCE}\n\nNothing else.` },
] // prettier-ignore

/** Pieces of chat templates as models bring them: marks of calls around variables. */
const template = (format: Format): string => {
  const written = format.write([{ name: '{{ call.name }}', args: { '{{ key }}': '{{ value }}' } }])
  return `{%- if tools %}\n{{- "# Tools\\n\\nYou may call one or more functions." }}\n{%- endif %}\n{%- for call in message.tool_calls %}\n{{- '${written.replaceAll("'", "\\'")}' }}\n{%- endfor %}\n`
}

const about = formats.flatMap((format): Prose[] => {
  const made: Prose[] = [{ id: `${format.id} / template`, text: template(format) }]
  for (const call of [shown, harmless]) {
    const written = format.write([call])
    for (const way of ABOUT) {
      if (way.line && !isLine(written)) continue
      if (way.noFence && written.includes(FENCE)) continue
      if (way.special && !format.special) continue
      if (/comment|thinking|html/.test(way.id) && /-->|think/.test(written)) continue
      made.push({ id: `${format.id} / ${way.id} / ${call.name}`, text: way.text(written, format.models) })
    }
  }
  return made
})

/** Sentences about tools and formats without a call in them. */
const SUBJECTS = ['The model', 'This server', 'The parser', 'A small model', 'The template', 'vLLM', 'The agent']
const VERBS = ['writes', 'expects', 'drops', 'emits', 'repeats', 'closes', 'prints']
const MARKS = ['<tool_call>', '</tool_call>', '<|python_tag|>', '[TOOL_CALLS]', '<｜tool▁calls▁begin｜>', '<|tool_call>', '<start_function_call>', '<|channel|>', '[TOOL_REQUEST]', ']<]minimax[>[', '<tool_sep>', '<|open|>tools<|sep|>', '<seed:think>', '<longcat_tool_call>', '<|function_call|>', '>>>all', '<function=NAME>', '<invoke name="NAME">'] // prettier-ignore
const TAILS = ['before the JSON object.', 'when read_file is called.', 'at the end of a turn, then shell_exec runs.', 'and then stops.', 'twice, which write_file does not like.'] // prettier-ignore
const sentences = SUBJECTS.flatMap((subject, at) =>
  MARKS.flatMap((mark, index) =>
    TAILS.map((tail, turn): Prose => ({
      id: `sentence ${subject} ${mark} ${tail}`,
      text: `${subject} ${VERBS[(at + index + turn) % VERBS.length]} ${mark} ${tail}`,
    })),
  ),
)

/** Every such text that is made here. */
export const prose: readonly Prose[] = [...about, ...sentences]

/** Files of packages that people wrote for people, with their JSON and their code: at most `most` of them. */
export function realProse(folder: string, most: number): Prose[] {
  const found: Prose[] = []
  const walk = (path: string, depth: number): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (found.length >= most) return
      const inner = join(path, entry.name)
      if (entry.isDirectory() && depth < 4) walk(inner, depth + 1)
      else if (
        entry.isFile() &&
        /^(readme|changelog|contributing|history)[\w.-]*\.(md|markdown)$|^package\.json$/i.test(entry.name)
      )
        found.push({ id: inner, text: readFileSync(inner, 'utf8').slice(0, 200_000) })
    }
  }
  walk(folder, 0)
  return found
}

/** A call that was made of a text without one, in any state of the session. */
export function inventedIn(each: Prose, scan: Scan): string | undefined {
  const sessions: Omit<ScannerOptions, 'tools'>[] = [
    {},
    { dialect: 'tagged-json' },
    { dialect: 'json', madeNativeCalls: true },
  ]
  for (const session of sessions) {
    const call = scan(each.text, { tools, ...session }).find((part) => part.type === 'call' && part.verdict !== 'doubt')
    if (call?.type === 'call')
      return `${call.verdict} of ${call.tool ?? call.name} in a session with ${JSON.stringify(session)}`
  }
  return undefined
}
