import { messageSum } from './row-sum.ts'
import { storedJson } from './stored-json.ts'
import type { SQLInputValue } from 'node:sqlite'
import type { Message, NewMessage } from '../../protocol/index.ts'

/** A row of `messages`. */
export interface MessageRow {
  session_id: string
  seq: number
  id: string
  sender: string
  type: string | null
  content: string
  raw: string | null
  tool_calls: string | null
  tool_call_id: string | null
  tool_name: string | null
  exclude_from_prompt: number | null
  rest: string | null
  created_at: number
  sum: string | null
}

/** What has no column of its own. The text of a model's output is stored once when it is the message's text. */
interface Rest {
  attachments?: Message['attachments']
  output?: Partial<NonNullable<Message['output']>>
  system?: Partial<NonNullable<Message['system']>>
  execution?: Message['execution']
}

/** Columns of a message in the order `content … rest`, behind sender. */
const CONTENT = [
  'sender',
  'type',
  'content',
  'raw',
  'tool_calls',
  'tool_call_id',
  'tool_name',
  'exclude_from_prompt',
  'rest',
] as const

export const CONTENT_COLUMNS = CONTENT.join(', ')

/** Where a message stands, and when it came there. */
export type MessagePlace = Pick<MessageRow, 'session_id' | 'seq' | 'id' | 'created_at'>

/** The values of a message, `content … rest`, and the checksum of its row. */
export function rowValues(place: MessagePlace, message: NewMessage): SQLInputValue[] {
  const values = contentValues(message)
  return [...values, messageSum({ ...place, ...Object.fromEntries(CONTENT.map((name, at) => [name, values[at]])) })]
}

/** Whether a row is as it was stored. */
export function isSound(row: MessageRow): boolean {
  return row.sum === messageSum({ ...row })
}

function contentValues(message: NewMessage): (string | number | null)[] {
  const { output, system } = message
  const rest: Rest = {}
  if (message.attachments !== undefined) rest.attachments = message.attachments
  if (message.execution !== undefined) rest.execution = message.execution
  if (output !== undefined) {
    const { text, toolCalls: _calls, raw: _raw, ...others } = output
    rest.output = text === message.text ? others : { text, ...others }
  }
  if (system !== undefined) {
    const { type: _type, callId: _callId, toolName: _toolName, ...others } = system
    rest.system = others
  }
  return [
    message.sender,
    system?.type ?? null,
    message.text,
    output?.raw ?? null,
    output === undefined ? null : JSON.stringify(output.toolCalls),
    system?.callId ?? null,
    system?.toolName ?? null,
    message.excludeFromPrompt === undefined ? null : Number(message.excludeFromPrompt),
    Object.keys(rest).length === 0 ? null : JSON.stringify(rest),
  ]
}

export function toMessage(row: MessageRow): Message {
  const rest = row.rest === null ? {} : storedJson<Rest>(row.rest, {})
  const message: Message = {
    id: row.id,
    sessionId: row.session_id,
    seq: row.seq,
    time: row.created_at,
    sender: row.sender as Message['sender'],
    text: row.content,
  }
  if (rest.attachments !== undefined) message.attachments = rest.attachments
  if (row.tool_calls !== null) {
    const output = {
      text: row.content,
      ...rest.output,
      toolCalls: storedJson<NonNullable<Message['output']>['toolCalls']>(row.tool_calls, []),
    } as NonNullable<Message['output']>
    if (row.raw !== null) output.raw = row.raw
    message.output = output
  }
  if (row.type !== null) {
    const system = { type: row.type, ...rest.system } as NonNullable<Message['system']>
    if (row.tool_call_id !== null) system.callId = row.tool_call_id
    if (row.tool_name !== null) system.toolName = row.tool_name
    message.system = system
  }
  if (rest.execution !== undefined) message.execution = rest.execution
  if (row.exclude_from_prompt !== null) message.excludeFromPrompt = row.exclude_from_prompt === 1
  return message
}
