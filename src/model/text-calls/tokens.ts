import { isWord, type Reader } from './reader.ts'

const MAX_TOKEN = 40

/** Tokens that end a turn or a call; beside a call they are noise, never shown. */
export const END_TOKENS: ReadonlySet<string> = new Set([
  'im_end',
  'eot_id',
  'eom_id',
  'endoftext',
  'end_of_text',
  'end_of_turn',
  'end_of_sentence',
  'eot',
  'eos',
  'call',
  'return',
  'end',
  'python_end',
  'tools_suffix',
  '/tool_call',
  'tool_call_end',
  'tool_calls_end',
  'tool_calls_section_end',
  'end_action',
  'action_end',
])

const isBar = (code: number): boolean => code === 124 || code === 0xff5c
/** DeepSeek writes its tokens' spaces as U+2581. */
const isTokenPart = (code: number): boolean => isWord(code) || code === 0x2581 || code === 47 || code === 32

/**
 * The special token at the current `<`, as `<|name|>` or `<｜name｜>`, looking only. `name` is lower case with
 * underscores for spaces, empty when there is no token.
 */
export function tokenAhead(reader: Reader, offset = 0): { name: string; length: number } {
  if (reader.code(offset) !== 60 || !isBar(reader.code(offset + 1))) return { name: '', length: 0 }
  const written = reader.runAhead(offset + 2, MAX_TOKEN, isTokenPart)
  const end = offset + 2 + written.length
  if (written === '' || !isBar(reader.code(end)) || reader.code(end + 1) !== 62) return { name: '', length: 0 }
  return { name: written.toLowerCase().replaceAll(/[▁ ]/g, '_'), length: end + 2 - offset }
}

const TURN_TOKENS = new Set(['im_start', 'start_header_id', 'start_of_turn'])
const MAX_ROLE = 20

/** The mark that opens a turn (`<|im_start|>assistant`): whether the turn is the model's own, and the mark's length. */
export function turnAhead(reader: Reader): { own: boolean; length: number } | undefined {
  const token = tokenAhead(reader)
  if (token.name === 'assistant') return { own: true, length: token.length }
  if (!TURN_TOKENS.has(token.name)) return undefined
  const role = reader.runAhead(token.length, MAX_ROLE, isWord)
  const end = token.length + role.length
  if (role === '') return undefined
  return { own: role === 'assistant' || role === 'model', length: end + tokenAhead(reader, end).length }
}
