import type { EditFaultCode } from './edit-text.ts'
import type { Rung } from './ladder.ts'

/** One row of the ladder's table: what the model sends, and what must come of it. */
export interface LadderCase {
  name: string
  file: string
  old: string
  new: string
  all?: true
  path?: string
  want: { rung: Rung; text: string } | { code: EditFaultCode }
}

type Options = Pick<LadderCase, 'all' | 'path'>

export function edits(
  name: string,
  file: string,
  old: string,
  wanted: string,
  rung: Rung,
  text: string,
  options: Options = {},
): LadderCase {
  return { name, file, old, new: wanted, want: { rung, text }, ...options }
}

export function refuses(
  name: string,
  file: string,
  old: string,
  wanted: string,
  code: EditFaultCode,
  options: Options = {},
): LadderCase {
  return { name, file, old, new: wanted, want: { code }, ...options }
}
