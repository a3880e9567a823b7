import type { ToolCall } from '../protocol/index.ts'

/** One call of a model response, with what was found wrong when it was read. */
export interface BatchCall extends ToolCall {
  /** What the model is told instead of running the call: its name or arguments could not be read. */
  fault?: string
  /** The answer was cut off inside this call: it is not run when it writes or executes. */
  cutOff?: boolean
  /** The server gave this call an id that it gave to another call before. */
  repeatedId?: boolean
  /** The model wants the user's yes; a text says why. */
  validationRequest?: string | true
}

/** The call itself, without what only its own turn needs to know of it. */
export function plainCall(call: BatchCall): ToolCall {
  const { fault: _fault, cutOff: _cutOff, repeatedId: _repeatedId, validationRequest: _request, ...plain } = call
  return plain
}
