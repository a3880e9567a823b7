import type { Word } from './segment.ts'
import { splitPattern } from '../rules/pattern.ts'

/** Refused whatever else says; `commands.block` of the user's own configuration replaces it. */
export const DEFAULT_BLOCK_LIST: readonly string[] = [
  'rm -rf',
  'rm -r',
  'git push --force',
  'git reset --hard',
  'git clean -fd',
  'npm publish',
  'sudo',
  'chmod',
  'chown',
]

/** Programs that do the same as the one a block entry names. */
const SAME_PROGRAM: Readonly<Record<string, readonly string[]>> = {
  sudo: ['sudo', 'sudoedit', 'doas', 'pkexec', 'su', 'runuser', 'run0'],
  npm: ['npm', 'pnpm', 'yarn', 'bun', 'cnpm'],
  rm: ['rm', 'grm'],
  chmod: ['chmod', 'gchmod'],
  chown: ['chown', 'gchown', 'chgrp'],
}

/** Long forms of short flags, and other words with the same effect, for the programs of the default list. */
const SAME_FLAG: Readonly<Record<string, readonly string[]>> = {
  'rm -r': ['-R', '--recursive'],
  'rm -f': ['--force'],
  'git push --force': ['-f', '--force-with-lease', '--force-if-includes', '--mirror'],
  'git clean -f': ['--force'],
}

/** Options of git before its subcommand that take the next word (git(1), OPTIONS). */
const GIT_VALUE_OPTIONS = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env',
  '--attr-source',
  '--list-cmds',
])

/** Commands of npm that stand first and take what follows as their own words: `npm run publish` publishes nothing by itself. */
const NPM_COMMANDS =
  /^(?:run|run-script|exec|install|i|add|ci|test|t|view|info|show|search|outdated|ls|list|why|audit|pack|help|update)$/

export type BlockAnswer = 'no' | 'yes' | 'maybe'

/** The program's name as a block entry would call it: no folder, no `.exe`, lower case. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1).toLowerCase()
  return name.endsWith('.exe') ? name.slice(0, -4) : name
}

/**
 * Tells whether a block entry covers a command. Words of the entry that are no flags must be the command's own first
 * words (options between them do not count); its flags must all be there in any spelling. `maybe`: words that only the
 * shell will know could make it so.
 */
export function matchesBlock(entry: string, words: readonly Word[]): BlockAnswer {
  const [program, ...rest] = splitPattern(entry)
  const first = words[0]
  if (program === undefined || first === undefined) return 'no'
  if (first.value === undefined) return 'maybe'
  const names = SAME_PROGRAM[program] ?? [program]
  if (!names.includes(programName(first.value))) return 'no'
  const named = rest.filter((word) => !word.startsWith('-'))
  const flags = rest.filter((word) => word.startsWith('-')).flatMap(singleFlags)
  const after = afterNames(program, named, words.slice(1))
  if (after.answer === 'no' || flags.length === 0) return after.answer
  return weakest([after.answer, ...flags.map((flag) => hasFlag([program, ...named].join(' '), flag, after.rest))])
}

function weakest(answers: readonly BlockAnswer[]): BlockAnswer {
  return answers.find((answer) => answer === 'no') ?? answers.find((answer) => answer === 'maybe') ?? 'yes'
}

/** `-rf` is two flags; `--force` and `-auto-approve` (more than three letters) are one. */
function singleFlags(flag: string): string[] {
  if (flag.startsWith('--') || flag.length > 4) return [flag]
  return Array.from(flag.slice(1), (letter) => `-${letter}`)
}

function afterNames(
  program: string,
  named: readonly string[],
  words: readonly Word[],
): { answer: BlockAnswer; rest: readonly Word[] } {
  if (named.length === 0) return { answer: 'yes', rest: words }
  const at = firstName(program, words)
  if (at < 0) return { answer: 'no', rest: [] }
  const start = words[at]!
  if (start.value === undefined) return { answer: 'maybe', rest: words.slice(at) }
  // npm and its kin take options with values anywhere before the command; git does not, once its own are skipped.
  const own = program === 'git' || (at === 0 && NPM_COMMANDS.test(start.value))
  const candidates = own ? [at] : words.map((_, index) => index)
  let maybe = false
  for (const from of candidates) {
    const answer = weakest(named.map((name, offset) => sameName(program, name, words[from + offset])))
    if (answer === 'yes') {
      return { answer, rest: [...words.slice(0, from), ...words.slice(from + named.length)] }
    }
    if (answer === 'maybe' && from === at) maybe = true
  }
  return { answer: maybe ? 'maybe' : 'no', rest: words }
}

function sameName(program: string, name: string, word: Word | undefined): BlockAnswer {
  if (word === undefined) return 'no'
  if (word.value === undefined) return 'maybe'
  if (word.value === name) return 'yes'
  // npm takes any unambiguous beginning of a command's name: `npm pub`.
  return program === 'npm' && word.value.length >= 2 && name.startsWith(word.value) ? 'yes' : 'no'
}

/** Index of the first word that is no option nor an option's value; -1 when there is none. */
function firstName(program: string, words: readonly Word[]): number {
  for (let at = 0; at < words.length; at++) {
    const { value } = words[at]!
    if (value === undefined || !value.startsWith('-')) return at
    if (program === 'git' && GIT_VALUE_OPTIONS.has(value)) {
      at++
      if (words[at]?.value === undefined) return Math.min(at, words.length - 1)
    }
  }
  return -1
}

function hasFlag(command: string, flag: string, words: readonly Word[]): BlockAnswer {
  const forms = [flag, ...(SAME_FLAG[`${command} ${flag}`] ?? [])]
  let maybe = false
  for (const word of words) {
    if (word.value === '--') break
    if (word.value === undefined || word.glob) {
      // It may turn out to be a flag unless it is known to start as something else.
      if (word.prefix === '' || word.prefix.startsWith('-')) maybe = true
      continue
    }
    if (forms.some((form) => isFlag(form, word.value!))) return 'yes'
    // A `+` before a refspec forces that one push (git-push(1)).
    if (command === 'git push' && flag === '--force' && /^\+./.test(word.value)) return 'yes'
  }
  return maybe ? 'maybe' : 'no'
}

function isFlag(form: string, word: string): boolean {
  if (!word.startsWith('-') || word === '-') return false
  if (form.startsWith('--')) {
    const name = word.split('=')[0]!
    // GNU and git take any beginning of a long option; one letter is enough to be careful.
    return name.length >= 3 && (form === name || form.startsWith(name))
  }
  if (form.length > 2) return form === word
  return !word.startsWith('--') && word.includes(form[1]!, 1)
}
