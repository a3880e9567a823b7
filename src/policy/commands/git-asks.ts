import { basename, dirname, resolve } from 'node:path'
import { placeOf, type FileContext } from './files.ts'
import { refuses } from './option.ts'
import { quietGitOptions, splitGit } from './read-only-git.ts'
import type { Word } from './segment.ts'

/** Subcommands that change this repository in the ways people expect, with the options that run programs or destroy work. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  add: ['-e', '--edit', '-p', '--patch', '-i', '--interactive'],
  am: [],
  apply: ['--unsafe-paths', '--directory'],
  branch: ['-D', '--force', '-f', '-M', '-C'],
  checkout: ['-f', '--force', '--', '-p', '--patch', '.'],
  'cherry-pick': ['-e', '--edit', '-s', '--strategy'],
  clone: [
    '-c',
    '--config',
    '-u',
    '--upload-pack',
    '--template',
    '--separate-git-dir',
    '--recurse-submodules',
    '--recursive',
    '--shared',
    '--reference',
  ],
  commit: ['-e', '--edit', '-p', '--patch', '--interactive', '-t', '--template'],
  fetch: ['--upload-pack', '--force', '-f', '--recurse-submodules', '-o'],
  init: ['--template', '--separate-git-dir'],
  log: ['--output', '--ext-diff'],
  diff: ['--output', '--ext-diff'],
  show: ['--output', '--ext-diff'],
  merge: ['-s', '--strategy', '--edit', '-e'],
  'merge-tree': [],
  mv: ['-f', '--force'],
  'ls-remote': ['--upload-pack', '--exec', '-o'],
  pull: ['--upload-pack', '--force', '-f', '-s', '--strategy', '--recurse-submodules'],
  push: [
    '--receive-pack',
    '--exec',
    '--delete',
    '-d',
    '--mirror',
    '--prune',
    '-f',
    '--force',
    '--force-with-lease',
    '--recurse-submodules',
    '-o',
    '--push-option',
  ],
  rebase: ['-x', '--exec', '-i', '--interactive', '-s', '--strategy', '--edit-todo'],
  reset: ['--hard', '--merge', '--keep'],
  restore: ['-p', '--patch', '--overlay'],
  revert: ['-e', '--edit'],
  stash: ['-p', '--patch'],
  status: [],
  switch: ['-f', '--force', '--discard-changes', '-C', '--force-create'],
  tag: ['-d', '--delete', '-f', '--force', '-e', '--edit'],
  grep: ['-O', '--open-files-in-pager'],
  blame: [],
  shortlog: ['--output'],
  describe: [],
  'ls-files': [],
  'ls-tree': [],
  'rev-parse': [],
  'rev-list': [],
  'cat-file': ['--textconv', '--filters'],
  'hash-object': [],
  'merge-base': [],
  'for-each-ref': [],
  'show-ref': [],
  version: [],
}

/** Hooks that a subcommand runs (githooks(5)); those of the server side are not here. */
const HOOKS: Readonly<Record<string, readonly string[]>> = {
  am: ['applypatch-msg', 'pre-applypatch', 'post-applypatch'],
  checkout: ['post-checkout'],
  'cherry-pick': ['prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite'],
  clone: ['post-checkout'],
  commit: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite'],
  merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge'],
  pull: [
    'pre-merge-commit',
    'prepare-commit-msg',
    'commit-msg',
    'post-merge',
    'pre-rebase',
    'post-rewrite',
    'post-checkout',
  ],
  push: ['pre-push'],
  rebase: [
    'pre-rebase',
    'post-rewrite',
    'post-checkout',
    'pre-commit',
    'commit-msg',
    'prepare-commit-msg',
    'post-commit',
  ],
  revert: ['prepare-commit-msg', 'commit-msg', 'post-commit'],
  switch: ['post-checkout'],
}
/** Run by whatever touches references or the index. */
const EVERYWHERE = new Set(['reference-transaction', 'post-index-change', 'fsmonitor-watchman'])

