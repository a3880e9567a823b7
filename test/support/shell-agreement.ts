// Holds the policy's reader of commands against bash: what bash ran and wrote must be among what was found.
import { resolve } from 'node:path'
import { parseCommand, type ParseOptions } from '../../src/policy/commands/parse-command.ts'
import type { Analysis, Segment, Word } from '../../src/policy/commands/segment.ts'
import { unwrap } from '../../src/policy/commands/unwrap.ts'
import { WRAPPERS } from '../../src/policy/commands/wrappers.ts'
import { asRecorded, START, type Call, type Ran } from './bash-oracle.ts'

const FOLDERS = new Set(['/w', '/w/d1', '/w/d1/d2'])
const OPTIONS: ParseOptions = { home: START.HOME, folderExists: (folder) => FOLDERS.has(resolve('/w', folder)) }
/** What these are given is judged in their place. */
const SEEN_THROUGH = new Set([
  ...Object.keys(WRAPPERS),
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'ash',
  'mksh',
  'fish',
  'su',
  'at',
  'batch',
])

/** What is found in a command; undefined when the policy would ask because it, or the name of a program in it, cannot be read. */
export function readFully(command: string): Analysis | undefined {
  const analysis = unwrap(parseCommand(command, OPTIONS), parseCommand, OPTIONS)
  const isNamed = analysis.segments.every(({ words: [first] }) => !first || (first.value !== undefined && !first.glob))
  return analysis.problems.length > 0 || !isNamed ? undefined : analysis
}

/** What bash did that was not found, one line each. */
export function disagreements({ segments, settings }: Analysis, { calls, files, folder }: Ran): string[] {
  const set = new Set([...settings, ...segments.flatMap(({ assignments }) => assignments)].map(({ name }) => name))
  const found: string[] = []
  for (const call of calls) {
    const isSeen = SEEN_THROUGH.has(call.words[0] ?? '') || segments.some((segment) => isCall(segment, call, folder))
    if (!isSeen) found.push(`runs ${JSON.stringify(call.words)} in ${call.folder.replace(folder, '.')}`)
    for (const name of call.changed) if (!set.has(name)) found.push(`sets ${name}`)
  }
  for (const file of files) if (!segments.some((segment) => writes(segment, file))) found.push(`writes ${file}`)
  return found
}

function isCall(segment: Segment, { words, folder }: Call, start: string): boolean {
  if (segment.folder !== undefined && resolve(start, segment.folder) !== folder) return false
  return matches(segment.words, words)
}

function writes({ folder, redirects }: Segment, file: string): boolean {
  return redirects.some(({ kind, target }) => {
    if (kind !== 'write' || target === undefined) return false
    return (
      folder === undefined ||
      target.value === undefined ||
      target.glob ||
      resolve('/w', folder, target.value) === resolve('/w', file)
    )
  })
}

/** True when the words claimed can be those given: a known one is itself, one word stays one, others are any number. */
export function matches(claimed: readonly Word[], given: readonly string[]): boolean {
  const [word, ...rest] = claimed
  if (word === undefined) return given.length === 0
  const [first] = given
  if (!word.many && !word.glob) {
    if (
      first === undefined ||
      (word.value === undefined
        ? !first.startsWith(asRecorded(word.prefix)) && word.harmless !== 'pipe'
        : asRecorded(word.value) !== first)
    )
      return false
    return matches(rest, given.slice(1))
  }
  for (let taken = 0; taken <= given.length; taken++) if (matches(rest, given.slice(taken))) return true
  return false
}
