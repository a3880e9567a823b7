// Reads a command text into the simple commands it would run, as bash reads it.
// Promises: what bash could read in another way becomes a problem; nothing is skipped. The text is held against bash
// itself by test/proof/shell-fuzz.ts. Does not promise to know values: what only the shell will know is a word without
// a value.
import { CommandWalk } from './command-walk.ts'
import { readCommands } from './read-commands.ts'
import type { Analysis } from './segment.ts'

export interface ParseOptions {
  /** Value of `~` and `$HOME`. */
  home?: string
  /** Tells whether a folder, relative to where the command starts or absolute, exists: then `cd` to it succeeds. */
  folderExists?: (folder: string) => boolean
}

export type CommandParser = (command: string, options?: ParseOptions) => Analysis

/** Characters of a command text; longer ones are asked about unread. */
const MAX_LENGTH = 100_000
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/
/** A blank to the eye, and in some locales to the shell, that is part of a word in others. */
const ODD_BLANK = /[^\S \t\n]|[\u0085\u200b\u2060\u180e]/

/** Reads a command text. Its time grows with the length of the text, its depth on the stack does not. */
export function parseCommand(command: string, options: ParseOptions = {}): Analysis {
  const why = whyUnread(command)
  if (why !== undefined) return { segments: [], problems: [{ reason: why, hides: true }], settings: [] }
  const { list, unread, problems, bashOnly } = readCommands(command)
  const walk = new CommandWalk(options)
  for (const reason of problems) walk.problem(reason)
  if (unread !== undefined) walk.problem(unread)
  walk.run(list)
  const { segments, settings } = walk
  return { segments, problems: walk.problems, settings, ...(bashOnly ? { bashOnly } : {}) }
}

function whyUnread(command: string): string | undefined {
  if (command.length > MAX_LENGTH) return `the command is longer than ${MAX_LENGTH} characters`
  if (CONTROL.test(command)) return 'the command holds control characters'
  if (ODD_BLANK.test(command)) return 'the command holds blanks that are not plain'
  if (!command.isWellFormed()) return 'the command is no valid text'
  return undefined
}
