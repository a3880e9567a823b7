// The loop: one function over its arguments, used by chat, headless runs and automations. It promises that every message
// is stored before anything acts on it, that every call id of the history gets exactly one result, and that it ends with
// one LoopEnd and never throws for a fault of model, tool or user. It does no I/O of its own and knows no front.
import { answerRoom } from '../model/tokens.ts'
import type { ToolResult } from '../protocol/index.ts'
import { handleError, handleText, tell, words } from './after-answer.ts'
import type { RunState, Step } from './after-answer.ts'
import { AnswerBound } from './answer-bound.ts'
import { readAnswer } from './answer.ts'
import type { Answer } from './answer.ts'
import { CallIds } from './call-ids.ts'
import { LimitCounters, WALL_TIME_REACHED } from './limits.ts'
import type { LimitReached, TurnKind } from './limits.ts'
import type { BatchCall } from '../tools/batch-call.ts'
import type { BatchResult, LoopEnd, LoopInput } from './ports.ts'

/** The answer after a single batch of calls is written at this temperature (agent-loop.md, loop.mode). */
const ANSWER_TEMPERATURE = 0.2

/** Puts what the user typed meanwhile at the end of the history. */
function takeQueued(input: LoopInput): boolean {
  let any = false
  for (const { text, attachments, data } of input.takeQueued()) {
    any = true
    input.log.append({ sender: 'USER', text, ...(attachments ? { attachments } : {}) })
    for (const content of data ?? []) {
      input.log.append({ sender: 'SYSTEM', text: '', system: { type: 'DATA_ADDED', data: content } })
    }
  }
  return any
}

function stopAtLimit(input: LoopInput, limit: LimitReached): LoopEnd {
  input.log.append({
    sender: 'SYSTEM',
    text: '',
    system: { type: 'LIMIT_REACHED', data: limit.text, summary: limit.text },
  })
  input.emit({ type: 'limit-reached', counter: limit.counter, limit: limit.limit, text: limit.text })
  return { outcome: 'limit', counter: limit.counter, text: limit.text }
}

function stopAsInterrupted(input: LoopInput, state: RunState): LoopEnd {
  if (input.signal.reason === WALL_TIME_REACHED) return stopAtLimit(input, state.counters.wallTime())
  input.log.append({
    sender: 'SYSTEM',
    text: '',
    system: { type: 'INTERRUPTED', data: 'The user interrupted here.', summary: 'interrupted' },
  })
  return { outcome: 'interrupted' }
}

/** What kind of turn a batch was; a failed action outweighs a successful one, an action outweighs a read. */
function classify(calls: BatchCall[], results: ToolResult[], input: LoopInput): TurnKind {
  let kind: TurnKind = 'read'
  let reads = 0
  let faults = 0
  for (const [i, call] of calls.entries()) {
    const result = results[i]
    if (result?.code === 'USER_REJECTED') return 'refused'
    if (result?.code === 'FORMAT_ERROR' || result?.code === 'CALL_CUT_OFF') {
      faults += 1
      continue
    }
    const effect = input.calls.effect(call.name)
    if (effect === 'read' || effect === 'network') reads += 1
    else if (effect === 'ask') kind = kind === 'read' ? 'question' : kind
    else if (result?.status === 'failed') kind = 'action-failed'
    else if (kind !== 'action-failed') kind = 'action'
  }
  return faults === calls.length ? 'format-error' : kind === 'read' && reads === 0 && faults > 0 ? 'format-error' : kind
}

/** What a call itself used of models. */
function tokensOf(data: ToolResult['data']): number {
  const [into, out] = [data?.['inputTokens'], data?.['outputTokens']]
  return (typeof into === 'number' ? into : 0) + (typeof out === 'number' ? out : 0)
}

async function handleCalls(answer: Answer, input: LoopInput, state: RunState): Promise<{ step: Step; kind: TurnKind }> {
  state.lengths = 0
  state.empties = 0
  state.doubts = 0
  const batchId = input.newId()
  const batch: BatchResult = await input.runner.run(answer.calls, batchId, input.signal)
  const kind = classify(answer.calls, batch.results, input)
  state.delegated = batch.results.reduce((sum, { data }) => sum + tokensOf(data), 0)
  // A call that failed keeps the tools: the model may mend it.
  state.answerNext = input.mode === 'single-batch' && batch.results.every(({ status }) => status !== 'failed')
  if (input.signal.aborted) return { step: stopAsInterrupted(input, state), kind }
  if (answer.droppedCall !== undefined) tell(input, 'FORMAT_ERROR', words.lengthCall(answer.droppedCall))
  if (answer.doubt !== undefined) tell(input, 'FORMAT_ERROR', answer.doubt)
  const stop = batch.stop ?? input.runner.noteText(answer.output.text || (answer.output.reasoning ?? ''))
  if (stop !== undefined) {
    return { step: stopAtLimit(input, { counter: 'loop', limit: 0, text: stop }), kind }
  }
  return { step: endOfActions(answer, batch, input, state), kind }
}

