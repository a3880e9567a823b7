// What comes after an answer that made no call, or that was cut or failed: the end of the run, or an order to go on.
import type { ModelError } from '../model/language-model.ts'
import type { ErrorInfo, Message } from '../protocol/index.ts'
import type { Answer } from './answer.ts'
import type { CallIds } from './call-ids.ts'
import type { LimitCounters } from './limits.ts'
import type { LoopEnd, LoopInput } from './ports.ts'

/** Calls in doubt that the model is asked about in a row before the run ends. */
const MAX_DOUBTS = 2

/** A connection cut after text was shown is resumed this often in a row before the run gives up. */
const MAX_RESUMED_CUTS = 3

export const words = {
  cut: 'The connection was cut while you were answering. What you wrote so far is kept above. Go on from exactly where it stops; do not repeat it.',
  length: 'Your answer was cut off at the token limit; what you wrote is kept above. Go on, and keep it shorter.',
  bound: (bound: string) =>
    `Your answer was stopped at ${bound}; what you wrote is kept above. Go on, and keep it short.`,
  lengthCall: (tool: string) =>
    `Your answer was cut off at the token limit in the middle of a call of ${tool}, so that call was left out. Make the call again in smaller steps.`,
  empty: 'Your last answer was empty. Answer the request, or call a tool.',
  unasked: 'Your last answer had no text for the user. Say in a few words what you did or found.',
  lastTurn: 'No turns are left for tool calls. Answer now, in words, with what you have found so far.',
}

/** What one run keeps from turn to turn. */
export interface RunState {
  counters: LimitCounters
  ids: CallIds
  cuts: number
  lengths: number
  empties: number
  doubts: number
  shrunk: boolean
  /** The next turn is the answer: no calls are made in it. */
  answerNext: boolean
  /** Tokens that sub-agents used in this turn. */
  delegated: number
}

/** Another turn, or how the run ended. */
export type Step = 'go-on' | LoopEnd

/** Says something to the model, as one more message. */
export function tell(input: LoopInput, type: 'FORMAT_ERROR' | 'INTERRUPTED', text: string): Message {
  return input.log.append({ sender: 'SYSTEM', text: '', system: { type, data: text } })
}

function failed(error: ErrorInfo): LoopEnd {
  return { outcome: 'failed', error }
}

/** The wire failed in the middle of an answer: the same request is not tried again, the answer is gone on with. */
const wasCut = (error: ModelError): boolean =>
  error.afterFirstPart && ['network', 'timeout', 'server_error', 'bad_response'].includes(error.code)

/** A model error that retries did not mend: compact once, resume a cut answer, or ask what to do. */
export async function handleError(answer: Answer, input: LoopInput, state: RunState): Promise<Step> {
  const error = answer.error!
  if (error.code === 'context_too_long' && !state.shrunk) {
    state.shrunk = true
    if (await input.prompt.shrink(input.log.all(), input.signal)) return 'go-on'
  }
  if (error.unsupported === 'tools' && input.toolsRefused()) return 'go-on'
  if (error.unsupported === 'images' && input.imagesRefused()) return 'go-on'
  if (wasCut(error) && answer.messageId !== '' && state.cuts < MAX_RESUMED_CUTS) {
    state.cuts += 1
    input.emit({
      type: 'notice',
      level: 'warning',
      text: `${error.message} What had arrived is kept; asking the model to go on.`,
    })
    tell(input, 'FORMAT_ERROR', words.cut)
    return 'go-on'
  }
  const info = error.toInfo()
  input.emit({ type: 'error', error: info })
  const choice = await input.onModelError(info)
  if (choice === 'retry') return 'go-on'
  input.log.append({
    sender: 'SYSTEM',
    text: '',
    system: { type: 'NETWORK_ERROR', data: info.message, summary: info.message },
    excludeFromPrompt: true,
  })
  return choice === 'skip' ? { outcome: 'done', skipped: true } : failed(info)
}

/** An answer without calls: the end of the run, or an order to go on. */
export function handleText(answer: Answer, input: LoopInput, state: RunState, ranTools: boolean): Step {
  const { output } = answer
  if (output.finishReason === 'length') {
    state.lengths += 1
    const { bound } = answer
    if (bound !== undefined)
      input.emit({ type: 'notice', level: 'warning', text: `The answer was stopped at ${bound}; what came is kept.` })
    if (state.lengths >= 2) {
      return failed({
        code: 'bad_response',
        message: `The answer was cut off at ${bound ?? 'the token limit'} twice in a row.`,
        recoverable: true,
        suggestion:
          bound === undefined
            ? 'Raise max_tokens of the backend in the configuration, or ask for a smaller step.'
            : 'Raise the limit where such long answers are wanted, or try another model (--model backend/model).',
        model: output.model,
      })
    }
    const cut = bound === undefined ? words.length : words.bound(bound)
    tell(input, 'FORMAT_ERROR', answer.droppedCall === undefined ? cut : words.lengthCall(answer.droppedCall))
    return 'go-on'
  }
  if (answer.structured?.fault !== undefined) {
    input.emit({ type: 'format-error', text: answer.structured.fault, attempt: 1 })
    tell(input, 'FORMAT_ERROR', answer.structured.fault)
    return 'go-on'
  }
  if (answer.doubt !== undefined && state.doubts < MAX_DOUBTS) {
    state.doubts += 1
    input.emit({ type: 'format-error', text: answer.doubt, attempt: state.doubts })
    tell(input, 'FORMAT_ERROR', answer.doubt)
    return 'go-on'
  }
  if (answer.doubt !== undefined && !ranTools) {
    return failed({
      code: 'bad_response',
      message:
        'The answers of the model hold a tool call that could not be read or was not meant for sure, so nothing was done.',
      recoverable: true,
      suggestion:
        'Set toolFormat: xml for the backend, try another model (--model backend/model), or run `codehound doctor` to see which form of calls works.',
      model: output.model,
    })
  }
  if (answer.doubt !== undefined) {
    const text = 'The answer holds a tool call that was not run: look whether something was left undone.'
    input.emit({ type: 'notice', level: 'warning', text })
  }
  if (output.text.trim() === '') {
    state.empties += 1
    if (state.empties >= 2) {
      return failed({
        code: 'bad_response',
        message: 'The model gave an empty answer twice in a row.',
        recoverable: true,
        suggestion: 'Try another model (--model backend/model), or run `codehound doctor` to see what this one can do.',
        model: output.model,
      })
    }
    tell(input, 'FORMAT_ERROR', ranTools ? words.unasked : words.empty)
    return 'go-on'
  }
  return { outcome: 'done' }
}
