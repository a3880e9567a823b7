import type { Reader, Wait } from './reader.ts'
import { tokenAhead } from './tokens.ts'

/** What a message of the harmony format is, by its header: `to` names the tool of a call. */
export interface HarmonyHeader {
  kind: 'call' | 'analysis' | 'commentary' | 'final' | 'other'
  to: string
}

const MAX_HEADER = 300
const IN_HEADER = new Set(['start', 'channel', 'constrain'])

/**
 * Reads `<|start|>assistant<|channel|>commentary to=functions.x <|constrain|>json<|message|>`, the order and the
 * parts of which vary between servers. Undefined: not such a header; what was looked at is consumed.
 */
export function* readHarmonyHeader(reader: Reader): Wait<HarmonyHeader | undefined> {
  let header = ''
  while (header.length <= MAX_HEADER) {
    const code = yield* reader.settled(() => reader.code())
    if (code < 0 || code === 10) return undefined
    if (code !== 60) {
      const text = yield* reader.settled(() => reader.runAhead(0, MAX_HEADER, (next) => next >= 32 && next !== 60))
      reader.at += text.length
      header += text
      if (text === '') return undefined
      continue
    }
    const token = yield* reader.settled(() => tokenAhead(reader))
    if (token.name === 'message') {
      reader.at += token.length
      return judge(header)
    }
    if (!IN_HEADER.has(token.name)) return undefined
    reader.at += token.length
    header += `<${token.name}>`
  }
  return undefined
}

function judge(header: string): HarmonyHeader | undefined {
  const to = /\bto=([\w.:-]+)/.exec(header)?.[1] ?? ''
  const role = /^<start>\s*([\w.:-]+)/.exec(header)?.[1] ?? 'assistant'
  const channel = /<channel>\s*(\w+)/.exec(header)?.[1]
  // Muse Glimmer thinks in messages to itself.
  if (role === 'assistant' && to === 'self') return { kind: 'analysis', to: '' }
  // A message of the user or of a tool, which the model made up.
  if (role !== 'assistant' || to === 'assistant') return { kind: 'other', to: '' }
  if (to !== '' && to !== 'user' && to !== 'all') return { kind: 'call', to: to.replace(/^functions\./, '') }
  if (channel === 'analysis' || channel === 'commentary' || channel === 'final') return { kind: channel, to: '' }
  return channel === undefined ? { kind: 'final', to: '' } : undefined
}
