// Promises: every file of the user that codehound reads or writes goes through one path guard, is written whole
// or not at all, and is recorded before it is written when a journal is given. Expected failures come back as
// faults (`ok: false`). Does not ask anyone: whether a change is wanted is the policy's and the user's matter.

import { realpathSync } from 'node:fs'
import { applyWrites, type PreparedWrite } from './files/apply-changes.ts'
import type { FileState } from './files/file-state.ts'
import { createFileReader, type ReadOptions, type TextFile, type FileBytes } from './files/read-file.ts'
import { listFolder, type Listing, type ListOptions } from './files/list-folder.ts'
import { encodeText } from './files/text-format.ts'
import { fault, type Fault } from './fault.ts'
import { type Git, openGit } from './git/git.ts'
import { factsOf, type FsFacts } from './paths/facts.ts'
import { createPathGuard, type Intent, type ResolvedPath } from './paths/guard.ts'
import { createInsideOpener } from './paths/open-inside.ts'
import { homedir } from 'node:os'
import { type BlobStore } from './journal/blob-store.ts'
import type { JournalStore } from './journal/journal-store.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { createSecretFileRule } from './secrets/secret-files.ts'

/** One file's new content. */
export interface Change {
  path: string
  /** The whole new text, line ends as they are to be written, without a byte order mark; null deletes the file. */
  after: string | null
  /** sha256 the file must still have; null: it must not exist; absent: whatever is there is replaced. */
  expected?: string | null
  /** Default: kept from the existing file, else none. */
  bom?: boolean
  /** Permission bits; default: kept from the existing file, else 0o666 less the umask. */
  mode?: number
}

/** Who made a change; stored in the journal. */
export interface ChangeOrigin {
  sessionId?: string
  runId?: string
  callId?: string
  tool?: string
  /** One line for the user, as shown by `/changes`. */
  description?: string
}

export interface AppliedFile {
  path: string
  /** sha256 before and after; null where the file did not exist. */
  before: string | null
  after: string | null
}

export interface Applied {
  ok: true
  files: AppliedFile[]
}

export interface WorkspaceOptions {
  root: string
  /** `permissions.additionalRoots`; those that do not exist are left out. */
  additionalRoots?: string[]
  /** Globs of further secret files, `!` takes some out; see `createSecretFileRule`. */
  secretFiles?: readonly string[]
  /** Where changes are recorded; without it nothing can be undone. */
  journal?: { store: JournalStore; blobs: BlobStore }
  /** Waits until the disk has what was written; default true. */
  durable?: boolean
  /** Default: the user's home folder. */
  home?: string
  /** Tests play other file systems. */
  facts?: FsFacts
}

export interface Workspace {
  /** Real path. */
  root: string
  additionalRoots: string[]
  git: Git
  /** Undefined when no journal was given. */
  journal: Journal | undefined
  /** False where a swapped folder could be missed for microseconds; the status says so. */
  raceSafe: boolean
  /** Raised by every change made here; others call `noteChange` for changes they saw (commands, watcher). */
  generation(): number
  noteChange(paths: string[]): void
  /** Called after every change with the paths it touched; returns the way to stop. */
  onChange(listener: (paths: string[]) => void): () => void
  /** The pattern that makes a path secret, so that it is neither read nor sent; null for any other. */
  secretRule(path: string): string | null
  resolve(path: string, intent: Intent): ResolvedPath | Fault
  readText(path: string, options?: ReadOptions): Promise<TextFile | Fault>
  readBytes(path: string, options?: ReadOptions): Promise<FileBytes | Fault>
  list(path: string, options?: ListOptions): Promise<Listing | Fault>
  /** Makes all changes or none. */
  apply(changes: Change[], origin?: ChangeOrigin): Promise<Applied | Fault>
  remove(path: string, origin?: ChangeOrigin): Promise<Applied | Fault>
}

const BOM_BYTES = Buffer.from([0xef, 0xbb, 0xbf])

/** Opens a folder that exists as a workspace; throws when it does not. See `findWorkspaceRoot` for which folder. */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  const root = realpathSync.native(options.root)
  const facts = options.facts ?? factsOf(root)
  const additionalRoots = (options.additionalRoots ?? [])
    .map((each) => facts.realpath(each))
    .filter((each) => each !== null)
  const guard = createPathGuard({ root, additionalRoots, facts })
  const opener = createInsideOpener(guard, facts)
  const secretRule = createSecretFileRule(options.secretFiles)
  const listeners = new Set<(paths: string[]) => void>()
  let generation = 0

  const reader = createFileReader({ guard, facts, opener, secretRule })

  function refuse(at: ResolvedPath): Fault | null {
    const rule = secretRule(at.real)
    if (rule === null) return null
    return fault(
      'SECRET_FILE',
      `${at.relative} is not changed: it matches the secret file pattern "${rule}". Only the user can allow it, in secrets.files.`,
    )
  }

  function noteChange(paths: string[]): void {
    if (paths.length === 0) return
    generation += 1
    for (const listener of listeners) listener(paths)
  }

  const git = openGit({ root, secretRule })
  const { durable = true, home = homedir() } = options
  const journal =
    options.journal === undefined
      ? undefined
      : openJournal({ root, guard, opener, git, secretRule, ...options.journal, now: Date.now, home, durable })

  async function apply(changes: Change[], origin: ChangeOrigin = {}): Promise<Applied | Fault> {
    const writes = changes.map((change) => ({ ...change, content: contentOf(change) }))
    const record = journal === undefined ? {} : { record: (all: PreparedWrite[]) => journal.record(all, origin) }
    const applied = applyWrites(writes, { guard, opener, refuse, durable, ...record })
    if (!applied.ok) return applied
    const files = applied.writes.map(({ at, before, after }) => ({
      path: at.relative,
      before: before?.hash ?? null,
      after: after?.hash ?? null,
    }))
    noteChange(files.map((each) => each.path))
    return { ok: true, files }
  }

  return {
    root,
    additionalRoots,
    git,
    journal,
    raceSafe: opener.raceSafe,
    generation: () => generation,
    noteChange,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    secretRule,
    resolve: (path, intent) => guard.resolve(path, intent),
    readText: async (path, read) => reader.readText(path, read),
    readBytes: async (path, read) => reader.readBytes(path, read),
    list: (path, list) => listFolder(guard, path, list),
    apply,
    remove: (path, origin) => apply([{ path, after: null }], origin),
  }
}

function contentOf({ after, bom }: Change): ((before: FileState | null) => Buffer) | null {
  if (after === null) return null
  return (before) => encodeText(after, bom ?? before?.bytes.subarray(0, 3).equals(BOM_BYTES) ?? false)
}
