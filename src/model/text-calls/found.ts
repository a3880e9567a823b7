import type { Reader, Wait } from './reader.ts'
import type { Dialect, RepairKind } from './types.ts'

/** A call as written, before its name and arguments were looked at. */
export interface FoundCall {
  name: string
  /** An object, the text of one, or undefined for no arguments. */
  value: unknown
  /** Values given by place instead of by name. */
  positional?: unknown[]
  /** Every value is text, because the form knows nothing else: reading it as a number is no repair. */
  textual?: boolean
  id?: string
  repairs: RepairKind[]
  /** The text ended inside the call. */
  truncated: boolean
  /** The server says that the model ended the text itself: a bracket missing at its end is a slip. */
  whole?: boolean
  /** What is wrong with the form itself, in the words of CallFault. */
  broken?: { expected: string; found: string }
  /** Only the opening mark is there. */
  empty?: boolean
  /** The form is so common in plain data that it is at most a doubt. */
  loose?: boolean
}

/** A stretch of the message that is calls and nothing else. */
export interface Unit {
  dialect: Dialect
  calls: FoundCall[]
  /** Written with markup that means a call and nothing else. */
  strong: boolean
  place: 'block' | 'inline' | 'fence'
}

export const brokenCall = (name: string, expected: string, found: string, truncated = false): FoundCall => ({
  name,
  value: undefined,
  repairs: [],
  truncated,
  broken: { expected, found },
})

const MAX_EXCERPT = 60

/** What stands at the current place, to the end of the line, for a message. */
export const lineAhead = (reader: Reader): Wait<string> =>
  reader.settled(() => reader.runAhead(0, MAX_EXCERPT, (code) => code >= 0 && code !== 10))

/** A text for a message: one line, cut at `MAX_EXCERPT`. */
export const excerpt = (text: string): string => {
  const line = text
    .slice(0, MAX_EXCERPT * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT)}…` : line
}
