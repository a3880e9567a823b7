import { isWord, type Reader } from './reader.ts'

const MAX_TOKEN = 40

/** Tokens that end a turn or a call; beside a call they are noise, never shown. */
export const END_TOKENS: ReadonlySet<string> = new Set([
  'im_end',
  'eot_id',
  'eom_id',
  'eom',
  'endoftext',
  'end_of_text',
  'end_of_turn',
  'end_of_turn_token',
  'end_of_sentence',
  'end_of_msg',
  'end_message',
  'end_text',
  'end_response',
  'eot',
  'eos',
  'call',
  'calls',
  'flush',
  'return',
  'end',
  'sep',
  'message_sep',
  'role_sep',
  'python_end',
  'tools_suffix',
  '/tool_call',
  'tool_call_end',
  'tool_calls_end',
  'tool_calls_section_end',
  'end_tool_request',
  'end_tool_requests',
  'end_action',
  'action_end',
  'content_model_end_sampling',
])

/** Tokens that open the answer; at the head of a line they are never shown. */
export const ANSWER_TOKENS: ReadonlySet<string> = new Set([
  'start_text',
  'start_response',
  'content',
  'content_text',
  'begin_of_text',
])

const isNamePart = (code: number): boolean => isWord(code) || code === 45 || code === 46
const isBar = (code: number): boolean => code === 124 || code === 0xff5c
/** DeepSeek writes its tokens' spaces as U+2581. */
const isTokenPart = (code: number): boolean =>
  isWord(code) || code === 0x2581 || code === 47 || code === 32 || code === 58

/**
 * The special token at the current `<`, as `<|name|>` or `<｜name｜>`, looking only. `name` is lower case with
 * underscores for spaces and colons, without a vendor's name around it (`plamo:name:plamo`), empty when there is no token.
 */
export function tokenAhead(reader: Reader, offset = 0): { name: string; length: number } {
  if (reader.code(offset) !== 60 || !isBar(reader.code(offset + 1))) return { name: '', length: 0 }
  const written = reader.runAhead(offset + 2, MAX_TOKEN, isTokenPart)
  const end = offset + 2 + written.length
  if (written === '' || !isBar(reader.code(end)) || reader.code(end + 1) !== 62) return { name: '', length: 0 }
  const name = written.toLowerCase().replace(/^(\w+):(.+):\1$/, '$2')
  return { name: name.replaceAll(/[▁ :]/g, '_'), length: end + 2 - offset }
}

const TURN_TOKENS = new Set(['im_start', 'start_header_id', 'start_of_turn', 'begin'])
/** Opens a message of the model with the name of a tool after it, if it is a call. */
const OWN_MESSAGE = 'message_model'
const MAX_ROLE = 20

/** The mark that opens a turn (`<|im_start|>assistant`): whether the turn is the model's own, and the mark's length. */
export function turnAhead(reader: Reader): { own: boolean; length: number } | undefined {
  const token = tokenAhead(reader)
  if (token.name === 'assistant') return { own: true, length: token.length }
  if (token.name === OWN_MESSAGE) {
    const name = reader.runAhead(token.length, MAX_TOKEN, isNamePart)
    const isCall = tokenAhead(reader, token.length + name.length).name !== ''
    return { own: true, length: token.length + (isCall ? name.length : 0) }
  }
  if (!TURN_TOKENS.has(token.name)) return undefined
  const role = reader.runAhead(token.length, MAX_ROLE, isWord)
  const end = token.length + role.length
  if (role === '') return undefined
  return { own: role === 'assistant' || role === 'model', length: end + tokenAhead(reader, end).length }
}
