// What git would run for a configuration. Git reads its own files here: reading a configuration starts nothing.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { gitEnvironment } from '../git/git-environment.ts'

/** Keys that a repository may have without naming a program, another file or another folder. */
const HARMLESS =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|sparsecheckout|sparsecheckoutcone|sharedrepository|worktree)|extensions\..*|remote\..*\.(?:url|pushurl|fetch|push|tagopt|prune|mirror|partialclonefilter|promisor)|branch\..*\.(?:remote|merge|rebase|pushremote|description)|submodule\..*\.(?:url|active|branch|ignore)|submodule\.active|init\.defaultbranch|user\.(?:name|email)|gc\..*|pull\.(?:rebase|ff)|push\.default|fetch\.(?:prune|parallel)|merge\.(?:conflictstyle|ff)|feature\..*|index\..*|pack\..*)$/i

/** Keys whose value is a command line. */
const PROGRAM_KEYS =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)|pager\..*|sequence\.editor|gpg\.(?:.*\.)?program|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|(?:merge|diff)tool\..*\.(?:cmd|path)|credential\.(?:.*\.)?helper|alias\..*|interactive\.difffilter|uploadpack\.packobjectshook|sendemail\..*)$/i

type Entry = { key: string; value: string; origin: string }

function read(args: readonly string[], cwd: string, input?: Buffer): string[] | undefined {
  try {
    const text = execFileSync('git', ['config', ...args, '-z'], {
      cwd,
      env: gitEnvironment(),
      encoding: 'utf8',
      ...(input === undefined ? { stdio: ['ignore', 'pipe', 'ignore'] } : { input }),
      timeout: 5_000,
    })
    return text.split('\0')
  } catch {
    return undefined
  }
}

/** True when a configuration file names nothing that git would run or read elsewhere. False when git cannot read it. */
export function isHarmlessConfig(file: string): boolean {
  const listed = read(['--file', file, '--no-includes', '--name-only', '--list'], dirname(file))
  if (listed === undefined) return false
  return listed.every((key) => key === '' || HARMLESS.test(key))
}

/** Keys of a repository that ordinary work of git adds to and takes from: branches, new remotes, submodules. */
const ORDINARY = /^(?:branch\..*|remote\..*|submodule\..*)$/i

/**
 * True when one content of a configuration file differs from another only in what ordinary work of git writes. A remote that
 * was there keeps its address: it is where a push sends everything.
 */
export function isOrdinaryChange(before: Buffer, after: Buffer): boolean {
  const [old, now] = [before, after].map((content) => read(['--file', '-', '--no-includes', '--list'], '/', content))
  if (old === undefined || now === undefined) return false
  const remotes = new Set(old.flatMap((entry) => /^(remote\..*\.)(?:url|pushurl)\n/is.exec(entry)?.[1] ?? []))
  const isFree = (entry: string): boolean => {
    const key = entry.split('\n')[0]!
    const remote = /^(remote\..*\.)[^.]*$/i.exec(key)?.[1]
    return HARMLESS.test(key) && ORDINARY.test(key) && (remote === undefined || !remotes.has(remote))
  }
  const rest = (entries: readonly string[]): string => entries.filter((entry) => !isFree(entry)).join('\0')
  return rest(old) === rest(now)
}

/** The configuration in force in a folder, with the file each value stands in. */
function entriesIn(folder: string): Entry[] {
  const fields = read(['--list', '--show-origin', '--includes'], folder) ?? []
  const entries: Entry[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', ...value] = fields[at + 1]!.split('\n')
    // Paths of files are relative to where git was started.
    const origin = fields[at]!.startsWith('file:') ? resolve(folder, fields[at]!.slice('file:'.length)) : ''
    entries.push({ key, value: value.join('\n'), origin })
  }
  return entries
}

/** Files and folders that git's configuration in `root` would run or read: hooks, included files, programs by path. */
export function createGitTargets(root: string): () => readonly string[] {
  let known: { stamp: string; origins: string[]; targets: string[] } | undefined
  return () => {
    if (!existsSync(join(root, '.git'))) return []
    if (known && stampOf(known.origins) === known.stamp) return known.targets
    const entries = entriesIn(root)
    const origins = [join(root, '.git'), join(root, '.git', 'config'), ...entries.map(({ origin }) => origin)]
    const unique = [...new Set(origins.filter((origin) => origin !== ''))]
    const targets = entries.flatMap((entry) => targetsOf(entry, root))
    known = { stamp: stampOf(unique), origins: unique, targets: [...new Set([...targets, ...unique.slice(2)])] }
    return known.targets
  }
}

function targetsOf({ key, value, origin }: Entry, root: string): string[] {
  if (/^core\.hookspath$/i.test(key)) return [resolve(root, value)]
  if (/^core\.attributesfile$/i.test(key)) return [resolve(root, value)]
  if (/^include(?:if\..*)?\.path$/i.test(key)) return isAbsolute(value) ? [value] : [resolve(dirname(origin), value)]
  if (!PROGRAM_KEYS.test(key)) return []
  // A word with a slash may be a script of the workspace.
  return value
    .split(/[\s'"=;&|]+/)
    .filter((word) => word.includes('/'))
    .map((word) => resolve(root, word))
    .filter((path) => existsSync(path))
}

function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
      return stats?.isFile() ? `${stats.ino}.${stats.ctimeNs}.${stats.size}` : `${stats?.ino ?? '-'}`
    })
    .join(' ')
}
