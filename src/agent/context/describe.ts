// What stands in the prompt, block by block, for `/context`: how large each is, why it is there, and when it came. Pure.
import type { RequestTool } from '../../model/language-model.ts'
import { imageTokens } from '../../model/tokens.ts'
import type { EventBody, Message } from '../../protocol/index.ts'
import { blocksOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import { inForm, leftOut } from './result-form.ts'
import type { ContextView, ResultForm } from './view.ts'

type Blocks = Extract<EventBody, { type: 'context' }>['blocks']

/** Results and attachments that get a line of their own, pinned ones and then the largest first; the others are summed up. */
const MOST_BLOCKS = 20

const why: Record<ResultForm | 'whole', string> = {
  whole: 'result, whole',
  cut: 'result, head and tail only',
  stub: 'result, left out; the call loads it again',
  superseded: 'result, left out; a later call shows the same',
}

export interface ContextFacts {
  rules: string
  /** Undefined until the first request was built. */
  project: string | undefined
  tools: readonly RequestTool[]
  log: readonly Message[]
  view: ContextView
  charsPerToken: number
}

function whyOf(block: Block, view: ContextView): string {
  const isBefore = block.seq < (view.summary?.beforeSeq ?? 0)
  const kept = isBefore ? ', kept through the summary' : ''
  if (block.call) return `${why[view.results.get(block.key) ?? 'whole']}${kept}`
  return `${view.dropped.has(block.key) ? 'attachment, left out' : 'attachment'}${kept}`
}

function tokensOf(block: Block, { view, charsPerToken }: ContextFacts): number {
  const { call, image, key, text } = block
  if (image) return view.dropped.has(key) ? 0 : imageTokens(image)
  const shown = call ? inForm(text, view.results.get(key), call) : view.dropped.has(key) ? leftOut(text) : text
  return Math.ceil(shown.length / charsPerToken)
}

/** Characters of what the user and the model said, and of what codehound told beside attachments. */
function saidChars({ log, view }: ContextFacts): { user: number; assistant: number; told: number } {
  const from = view.summary?.beforeSeq ?? 0
  const chars = { user: 0, assistant: 0, told: 0 }
  for (const { sender, seq, text, output, system, excludeFromPrompt } of log) {
    if (seq < from || excludeFromPrompt === true) continue
    if (sender === 'USER') chars.user += text.length
    else if (sender === 'AI') {
      chars.assistant += output?.text.length ?? text.length
      for (const call of output?.toolCalls ?? [])
        chars.assistant += call.name.length + (call.rawArgs ?? JSON.stringify(call.args)).length
    } else if (system?.callId === undefined && !['COMPACTION', 'DATA_ADDED'].includes(system?.type ?? ''))
      chars.told += system?.data?.length ?? 0
  }
  return chars
}

function conversation(facts: ContextFacts): Blocks {
  const { log, view, charsPerToken } = facts
  const tokens = (chars: number): number => Math.ceil(chars / charsPerToken)
  const part = (id: string, title: string, chars: number, reason: string): Blocks =>
    chars === 0 ? [] : [{ id, level: 3, title, tokens: tokens(chars), why: reason }]
  const shown = blocksOf(log, view).map((block) => {
    const line: Blocks[number] = {
      id: block.handle,
      level: 3,
      title: block.title,
      tokens: tokensOf(block, facts),
      why: whyOf(block, view),
    }
    if (block.turn !== undefined) line.lastUsedTurn = block.turn
    if (view.pinned.has(block.key)) line.pinned = true
    return line
  })
  const large = shown.toSorted((a, b) => Number(b.pinned ?? 0) - Number(a.pinned ?? 0) || b.tokens - a.tokens)
  const most = Math.max(MOST_BLOCKS, view.pinned.size)
  const rest = large.slice(most)
  const { user, assistant, told } = saidChars(facts)
  const { summary } = view
  const stands = `stands for what came before message ${summary?.beforeSeq}`
  return [
    ...(summary ? part('summary', 'summary', summary.text.length, stands) : []),
    ...part('user', 'your messages', user, 'conversation'),
    ...part('told', 'notes', told, 'told by codehound'),
    ...part('assistant', 'answers and calls', assistant, 'conversation'),
    ...large.slice(0, most),
    ...(rest.length === 0
      ? []
      : [
          {
            id: 'results',
            level: 3,
            title: `${rest.length} more results and attachments`,
            tokens: rest.reduce((sum, each) => sum + each.tokens, 0),
            why: 'smaller ones',
          },
        ]),
  ]
}

/** The blocks of the prompt as it would be built now. */
export function describeContext(facts: ContextFacts): Blocks {
  const { rules, project, tools, charsPerToken } = facts
  const tokens = (chars: number): number => Math.ceil(chars / charsPerToken)
  const notYet = 'instruction files and repository map; made with the first request'
  return [
    { id: 'rules', level: 1, title: 'rules', tokens: tokens(rules.length), why: 'role, rules, limits, environment' },
    ...(tools.length === 0
      ? []
      : [
          {
            id: 'tools',
            level: 1,
            title: `${tools.length} tools`,
            tokens: tokens(JSON.stringify(tools).length),
            why: 'what the model may call',
          },
        ]),
    {
      id: 'project',
      level: 2,
      title: 'project',
      tokens: tokens(project?.length ?? 0),
      why: project === undefined ? notYet : 'instruction files, skills and repository map',
    },
    ...conversation(facts),
  ]
}