/** A transport that runs a program: `ext::sh -c …`, `fd::`, or any `name::` helper (gitremote-helpers(7)). */
const HELPER = /^[A-Za-z0-9-]+::/
/** ssh takes a host that starts with a dash for an option; git refuses most of these, not all of its versions. */
const DASH_HOST = /@-|:\/\/-/

/** Subcommands that contact a server. */
const TALKS = new Set(['clone', 'fetch', 'ls-remote', 'pull', 'push'])

/** `https://host/x`, `user@host:x`, `host:x` and not a refspec such as `main:main`. */
function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word) || /^(?:[\w.-]+@[\w.-]+|[\w-]+(?:\.[\w-]+)+):/.test(word)
}

function isFile(word: string, { facts, folder }: FileContext): boolean {
  if (word.startsWith('-') || folder === undefined) return false
  const path = resolve(folder, word)
  return facts.listFolder(dirname(path)).includes(basename(path))
}

/** A file or folder elsewhere: as a word, after `=`, or joined to a short option. */
function leadsOut(word: string, context: FileContext): boolean {
  const path = /^-[A-Za-z][~/.]/.test(word)
    ? word.slice(2)
    : word.startsWith('-')
      ? word.slice(word.indexOf('=') + 1)
      : word
  if (!/^[~/]|^\.\.(?:\/|$)/.test(path)) return false
  const place = placeOf(path, context)
  return place === 'outside' || place === 'system'
}

/** Words that git takes as a message: what only the shell knows is harmless there. */
const MESSAGE = /^(?:-[a-z]*m|--message)$/

/** Why a call of git is asked about although git is on the allowlist; undefined when it just runs. */
export function gitAsks(words: readonly Word[], context: FileContext): string | undefined {
  const { subcommand, options, args } = splitGit(words)
  if (options.some((word) => word.value === undefined)) return 'git has an option that is only known to the shell'
  if (!quietGitOptions(options) && !(subcommand === undefined && options.length === 1)) {
    return `git ${options[0]!.text} changes what git runs`
  }
  if (subcommand === undefined)
    return options.length > 0 || words.length === 0 ? undefined : "git's subcommand is only known to the shell"
  const refused = Object.hasOwn(USUAL, subcommand) ? USUAL[subcommand] : undefined
  if (!refused) return `git ${subcommand} is an alias or rarely used`
  const active = context.facts.gitHooks().filter((hook) => HOOKS[subcommand]?.includes(hook) || EVERYWHERE.has(hook))
  if (active.length > 0 && HOOKS[subcommand]) return `git ${subcommand} runs the hook ${active.join(', ')}`
  const outer = options.find((word) => leadsOut(word.value ?? '', context))
  if (outer) return `${outer.text} lies outside of the workspace`
  for (const [at, word] of args.entries()) {
    if (MESSAGE.test(args[at - 1]?.value ?? '')) continue
    if (word.value === undefined && !/^(?:--message=|-m.)/.test(word.prefix))
      return `an argument of git ${subcommand} is only known to the shell`
    const value = word.value ?? word.prefix
    if (HELPER.test(value) || DASH_HOST.test(value))
      return `git ${subcommand} with a transport that runs a program (${value})`
    if (refused.includes(value) || (!value.startsWith('-m') && value.startsWith('-') && refuses(refused, word))) {
      return `git ${subcommand} ${value} runs a program or discards work`
    }
    if (TALKS.has(subcommand) && isAddress(value))
      return `git ${subcommand} talks to ${value}, which is no remote of this repository`
    if (subcommand === 'checkout' && isFile(value, context)) return `git checkout ${value} discards work`
    if (leadsOut(value, context)) return `${value} lies outside of the workspace`
    if (subcommand === 'push' && /^[:+]/.test(value)) return `git push ${value} deletes or overwrites a branch`
  }
  if (subcommand === 'stash' && /^(?:drop|clear)$/.test(args[0]?.value ?? ''))
    return `git stash ${args[0]!.value} discards work`
  return undefined
}
