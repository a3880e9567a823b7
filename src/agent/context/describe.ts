// What stands in the prompt, block by block, for `/context`: how large each is, why it is there, and when it came. Pure.
import type { RequestTool } from '../../model/language-model.ts'
import type { EventBody, Message, ToolCall } from '../../protocol/index.ts'
import { resultText } from '../result-text.ts'
import { inForm } from './result-form.ts'
import type { ContextView, ResultForm } from './view.ts'

type Blocks = Extract<EventBody, { type: 'context' }>['blocks']

/** Results that get a line of their own, largest first; the others are summed up. */
const MOST_RESULTS = 20

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

const titleOf = ({ name, args }: ToolCall): string => {
  const subject = Object.values(args).find((value) => typeof value === 'string')
  return subject === undefined ? name : `${name} ${subject.split('\n')[0]!.slice(0, 60)}`
}

function conversation({ log, view, charsPerToken }: ContextFacts): Blocks {
  const tokens = (chars: number): number => Math.ceil(chars / charsPerToken)
  const from = view.summary?.beforeSeq ?? 0
  const kept = log.filter((message) => message.seq >= from && message.excludeFromPrompt !== true)
  const results = new Map(
    kept.flatMap(({ system }) =>
      system?.callId !== undefined && system.result ? [[system.callId, system.result] as const] : [],
    ),
  )
  let user = 0
  let assistant = 0
  let added = 0
  let turn = log.filter((message) => message.sender === 'AI' && message.seq < from).length
  const shown: Blocks = []
  for (const { sender, text, output, system } of kept) {
    if (sender === 'USER') user += text.length
    else if (sender === 'SYSTEM' && system?.callId === undefined && system?.type !== 'COMPACTION')
      added += system?.data?.length ?? 0
    if (sender !== 'AI') continue
    turn += 1
    assistant += output?.text.length ?? text.length
    for (const call of output?.toolCalls ?? []) {
      assistant += call.name.length + (call.rawArgs ?? JSON.stringify(call.args)).length
      const result = results.get(call.id)
      if (!result) continue
      const form = view.results.get(call.id)
      const size = tokens(inForm(resultText(result), form, call).length)
      const title = titleOf(call)
      shown.push({ id: call.id, level: 3, title, tokens: size, why: why[form ?? 'whole'], lastUsedTurn: turn })
    }
  }
  const large = shown.toSorted((a, b) => b.tokens - a.tokens)
  const rest = large.slice(MOST_RESULTS)
  const block = (id: string, title: string, chars: number, reason: string): Blocks =>
    chars === 0 ? [] : [{ id, level: 3, title, tokens: tokens(chars), why: reason }]
  const { summary } = view
  return [
    ...(summary ? block('summary', 'summary', summary.text.length, `stands for what came before message ${from}`) : []),
    ...block('user', 'your messages', user, 'conversation'),
    ...block('added', 'attachments and notes', added, 'loaded for your messages, or told by codehound'),
    ...block('assistant', 'answers and calls', assistant, 'conversation'),
    ...large.slice(0, MOST_RESULTS),
    ...(rest.length === 0
      ? []
      : [
          {
            id: 'results',
            level: 3,
            title: `${rest.length} more results`,
            tokens: rest.reduce((sum, each) => sum + each.tokens, 0),
            why: 'what tools returned',
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
