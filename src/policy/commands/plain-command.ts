import { plainWord, type Analysis } from './segment.ts'

/**
 * Words that mean nothing to bash but themselves. Left out on purpose: `~`, `{}`, globs, quotes, `#`, `!`, `%`, `^`;
 * `=` may stand in any word but the first, which would be an assignment.
 */
const PLAIN = /^[A-Za-z0-9_./:@,+-]+(?: [A-Za-z0-9_./:=@,+-]+)*$/

/** Words that start something other than a simple command (bash(1), RESERVED WORDS and SHELL GRAMMAR). */
const RESERVED = new Set(
  'case coproc do done elif else esac fi for function if in select then time until while declare typeset export readonly local unset let'.split(
    ' ',
  ),
)

/** Reads a command that needs no grammar; undefined for any other, which the grammar must read. */
export function parsePlainCommand(command: string): Analysis | undefined {
  if (!PLAIN.test(command)) return undefined
  const words = command.split(' ')
  if (RESERVED.has(words[0]!)) return undefined
  return {
    segments: [{ words: words.map(plainWord), assignments: [], redirects: [], via: [], stdin: 'none', folder: '.' }],
    problems: [],
  }
}
