// Git for the tools, the index and the journal, over the git binary. Promises: reads change nothing and run nothing of the
// repository; paths are relative to the workspace root whatever folder of the work tree that is; without git, or outside
// a work tree, every call is a `NO_GIT` fault. Secret files never show in a diff.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fault, type Fault } from '../fault.ts'
import { type IndexEntry, parseIndexListing } from './index-entries.ts'
import { markRefs, type RefFiles, type RefMark, refStepsSince } from './ref-log.ts'
import { REVISION } from './revision.ts'
import { type GitRun, runGit } from './run-git.ts'
import { type GitStatus, parseStatus } from './status.ts'

export interface GitCommit {
  id: string
  author: string
  /** Milliseconds since 1970. */
  time: number
  subject: string
}

export interface DiffRequest {
  /** A file or folder; default everything below the root. */
  path?: string
  /** What is staged instead of what is not. */
  staged?: boolean
  /** Compares the work tree with this revision. */
  against?: string
}

export interface CommitRequest {
  message: string
  /** Files to commit as they are now; absent: what is staged. */
  files?: string[]
  /** Runs the repository's hooks, filters and signing: only in a trusted folder. */
  trusted: boolean
}

export interface Git {
  status(options?: { signal?: AbortSignal }): Promise<GitStatus | Fault>
  diff(request?: DiffRequest): Promise<{ ok: true; text: string; hidden: string[] } | Fault>
  commit(request: CommitRequest): Promise<{ ok: true; id: string; files: string[] } | Fault>
  /** Newest first. */
  log(options?: { limit?: number; path?: string; since?: string }): Promise<{ ok: true; commits: GitCommit[] } | Fault>
  /** The branch, or null when HEAD is detached. */
  branch(): Promise<{ ok: true; branch: string | null } | Fault>
  /** The commit id of HEAD, or null before the first commit. */
  head(): Promise<{ ok: true; id: string | null } | Fault>
  /** How many of the commits of the last `days` touched each file; at most `limit` commits are looked at (1,000). */
  churn(days: number, limit?: number): Promise<{ ok: true; commits: Map<string, number> } | Fault>
  /** Tracked and untracked paths that are not ignored. */
  listed(): Promise<{ ok: true; paths: string[] } | Fault>
  /** The same with what the index knows of each file, read without looking at any content. */
  workTree(): Promise<WorkTree | Fault>
  /** Where the repository stands, for `stepsSince`, once `workTree` was asked; null without git. */
  mark(): Promise<RefMark | null>
  /** What was done to the repository since: commits, switches, resets, in words; of a new repository, everything. */
  stepsSince(mark: RefMark | null): Promise<string[]>
  /** The contents of blobs by their ids; those that are not there are left out. */
  blobs(ids: readonly string[]): Promise<{ ok: true; contents: Map<string, Buffer> } | Fault>
}

export interface WorkTree {
  ok: true
  /** By path; null for what is untracked or no regular file. */
  files: Map<string, IndexEntry | null>
  /** When the index was written, milliseconds since 1970: a file changed no earlier may differ unseen ("racy git"). */
  indexMs: number
}

export interface GitOptions {
  root: string
  /** The pattern that makes a path secret, or null. */
  secretRule: (path: string) => string | null
}

const CHURN_COMMITS = 1000
const LOG_COMMITS = 20
// git refuses longer argument lists than the system; 500 paths stay far below.
const PATHS_PER_CALL = 500
// Contents of one batch together; a journal keeps 512 MiB in all.
const BATCH_BYTES = 512 * 1024 * 1024

