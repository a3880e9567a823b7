// Sees when a model goes round in circles. Pure: what happened goes in, the next state and a verdict come out.
// Promises: a call counts as repeated only in the same state of the workspace and with the same result, so that
// edit → same test again, however often, is never a loop. Does not stop anything itself.

/** Same call, same state, same result: the result carries a nudge from here on. */
export const NUDGE_AT = 3
/** Same call, same state, same result: the run stops. */
export const STOP_AT = 5
/** Periods of an A-B-A-B cycle that stop the run. */
const CYCLE_PERIODS = 3
/** Times the same text or reasoning comes in a row before the run stops. */
const TEXT_STOP_AT = 10
/** A wait of this long is a pause, not a loop. Milliseconds. */
export const WAIT_MS = 5_000
/** Calls that are remembered: a repeat farther apart is not a loop. */
const REMEMBERED = 60

/** Why a run should stop, in words for the user and the model. */
export interface LoopStop {
  kind: 'same-call' | 'cycle' | 'text'
  text: string
}

/** One call that was answered. */
export interface GuardedCall {
  /** For the message: the tool's name. */
  tool: string
  /** Tool and arguments. */
  key: string
  /** The same with the state of the workspace. */
  signature: string
  /** Hash of the result's text. */
  result: string
  /** Polls of background commands, waits, and questions do not count. */
  exempt?: boolean
}

export interface LoopState {
  readonly calls: readonly GuardedCall[]
  readonly text: { readonly hash: string; readonly times: number } | undefined
}

export const newLoopState: LoopState = { calls: [], text: undefined }

export interface LoopVerdict {
  state: LoopState
  /** A line to add to the result. */
  nudge?: string
  stop?: LoopStop
}

/** Takes one answered call. */
export function noteCall(state: LoopState, call: GuardedCall): LoopVerdict {
  if (call.exempt === true) return { state }
  const calls = [...state.calls, call].slice(-REMEMBERED)
  const next = { ...state, calls }
  const times = calls.filter((each) => each.signature === call.signature && each.result === call.result).length
  if (times >= STOP_AT) {
    const text = `${call.tool} was called ${times} times with the same arguments and the same result, and no file changed in between.`
    return { state: next, stop: { kind: 'same-call', text } }
  }
  const cycle = cycleOf(calls)
  if (cycle) return { state: next, stop: cycle }
  if (times < NUDGE_AT) return { state: next }
  const nudge = `Note: this is call ${times} with the same arguments and the same result; nothing changed in between. Do something else: other arguments, another tool, or answer with what you know. At ${STOP_AT} the run stops.`
  return { state: next, nudge }
}

/** Keys without the state: an edit and its reverse change the generation each time and are a cycle all the same. */
function cycleOf(calls: readonly GuardedCall[]): LoopStop | undefined {
  const last = calls.slice(-2 * CYCLE_PERIODS)
  if (last.length < 2 * CYCLE_PERIODS) return undefined
  const [a, b] = last as [GuardedCall, GuardedCall]
  const same = (x: GuardedCall, y: GuardedCall): boolean => x.key === y.key && x.result === y.result
  if (same(a, b) || last.some((call, at) => !same(call, at % 2 === 0 ? a : b))) return undefined
  const text = `${a.tool} and ${b.tool} were called in turn ${CYCLE_PERIODS} times with the same arguments and results.`
  return { kind: 'cycle', text }
}

/** Takes the text or reasoning of one model response (a hash of it is enough); an empty one does not count. */
export function noteText(state: LoopState, hash: string): LoopVerdict {
  if (hash === '') return { state }
  const times = state.text?.hash === hash ? state.text.times + 1 : 1
  const next = { ...state, text: { hash, times } }
  if (times < TEXT_STOP_AT) return { state: next }
  return { state: next, stop: { kind: 'text', text: `The model said the same thing ${times} times in a row.` } }
}
