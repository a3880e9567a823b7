// Compaction: the model sums up what is left out. Asked as one more user message on the same prefix and tools, so a local
// server keeps its cache; the form is fixed and builds on the summary before. Pure but for the one question to the model.
import type { ModelRequest, RequestMessage, StreamPart } from '../../model/language-model.ts'
import type { Message } from '../../protocol/index.ts'
import type { Marker } from './view.ts'

/** The user's own words are kept up to this share of the window, and never more than the cap (context.md). */
const USER_WORDS_SHARE = 0.15
const USER_WORDS_CAP_TOKENS = 20_000

/** What is asked for when the window is full. */
export const summaryOrder = (focus: string | undefined): string =>
  `[codehound] The window is full. Write a summary of this conversation from which the work can go on; what is not in it is forgotten. Do not call tools. Build on an earlier summary above if there is one. Use exactly these headings, short lines, real paths and names:
## Goal
## Decisions (and why)
## Files touched (path: what and why)
## Facts to keep (exact values, commands, errors)
## Plan (done / open)
## Open problems
## Next step${focus === undefined || focus === '' ? '' : `\nGive most room to: ${focus}`}`

export interface Asker {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart>
  request: Pick<ModelRequest, 'model' | 'stream' | 'maxTokens'> & Partial<ModelRequest>
}

/**
 * Asks a question beside the conversation: as one more user message on the same prefix and tools, none of which may be
 * called. Undefined when the model fails or says nothing.
 */
export async function askAside(
  prefix: { messages: RequestMessage[]; tools: ModelRequest['tools'] },
  asker: Asker,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const request: ModelRequest = {
    ...asker.request,
    messages: [...prefix.messages, { role: 'user', content: question }],
    tools: prefix.tools,
    toolChoice: 'none',
  }
  let text = ''
  try {
    for await (const part of asker.stream(request, signal)) if (part.type === 'text') text += part.text
  } catch {
    // Neither a summary nor a title is worth failing a run.
    return undefined
  }
  return text.trim() === '' ? undefined : text.trim()
}

/**
 * Where the kept part begins: the newest `keep` exchanges, an exchange being a user message or, inside one long run, a
 * turn. Always at a message after which nothing refers back to a call before it. Undefined when there is nothing to drop.
 */
export function cutSeq(messages: readonly Message[], keep: number): number | undefined {
  const starts = messages
    .filter((message) => message.sender === 'USER' || message.sender === 'AI')
    .map((message) => message.seq)
  const users = messages.filter((message) => message.sender === 'USER').map((message) => message.seq)
  const at = users.length > keep ? users.at(-keep) : starts.at(-keep)
  const first = starts[0]
  return at === undefined || first === undefined || at <= first ? undefined : at
}

/** User messages before the cut that stay word for word: the first (the goal) and then the newest, as far as room goes. */
export function keptUserSeqs(messages: readonly Message[], beforeSeq: number, window: number): number[] {
  let room = Math.min(window * USER_WORDS_SHARE, USER_WORDS_CAP_TOKENS) * 4
  const users = messages.filter((message) => message.sender === 'USER' && message.seq < beforeSeq)
  const [first, ...rest] = users
  const kept: number[] = []
  for (const message of first ? [first, ...rest.reverse()] : []) {
    if (message.text.length > room) continue
    room -= message.text.length
    kept.push(message.seq)
  }
  return kept.sort((a, b) => a - b)
}

/** The marker of a compaction, or undefined when the summary saves nothing. */
export function summaryMarker(
  messages: readonly Message[],
  text: string,
  keep: number,
  window: number,
  replacedChars: number,
): Marker | undefined {
  const beforeSeq = cutSeq(messages, keep)
  if (beforeSeq === undefined || text.length >= replacedChars) return undefined
  return { results: {}, summary: { text, beforeSeq, keptUserSeqs: keptUserSeqs(messages, beforeSeq, window) } }
}
