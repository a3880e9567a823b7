// Calls of git whose effect leaves the machine or is not taken back by undo: asked about in a sandbox too, which keeps neither.
import { basename, dirname, resolve } from 'node:path'
import type { Ask } from './ask.ts'
import type { FileContext } from './files.ts'
import { splitGit } from './read-only-git.ts'
import type { Word } from './segment.ts'

type Judge = (call: {
  args: readonly Word[]
  values: readonly string[]
  files: FileContext
}) => string | Ask | undefined

const free: Judge = () => undefined
/** Free while each option is one of these; values of options are told apart by `takes`. */
const unless =
  (options: RegExp, why: string): Judge =>
  ({ values }) =>
    values.find((value) => value.startsWith('-') && value !== '-' && !options.test(value)) === undefined
      ? undefined
      : why

const DISCARDS = 'discards changes that are in no commit'
const COMMITS: Ask = { reason: 'makes or moves commits, which undo does not take back', prefix: true }

/** The words of a pathspec: all but options, and all that follows `--`. */
function positionals(values: readonly string[]): string[] {
  const end = values.indexOf('--')
  const before = end < 0 ? values : values.slice(0, end)
  return [
    ...before.filter((value) => !value.startsWith('-') || value === '-'),
    ...(end < 0 ? [] : values.slice(end + 1)),
  ]
}