/** After the actions of a structured answer that succeeded: its last words, and the end unless it keeps control. */
function endOfActions({ structured }: Answer, batch: BatchResult, input: LoopInput, state: RunState): Step {
  if (!structured?.acts || batch.results.some(({ status }) => status !== 'success')) return 'go-on'
  const { postText: text, keepControl } = structured
  if (text !== undefined) {
    const output = { text, toolCalls: [], finishReason: 'stop' as const, model: input.model.name }
    const last = { sender: 'AI' as const, text, output, excludeFromPrompt: true }
    const { id } = input.log.begin(last)
    input.emit({ type: 'text-start' })
    input.emit({ type: 'text-delta', text })
    input.emit({ type: 'text-end' })
    input.log.replace(id, last)
  }
  if (!keepControl) return { outcome: 'done' }
  state.counters.resetConsecutive()
  return 'go-on'
}

async function oneTurn(input: LoopInput, state: RunState, ranTools: boolean): Promise<{ step: Step; ran: boolean }> {
  const startedAt = input.now()
  state.delegated = 0
  if (input.answerAtLimit === true && state.counters.isLastTurn && ranTools && !state.answerNext) {
    tell(input, 'FORMAT_ERROR', words.lastTurn)
    state.answerNext = true
  }
  const { answerNext } = state
  const prompt = await input.prompt.build(input.log.all(), input.signal)
  if (input.signal.aborted) return { step: stopAsInterrupted(input, state), ran: false }
  const turn = state.counters.turns + 1
  const window = prompt.window ?? input.request.window ?? 0
  input.emit({ type: 'turn-start', turn, promptTokens: prompt.tokens, window })
  const request = {
    ...input.request,
    ...(window > 0 ? { window } : {}),
    maxTokens: answerRoom(window, prompt.tokens, input.request.maxTokens),
    messages: prompt.messages,
    tools: prompt.tools,
    ...(answerNext ? { toolChoice: 'none' as const, temperature: ANSWER_TEMPERATURE } : {}),
  }
  const bound = new AnswerBound(input.answer, input.signal)
  const stream = input.model.stream(request, bound.signal)
  const answer = await readAnswer(stream, input, state.ids, { withoutCalls: answerNext, bound })
  const usage = answer.output.usage
  if (usage) {
    if (usage.estimated !== true) input.prompt.observe(usage.inputTokens)
    input.emit({
      type: 'usage',
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cachedTokens: usage.cachedTokens ?? 0,
      contextTokens: usage.inputTokens + usage.outputTokens,
      window,
    })
  }
  let step: Step
  let kind: TurnKind = 'answer'
  if (answer.interrupted) step = stopAsInterrupted(input, state)
  else if (answer.error) step = await handleError(answer, input, state)
  else {
    state.cuts = 0
    if (answer.calls.length > 0) {
      const handled = await handleCalls(answer, input, state)
      step = handled.step
      kind = handled.kind
    } else {
      step = handleText(answer, input, state, ranTools)
      if (step === 'go-on') kind = 'format-error'
    }
  }
  input.emit({
    type: 'turn-end',
    turn,
    finishReason: answer.output.finishReason,
    ...(usage ? { usage } : {}),
    durationMs: Math.round(input.now() - startedAt),
  })
  const used = usage ? usage.inputTokens + usage.outputTokens : prompt.tokens
  const reached = state.counters.afterTurn(kind, used + state.delegated)
  if (reached && step === 'go-on') step = stopAtLimit(input, reached)
  return { step, ran: answer.calls.length > 0 }
}

/**
 * Runs turns until the model answers without a call, a limit is reached, the run is interrupted, or the model fails.
 * The user's message is already in the log.
 */
export async function runLoop(input: LoopInput): Promise<LoopEnd> {
  const state: RunState = {
    counters: new LimitCounters(input.limits, input.now()),
    ids: new CallIds(input.log.all(), input.newId),
    cuts: 0,
    lengths: 0,
    empties: 0,
    doubts: 0,
    shrunk: false,
    answerNext: false,
    delegated: 0,
  }
  let ranTools = false
  input.runner.startRun()
  for (;;) {
    if (input.signal.aborted) return stopAsInterrupted(input, state)
    takeQueued(input)
    const limit = state.counters.beforeTurn(input.now())
    if (limit) return stopAtLimit(input, limit)
    const { step, ran } = await oneTurn(input, state, ranTools)
    ranTools ||= ran
    if (step === 'go-on') continue
    // A message typed while the last answer came belongs to this run.
    if (step.outcome === 'done' && takeQueued(input)) continue
    return step
  }
}
