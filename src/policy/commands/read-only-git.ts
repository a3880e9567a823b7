import { refuses } from './option.ts'
import type { Word } from './segment.ts'

/** Options before the subcommand that change nothing but the output or the folder. */
const QUIET_OPTIONS = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--no-replace-objects',
  '--literal-pathspecs',
  '--icase-pathspecs',
])

const DIFF = ['--output', '--ext-diff', '-O']

type Check = (args: readonly Word[]) => boolean

const plain =
  (...refuse: string[]): Check =>
  (args) =>
    args.every((word) => !refuses(['--help', ...refuse], word))
const flagsOnly =
  (allowed: RegExp): Check =>
  (args) =>
    args.every((word) => allowed.test(word.value ?? '?'))
const listing =
  (flags: RegExp, listed: RegExp): Check =>
  (args) =>
    flagsOnly(flags)(args) ||
    (args.some((word) => listed.test(word.value ?? '?')) &&
      args.every((word) => word.value !== undefined && (!word.value.startsWith('-') || flags.test(word.value))))
const firstOf =
  (...words: string[]): Check =>
  (args) =>
    words.includes(args[0]?.value ?? '') && plain('--output', '--ext-diff')(args)

/** Lists settings, or asks for one; without a word that says so two words set one. */
function readsConfig(args: readonly Word[]): boolean {
  const values = args.map((word) => word.value ?? '?')
  const known = values.every(
    (value) =>
      !value.startsWith('-') ||
      /^(?:-l|-z|--(?:list|get|get-all|get-regexp|get-urlmatch|local|global|system|worktree|show-origin|show-scope|name-only|null|includes|no-includes|bool|int|path|type=\w+|default=.*))$/.test(
        value,
      ),
  )
  const operands = values.filter((value) => !value.startsWith('-'))
  if (!known || values.includes('?')) return false
  if (values.some((value) => /^(?:-l|--list)$/.test(value))) return operands.length === 0
  if (values.some((value) => value.startsWith('--get'))) return operands.length >= 1 && operands.length <= 2
  if (/^(?:list|get)$/.test(operands[0] ?? '')) return operands.length <= 2
  return operands.length === 1 && !/^(?:edit|set|unset|rename-section|remove-section)$/.test(operands[0]!)
}

/** Subcommands that only look (git 2.51); those that list or change by their arguments are checked by these. */
const SUBCOMMANDS: Readonly<Record<string, Check>> = {
  status: plain(),
  diff: plain(...DIFF),
  log: plain(...DIFF),
  show: plain(...DIFF),
  whatchanged: plain(...DIFF),
  'diff-tree': plain(...DIFF),
  'diff-index': plain(...DIFF),
  'diff-files': plain(...DIFF),
  'range-diff': plain(...DIFF),
  shortlog: plain('--output'),
  blame: plain('--contents'),
  annotate: plain('--contents'),
  grep: plain('-O', '--open-files-in-pager', '--ext-grep'),
  'ls-files': plain(),
  'ls-tree': plain(),
  'rev-parse': plain('--parseopt'),
  'rev-list': plain('--output'),
  describe: plain(),
  'name-rev': plain(),
  'merge-base': plain(),
  'for-each-ref': plain('--shell', '--perl', '--python', '--tcl'),
  'show-ref': plain('--exclude-existing'),
  'show-branch': plain(),
  'cat-file': plain('--textconv', '--filters'),
  'count-objects': plain(),
  'check-ignore': plain(),
  'check-attr': plain(),
  cherry: plain(),
  version: plain(),
  branch: listing(
    /^(?:-[arvil]+|--all|--remotes|--list|--verbose|--show-current|--no-color|--color(?:=\w+)?|--sort=.+|--format=.+|--column|--no-column|--contains|--no-contains|--merged|--no-merged|--points-at|--ignore-case)$/,
    /^(?:-[arvi]*l[arvi]*|--list|--contains|--no-contains|--merged|--no-merged|--points-at)$/,
  ),
  tag: listing(
    /^(?:-l|--list|-n\d*|--sort=.+|--format=.+|--column|--contains|--no-contains|--merged|--no-merged|--points-at)$/,
    /^(?:-l|--list|-n\d*|--contains|--no-contains|--merged|--no-merged|--points-at)$/,
  ),
  remote: (args) => flagsOnly(/^(?:-v|--verbose)$/)(args) || args[0]?.value === 'get-url',
  stash: (args) => firstOf('list', 'show')(args),
  worktree: (args) => args[0]?.value === 'list',
  submodule: (args) => args.length === 0 || args[0]?.value === 'status',
  reflog: (args) =>
    !/^(?:expire|delete|drop|write|exists)$/.test(args[0]?.value ?? 'expire') && plain(...DIFF)(args)
      ? true
      : args.length === 0,
  config: readsConfig,
  fsck: plain('--lost-found'),
  notes: (args) => firstOf('list', 'show')(args),
  clean: (args) =>
    args.some((word) => /^(?:-[dxXq]*n[ndxXq]*|--dry-run)$/.test(word.value ?? '')) &&
    flagsOnly(/^(?:-[ndxXq]+|--dry-run)$/)(args),
  bisect: (args) => args.length === 1 && args[0]?.value === 'log',
}

export interface GitCall {
  subcommand: string | undefined
  /** Words before the subcommand. */
  options: readonly Word[]
  args: readonly Word[]
}

/** Splits a call of git at its subcommand; words that only the shell will know before it make the subcommand unknown. */
export function splitGit(words: readonly Word[]): GitCall {
  let at = 0
  while (at < words.length) {
    const { value } = words[at]!
    if (value === undefined || !value.startsWith('-')) break
    at +=
      /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--exec-path|--attr-source)$/.test(
        value,
      ) && value !== '--exec-path'
        ? 2
        : 1
  }
  return { subcommand: words[at]?.value, options: words.slice(0, at), args: words.slice(at + 1) }
}

/** True when every option before the subcommand only changes the output or, known beforehand, the folder. */
export function quietGitOptions(options: readonly Word[]): boolean {
  return options.every((word, at) => {
    if (at > 0 && options[at - 1]?.value === '-C') return word.value !== undefined
    return word.value === '-C' || QUIET_OPTIONS.has(word.value ?? '')
  })
}

export function readOnlyGit(words: readonly Word[]): boolean {
  const { subcommand, options, args } = splitGit(words)
  if (subcommand === undefined) return words.length === 1 && words[0]?.value === '--version'
  if (!quietGitOptions(options)) return false
  const check = Object.hasOwn(SUBCOMMANDS, subcommand) ? SUBCOMMANDS[subcommand] : undefined
  return check !== undefined && check(args)
}

/** Keys whose values are no credentials and name no server that could hold one. */
const PLAIN_KEY =
  /^(?:user\.(?:name|email)|core\.\w+|init\.\w+|branch\.[^=]*|remote\.[^=]*\.(?:fetch|url|pushurl)|pull\.\w+|push\.\w+|merge\.\w+|diff\.\w+|color\.[\w.]+)$/i

/** Whether `git config` lists the user's own settings as well, or asks for one that may be a key. */
export function showsUserConfig(args: readonly Word[]): boolean {
  const at = args.findIndex((word) => !(word.value ?? '').startsWith('-'))
  if (args[at]?.value !== 'config') return false
  const keys = args.slice(at + 1).flatMap(({ value }) => (value === undefined || value.startsWith('-') ? [] : [value]))
  const wanted = keys.filter((key) => !/^(?:list|get)$/.test(key))
  return wanted.length === 0 || !wanted.every((key) => PLAIN_KEY.test(key))
}
