// A sub-agent: a question with a conversation of its own, in the same window as its parent's, with tools that only read.
// Only its answer comes back, so a search through many files costs the parent no more room than its result.
import { runLoop } from '../agent/loop.ts'
import type { CallRunner, LoopInput } from '../agent/ports.ts'
import type { EventBody, ToolResult } from '../protocol/index.ts'
import type { OpenModel } from './parts.ts'
import type { ScratchLog } from './scratch-log.ts'

/** Turns of one sub-agent: enough to look through a large repository, and an end for a model that loses itself. */
export const TASK_TURNS = 30

export interface SubAgentParts {
  /** Opened for this conversation (`OpenModel.beside`). */
  model: OpenModel
  runner: CallRunner
  log: ScratchLog
  /** Turns at the most; at the last one the model answers with what it has. */
  turns: number
  emit(event: EventBody): void
  now: () => number
  newId: () => string
}

/** Its answer goes into one result. */
const ANSWER_LIMITS = { chars: 200_000, ms: 1_800_000 }

/** What came of a sub-agent: its answer for the parent's model, and what it cost. Never throws for a fault of the model. */
export async function runSubAgent(prompt: string, parts: SubAgentParts, signal: AbortSignal): Promise<ToolResult> {
  const { model, runner, log, turns } = parts
  const data = { turns: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0 }
  log.append({ sender: 'USER', text: prompt })
  const limits: LoopInput['limits'] = {
    consecutiveReads: 0,
    consecutiveActionRetries: 3,
    consecutiveFormatErrors: 3,
    totalTurns: turns,
    tokens: 0,
    wallMs: 0,
  }
  const end = await runLoop({
    model: model.port,
    prompt: model.prompt,
    calls: model.calls,
    runner,
    log,
    limits,
    answer: ANSWER_LIMITS,
    answerAtLimit: true,
    request: { ...model.request, window: model.window },
    emit: (event) => {
      if (event.type === 'turn-end') {
        data.turns += 1
        data.inputTokens += event.usage?.inputTokens ?? 0
        data.outputTokens += event.usage?.outputTokens ?? 0
        data.cachedTokens += event.usage?.cachedTokens ?? 0
      }
      parts.emit(event)
    },
    now: parts.now,
    newId: parts.newId,
    signal,
    takeQueued: () => [],
    toolsRefused: () => model.toolsRefused(),
    imagesRefused: () => false,
    onModelError: () => Promise.resolve('abort'),
  })
  data.toolCalls = log.all().reduce((sum, { output }) => sum + (output?.toolCalls.length ?? 0), 0)
  const answer = log.all().findLast((message) => message.sender === 'AI' && message.text.trim() !== '')?.text ?? ''
  if (end.outcome === 'done') return { status: 'success', text: answer, data }
  const why =
    end.outcome === 'failed'
      ? `${end.error.message} Ask again, or look yourself.`
      : end.outcome === 'limit'
        ? `${end.text} Ask for less, or look yourself.`
        : 'It was interrupted.'
  const said = answer === '' ? '' : `\nIts last words: ${answer}`
  return {
    status: 'failed',
    code: end.outcome === 'interrupted' ? 'INTERRUPTED' : 'TOOL_ERROR',
    text: `The sub-agent gave no answer: ${why}${said}`,
    data,
  }
}