/** A word that git would take for files and not for a branch: magic, a pattern, or something that is there. */
function isPathspec(value: string, { facts, folder }: FileContext): boolean {
  if (/^[:.]|[*?[\\]/.test(value)) return true
  if (folder === undefined) return true
  const path = resolve(folder, value)
  return facts.listFolder(dirname(path)).includes(basename(path))
}

const checkout: Judge = ({ values, files }) => {
  const known =
    /^(?:-b|--orphan|-t|--track(?:=\w+)?|--no-track|-d|--detach|-q|--quiet|--guess|--no-guess|--progress|-l|-)$/
  const options = values.filter((value) => value.startsWith('-'))
  if (options.some((option) => !known.test(option))) return DISCARDS
  const names = positionals(values)
  if (/^(?:-b|--orphan|-t|--track)/m.test(options.join('\n'))) return undefined
  return names.length > 1 || names.some((name) => isPathspec(name, files)) ? DISCARDS : undefined
}

const reset: Judge = ({ values, files }) => {
  if (
    values.some(
      (value) =>
        value.startsWith('-') && !/^(?:-q|--quiet|--mixed|-N|--intent-to-add|--|--refresh|--no-refresh)$/.test(value),
    )
  )
    return DISCARDS
  if (values.includes('--') && values[0] === '--') return undefined
  const [first] = positionals(values)
  return first === undefined || first === 'HEAD' || first === '@' || isPathspec(first, files)
    ? undefined
    : { ...COMMITS, prefix: false }
}

/** Subcommands whose effect stays here and can be undone, unless their judge says otherwise (git 2.51). */
const LOCAL: Readonly<Record<string, Judge>> = {
  add: unless(
    /^(?:-[AuNnv]+|--|--all|--no-all|--update|--intent-to-add|--dry-run|--verbose|--ignore-errors|--refresh|--renormalize|--chmod=[+-]x|--no-ignore-removal|--ignore-removal|--pathspec-.+)$/,
    'adds files that are ignored, or asks what to add',
  ),
  apply: ({ values }) =>
    values.some((value) => /^--(?:check|stat|numstat|summary)$/.test(value)) && !values.includes('--apply')
      ? undefined
      : 'changes files by a patch that is not shown as an edit',
  branch: unless(
    /^(?:-[arvilq]+|-vv|--(?:all|remotes|list|verbose|show-current|no-color|color.*|sort.*|format.*|column.*|no-column|contains|no-contains|merged|no-merged|points-at|ignore-case|track.*|no-track|set-upstream-to.*|quiet))$|^-[tu]/,
    'deletes, moves or overwrites a branch',
  ),
  checkout,
  clean: ({ values }) =>
    values.some((value) => /^-[a-z]*n[a-z]*$|^--dry-run$/.test(value))
      ? undefined
      : 'deletes files that are in no commit',
  clone: ({ values }) =>
    values.some((value) => /^[\w+.-]+:\/\/|^(?:[\w.-]+@)?[\w.-]+:/.test(value))
      ? 'fetches a repository from elsewhere'
      : undefined,
  fetch: ({ values }) =>
    positionals(values).some((value) => /[:+]/.test(value)) ||
    values.some((value) => /^(?:-[a-z]*[fu][a-z]*|--(?:fo|up|refm|std).*)$/.test(value))
      ? 'overwrites references of this repository'
      : undefined,
  mv: unless(/^(?:-[kvn]+|--|--verbose|--dry-run)$/, 'overwrites files'),
  reset,
  restore: ({ values }) =>
    values.some((value) => /^(?:-S|--staged)$/.test(value)) &&
    values.every((value) => !value.startsWith('-') || /^(?:-S|--staged|-q|--quiet|--|--source=.+)$/.test(value))
      ? undefined
      : DISCARDS,
  stash: ({ values }) => (/^(?:drop|clear)$/.test(values[0] ?? '') ? 'discards what was stashed' : undefined),
  switch: unless(
    /^(?:-c|--create|-d|--detach|--guess|--no-guess|-t|--track(?:=\w+)?|--no-track|-q|--quiet|--orphan|--progress|-)$/,
    DISCARDS,
  ),
  tag: unless(
    /^(?:-l|--list|-n\d*|-a|--annotate|-m.*|--message.*|--sort.*|--format.*|--column.*|--contains|--no-contains|--merged|--no-merged|--points-at.*)$/,
    'deletes, moves or signs a tag',
  ),
  init: free,
  log: free,
  diff: free,
  show: free,
  'merge-tree': free,
  'ls-remote': free,
  status: free,
  grep: free,
  blame: free,
  shortlog: free,
  describe: free,
  'ls-files': free,
  'ls-tree': free,
  'rev-parse': free,
  'rev-list': free,
  'cat-file': free,
  'hash-object': free,
  'merge-base': free,
  'for-each-ref': free,
  'show-ref': free,
  'diff-tree': free,
  'diff-index': free,
  'diff-files': free,
  'range-diff': free,
  'name-rev': free,
  whatchanged: free,
  annotate: free,
  'show-branch': free,
  'count-objects': free,
  'check-ignore': free,
  'check-attr': free,
  cherry: free,
  version: free,
  help: free,
}

/** Subcommands that are asked about whatever their arguments, with what they do. */
const LASTING: Readonly<Record<string, Ask>> = {
  push: { reason: 'sends commits to a server' },
  commit: {
    reason: 'makes a commit, which undo does not take back; the commit tool shows what it takes in',
    prefix: true,
  },
  am: COMMITS,
  merge: COMMITS,
  pull: COMMITS,
  rebase: COMMITS,
  'cherry-pick': COMMITS,
  revert: COMMITS,
}

/** Why a call of git is asked about with and without a sandbox; undefined when what it does stays here. */
export function gitLasting(words: readonly Word[], files: FileContext): Ask | undefined {
  const { subcommand, options, args } = splitGit(words)
  if (subcommand === undefined)
    return words.every((word) => word.value !== undefined) && options.length === words.length
      ? undefined
      : { reason: "git's subcommand is only known to the shell" }
  const lasting = Object.hasOwn(LASTING, subcommand) ? LASTING[subcommand] : undefined
  if (lasting) return { ...lasting, reason: `git ${subcommand} ${lasting.reason}` }
  const judge = Object.hasOwn(LOCAL, subcommand) ? LOCAL[subcommand] : undefined
  if (!judge) return { reason: `git ${subcommand} is an alias or rarely used` }
  // A value that only the shell knows may be an option; a message may be anything.
  const values = args.flatMap((word, at) => {
    if (/^(?:-[a-z]*m|--message)$/.test(args[at - 1]?.value ?? '')) return []
    return [word.value ?? (word.prefix === '' ? '*' : word.prefix)]
  })
  const answer = judge({ args, values, files })
  if (answer === undefined) return undefined
  const ask = typeof answer === 'string' ? { reason: answer } : answer
  return { ...ask, reason: `git ${subcommand} ${ask.reason}` }
}
