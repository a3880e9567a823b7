import { joinParts, createTextCallScanner } from '../../../src/model/text-calls/scanner.ts'
import type { Dialect, KnownTool, ScannerOptions, TextPart } from '../../../src/model/text-calls/types.ts'
import { cases } from './cases.ts'
import { formatCases } from './format-cases.ts'
import { negatives } from './negatives.ts'
import { prose } from './prose.ts'
import { tools } from './tools.ts'
import { wild } from './wild.ts'

/** Numbers in [0, 1) that only depend on the seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Pieces that mean something to the scanner, whole and broken. */
const FRAGMENTS = [
  '<tool_call>', '</tool_call>', '<tool_calls>', '<function=read_file>', '</function>', '<parameter=path>', '</parameter>',
  '<invoke name="read_file">', '</invoke>', '<read_file>', '</read_file>', '<path>', '</path>', '<tool name="x"', '/>',
  '[TOOL_CALLS]', '[ARGS]', '[CALL_ID]', '<|python_tag|>', '<|eom_id|>', '<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>',
  '<｜tool▁sep｜>', '<|tool_call_begin|>', '<|tool_call_argument_begin|>', '<|channel|>', '<|message|>', '<|start|>assistant',
  '<|call|>', '<|end|>', 'commentary to=functions.read_file', '```json\n', '```\n', '```', '`', '~~~\n', '> ', '    ', '\n', '\n\n',
  '{"name":"read_file","arguments":', '{"path":"a.ts"}', '{', '}', '[', ']', '(', ')', ',', ':', ';', '"', "'", '\\', '\\"', '\\u12',
  '"""', '“', '”', 'read_file(path="a")', 'read_file(', 'Action: read_file\nAction Input: ', '<think>', '</think>', '[THINK]',
  '<!--', '-->', '<example>', '</example>', '<code>', '<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>', '<name>', '</name>',
  '<arguments>', '</arguments>', '<![CDATA[', ']]>', '&lt;', 'True', 'None', 'null', '12', '-1.5e3', 'For example:', 'é😀', '</s>', '\u00a0', '\r\n',
  '<|tool_call>', '<tool_call|>', 'call:read_file{', '<|"|>', '<escape>', '<start_function_call>', ']<]minimax[>[', '<|open|>', '<|close|>', '<|sep|>', '<|open|>tools<|sep|>', '<tool_sep>',
  '<ifm|tool_call>', '</ifm|tool_call>', '<longcat_tool_call>', '<think:opensource>', '</seed:think>', '<|channel>', '<channel|>', '[TOOL_REQUEST]', '[END_TOOL_REQUEST]', '[/TOOL_CALLS]', '>>>read_file\n', '>>>all\n',
  ' -> tool/function_call\n', 'function call<|role_sep|>\n', '<|tool_call:begin|>', '<|tool_call:name|>', '<|tool_call:args|>', '<|message_model|>', '<｜GCML｜invoke name="read_file">', '[unused11]', '<|inner_prefix|>', '<|start_thinking|>',
] // prettier-ignore

const TEXTS: readonly string[] = [...cases, ...wild, ...negatives, ...formatCases, ...prose].map((each) => each.text)

const DIALECTS: readonly (Dialect | undefined)[] = [
  undefined,
  'tagged-json',
  'function',
  'invoke',
  'element',
  'json',
  'pythonic',
  'harmony',
  'deepseek',
]

/** A text made of the corpus by cutting, splicing and sprinkling, or of fragments alone. */
export function mutate(next: () => number): string {
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  if (next() < 0.2) return Array.from({ length: below(30) }, () => pick(FRAGMENTS)).join('')
  let text = pick(TEXTS)
  for (let step = below(5); step >= 0; step--) {
    const from = below(text.length + 1)
    const to = Math.min(text.length, from + below(20))
    switch (below(6)) {
      case 0:
        text = text.slice(0, from) + text.slice(to)
        break
      case 1:
        text = text.slice(0, from) + pick(FRAGMENTS) + text.slice(from)
        break
      case 2:
        text = text.slice(0, from) + text.slice(from, to).repeat(2) + text.slice(to)
        break
      case 3:
        text = text.slice(0, from)
        break
      case 4: {
        const other = pick(TEXTS)
        text = text.slice(0, from) + other.slice(below(other.length))
        break
      }
      default:
        text = text.slice(0, from) + String.fromCharCode(32 + below(95)) + text.slice(Math.min(text.length, from + 1))
    }
  }
  return text
}

/** What must hold for every text; returns what does not. */
export function check(text: string, next: () => number): string | undefined {
  const dialect = DIALECTS[Math.floor(next() * DIALECTS.length)]
  const options: ScannerOptions = { tools, madeNativeCalls: next() < 0.2, ...(dialect ? { dialect } : {}) }
  const cut = [undefined, true, false][Math.floor(next() * 3)]
  const whole = scan([text], options, cut)
  const chunks: string[] = []
  for (let at = 0; at < text.length;) {
    const length = 1 + Math.floor(next() * next() * 20)
    chunks.push(text.slice(at, at + length))
    at += length
  }
  const split = scan(chunks, options, cut)
  if (JSON.stringify(whole) !== JSON.stringify(split)) return `chunks ${JSON.stringify(chunks)} give another result`
  const shown = whole.reduce((sum, part) => sum + lengthOf(part), 0)
  if (shown > text.length) return `${shown} characters came out of ${text.length}`
  for (const part of whole) {
    const fault = part.type === 'call' ? checkCall(part, text) : undefined
    if (fault) return fault
  }
  return undefined
}

function scan(chunks: readonly string[], options: ScannerOptions, cut: boolean | undefined): TextPart[] {
  const scanner = createTextCallScanner(options)
  const parts = chunks.flatMap((chunk) => scanner.feed(chunk))
  return joinParts([...parts, ...scanner.end(cut === undefined ? undefined : { cut })])
}

const lengthOf = (part: TextPart): number =>
  part.type === 'call'
    ? part.raw.length
    : part.type === 'reasoning-before' || part.type === 'answer-before'
      ? 0
      : part.text.length

/** A call that is run names a tool, has what the tool requires, and no word that was not written. */
function checkCall(call: Extract<TextPart, { type: 'call' }>, text: string): string | undefined {
  if (call.verdict === 'fault' && !call.fault) return `a fault without words`
  if (call.verdict !== 'call') return undefined
  const tool: KnownTool | undefined = tools.find((each) => each.name === call.tool)
  if (!tool || !call.args) return `a call of ${call.tool} came out`
  if (call.truncated && tool.effect !== 'read') return `a truncated call of ${tool.name} would run`
  const missing = tool.schema.required?.find((key) => !Object.hasOwn(call.args!, key))
  if (missing) return `${tool.name} has no ${missing}`
  const unknown = Object.keys(call.args).find((key) => !Object.hasOwn(tool.schema.properties ?? {}, key))
  if (unknown) return `${tool.name} has an argument ${unknown}`
  if (/\\u|&/.test(text)) return undefined
  const lower = text.toLowerCase()
  // Not as JSON: its escapes have letters of their own.
  const words = stringsIn(call.args).flatMap((value) => value.match(/[a-z]{3,}/gi) ?? [])
  const invented = words.find((word) => !lower.includes(word.toLowerCase()))
  return invented === undefined ? undefined : `"${invented}" was invented`
}

function stringsIn(value: unknown): string[] {
  // Python's None is read as null.
  if (value === null) return []
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(stringsIn)
  return typeof value === 'string' ? [value] : [JSON.stringify(value) ?? '']
}