export function openGit({ root, secretRule }: GitOptions): Git {
  let prefixOf: Promise<string | Fault> | undefined
  let placesOf: Promise<(RefFiles & { index: string }) | null> | undefined

  async function git(
    args: string[],
    run: Omit<GitRun, 'cwd'> = {},
  ): Promise<{ ok: true; bytes: Buffer; text: string } | Fault> {
    const done = await runGit(args, { cwd: root, ...run })
    return done.ok ? { ok: true, bytes: done.stdout, text: done.stdout.toString('utf8') } : done
  }

  /** The root as a folder of the work tree: '' or 'sub/'. */
  async function prefix(): Promise<string | Fault> {
    prefixOf ??= git(['rev-parse', '--show-prefix']).then((shown) => (shown.ok ? shown.text.replace(/\n$/, '') : shown))
    const known = await prefixOf
    if (typeof known !== 'string') prefixOf = undefined
    return known
  }

  async function status(options: { signal?: AbortSignal } = {}): Promise<GitStatus | Fault> {
    const args = [
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=dirty',
      '--',
      '.',
    ]
    const [base, shown] = await Promise.all([prefix(), git(args, options)])
    if (typeof base !== 'string') return base
    if (!shown.ok) return shown
    const parsed = parseStatus(shown.text)
    // git names paths from the top of the work tree here.
    const below = (path: string): string => (path.startsWith(base) ? path.slice(base.length) : path)
    const entries = parsed.entries.map((each) => ({
      ...each,
      path: below(each.path),
      ...(each.from === undefined ? {} : { from: below(each.from) }),
    }))
    return { ...parsed, entries }
  }

  async function diff(request: DiffRequest = {}): Promise<{ ok: true; text: string; hidden: string[] } | Fault> {
    if (request.against !== undefined && !REVISION.test(request.against)) {
      return fault('GIT_FAILED', `${request.against} is not a revision.`)
    }
    const base = ['diff', '--no-ext-diff', '--no-textconv', '--relative', '--ignore-submodules=dirty', '--no-color']
    const which = [
      ...(request.staged === true ? ['--cached'] : []),
      ...(request.against === undefined ? [] : [request.against]),
    ]
    const named = await git([...base, ...which, '--name-only', '-z', '--no-renames', '--', request.path ?? '.'])
    if (!named.ok) return named
    const changed = named.text.split('\0').filter(Boolean)
    const hidden = changed.filter((path) => secretRule(path) !== null)
    if (hidden.length === 0) {
      const shown = await git([...base, ...which, '--', request.path ?? '.'])
      return shown.ok ? { ok: true, text: shown.text, hidden } : shown
    }
    const open = changed.filter((path) => !hidden.includes(path))
    let text = ''
    for (let at = 0; at < open.length; at += PATHS_PER_CALL) {
      const shown = await git([...base, ...which, '--no-renames', '--', ...open.slice(at, at + PATHS_PER_CALL)])
      if (!shown.ok) return shown
      text += shown.text
    }
    return { ok: true, text, hidden }
  }

  async function commit({
    message,
    files,
    trusted,
  }: CommitRequest): Promise<{ ok: true; id: string; files: string[] } | Fault> {
    if (message.trim() === '') return fault('GIT_FAILED', 'The commit message is empty.')
    if (files?.length === 0) return fault('GIT_FAILED', 'files is empty. Leave it out to commit what is staged.')
    const paths = files === undefined ? [] : ['--', ...files]
    if (files !== undefined) {
      const added = await git(['add', '--all', ...paths], { trusted })
      if (!added.ok) return added
    }
    const careful = trusted ? [] : ['--no-verify', '--no-gpg-sign']
    const args = ['commit', '--quiet', ...careful, ...(files === undefined ? [] : ['--only']), '-F', '-', ...paths]
    const made = await git(args, { trusted, input: message, timeoutMs: 120_000 })
    if (!made.ok) return nothingToCommit(made, files)
    const [id, names] = await Promise.all([
      git(['rev-parse', 'HEAD']),
      git(['show', '--format=', '--name-only', '-z', '--no-renames', '--relative', 'HEAD']),
    ])
    if (!id.ok) return id
    return { ok: true, id: id.text.trim(), files: names.ok ? names.text.split('\0').filter(Boolean) : [] }
  }

  async function log(
    options: { limit?: number; path?: string; since?: string } = {},
  ): Promise<{ ok: true; commits: GitCommit[] } | Fault> {
    const limit = ['-n', String(options.limit ?? LOG_COMMITS)]
    const since = options.since === undefined ? [] : [`--since=${options.since}`]
    const shown = await git([
      'log',
      ...limit,
      ...since,
      '-z',
      '--format=%H%x1f%an%x1f%ct%x1f%s',
      '--',
      options.path ?? '.',
    ])
    if (!shown.ok) return /does not have any commits/.test(shown.message) ? { ok: true, commits: [] } : shown
    const commits = shown.text
      .split('\0')
      .filter(Boolean)
      .map((each) => {
        const [id = '', author = '', time = '', subject = ''] = each.split('\u001f')
        return { id, author, time: Number(time) * 1000, subject }
      })
    return { ok: true, commits }
  }

  async function branch(): Promise<{ ok: true; branch: string | null } | Fault> {
    const shown = await git(['symbolic-ref', '--quiet', '--short', 'HEAD'])
    if (shown.ok) return { ok: true, branch: shown.text.trim() }
    return shown.code === 'GIT_FAILED' ? { ok: true, branch: null } : shown
  }

  async function head(): Promise<{ ok: true; id: string | null } | Fault> {
    const shown = await git(['rev-parse', '--verify', '--quiet', 'HEAD'])
    if (shown.ok) return { ok: true, id: shown.text.trim() }
    return shown.code === 'GIT_FAILED' ? { ok: true, id: null } : shown
  }

  async function churn(
    days: number,
    limit = CHURN_COMMITS,
  ): Promise<{ ok: true; commits: Map<string, number> } | Fault> {
    const args = [
      'log',
      '-n',
      String(limit),
      `--since=${days}.days`,
      '--name-only',
      '-z',
      '--format=',
      '--no-renames',
      '--no-merges',
    ]
    const shown = await git([...args, '--relative', '--', '.'])
    if (!shown.ok) return /does not have any commits/.test(shown.message) ? { ok: true, commits: new Map() } : shown
    const commits = new Map<string, number>()
    for (const path of shown.text.split(/[\0\n]/).filter(Boolean)) commits.set(path, (commits.get(path) ?? 0) + 1)
    return { ok: true, commits }
  }

  /** Files of the repository that are looked at without git; asked for again until there is one. */
  async function places(): Promise<(RefFiles & { index: string }) | null> {
    const names = ['index', 'HEAD', 'logs/HEAD', 'logs/refs/stash']
    placesOf ??= git(['rev-parse', ...names.flatMap((name) => ['--git-path', name])]).then((shown) => {
      if (!shown.ok) return null
      const [index = '', head = '', headLog = '', stashLog = ''] = shown.text.split('\n').map((at) => resolve(root, at))
      return { index, head, headLog, stashLog }
    })
    const known = await placesOf
    if (known === null) placesOf = undefined
    return known
  }

  async function mark(): Promise<RefMark | null> {
    // The last look at the work tree asked where they are.
    const files = await placesOf
    return files ? markRefs(files) : null
  }

  async function stepsSince(from: RefMark | null): Promise<string[]> {
    const files = await placesOf
    return !files ? [] : refStepsSince(from ?? { head: '', headLog: 0, stashLog: 0 }, files)
  }

  async function workTree(): Promise<WorkTree | Fault> {
    const files = await places()
    if (files === null) return fault('NO_GIT', 'The workspace is not in a git repository.')
    return await listTree(files.index)
  }

  async function listTree(index: string): Promise<WorkTree | Fault> {
    // Before the listing: an index written in between is younger than we say, which errs on the safe side.
    const indexMs = statSync(index, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const shown = await git([
      'ls-files',
      '-z',
      '-t',
      '--stage',
      '--debug',
      '--cached',
      '--others',
      '--exclude-standard',
    ])
    if (!shown.ok) return shown
    const files = parseIndexListing(shown.text)
    if (files === undefined) return fault('GIT_FAILED', 'git ls-files printed something unknown.')
    return { ok: true, files, indexMs }
  }

  async function listed(): Promise<{ ok: true; paths: string[] } | Fault> {
    const shown = await git(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'])
    return shown.ok ? { ok: true, paths: shown.text.split('\0').filter(Boolean) } : shown
  }

  async function blobs(ids: readonly string[]): Promise<{ ok: true; contents: Map<string, Buffer> } | Fault> {
    const contents = new Map<string, Buffer>()
    const wanted = [...new Set(ids)]
    for (let at = 0; at < wanted.length; at += PATHS_PER_CALL) {
      const input = `${wanted.slice(at, at + PATHS_PER_CALL).join('\n')}\n`
      const shown = await git(['cat-file', '--batch'], { input, maxBytes: BATCH_BYTES })
      if (!shown.ok) return shown
      readBatch(shown.bytes, contents)
    }
    return { ok: true, contents }
  }

  return { status, diff, commit, log, branch, head, churn, listed, workTree, mark, stepsSince, blobs }
}

/** Reads `git cat-file --batch`: "<id> blob <size>", a line end, the bytes, a line end; "<id> missing" for what is not there. */
function readBatch(output: Buffer, contents: Map<string, Buffer>): void {
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at)
    const [id = '', kind, size] = output.toString('utf8', at, end).split(' ')
    at = end + 1
    if (kind === 'missing') continue
    const length = Number(size)
    if (kind === 'blob') contents.set(id, output.subarray(at, at + length))
    at += length + 1
  }
}

function nothingToCommit(failed: Fault, files: string[] | undefined): Fault {
  if (failed.code !== 'GIT_FAILED' || !/exit code 1/.test(failed.message)) return failed
  const what =
    files === undefined
      ? 'Nothing is staged; name the files to commit.'
      : 'These files have no changes, or a hook refused.'
  return fault('GIT_FAILED', `${failed.message} ${what}`)
}
