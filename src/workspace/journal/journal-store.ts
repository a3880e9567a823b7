// The port of the journal: what it needs of a store. Implemented in memory (memory-journal-store.ts) and in
// src/store/sqlite/journal-store.ts. All calls are synchronous: an entry must be durable before the file is written.

/** What a file was or became. */
export interface JournalState {
  /** Name of the content in the blob store: sha256 of the bytes, or of the target for a link; empty for a folder. */
  hash: string
  /** Permission bits, below 0o040000 for a folder; 0o120000 for a symbolic link. */
  mode: number
  /** False when the content was too large to keep, or secret and there was no key: it cannot be put back. */
  kept: boolean
  /** Other paths that were names of the same file (hard links). */
  names?: string[]
  /** After a command: where this folder was before. */
  movedFrom?: string
}

export interface JournalFile {
  /** Relative to the root with `/`; absolute in an added root. No part of it is a link, but for the last. */
  path: string
  /** Null: there was, or is, nothing. */
  before: JournalState | null
  after: JournalState | null
}

/**
 * `pending`: stored, the files may be written or not (a crash leaves it so) · `done`: can be undone · `undone`: can be redone ·
 * `dropped`: neither, kept for the list (its write failed, or something else was changed after an undo).
 */
export type JournalEntryState = 'pending' | 'done' | 'undone' | 'dropped'

export interface NewJournalEntry {
  sessionId?: string
  runId?: string
  callId?: string
  tool?: string
  kind: 'edit' | 'command'
  /** One line for the user. */
  description: string
  state: JournalEntryState
  files: JournalFile[]
  /** Folders that an edit had to make, real paths: removed by an undo when they are empty. */
  made: string[]
  /** What changed and is not put back: paths, and what a command did to the repository, each after `GIT_STEP`. */
  notKept: string[]
  /** Hash of the look at the files before a command that is still running. */
  snapshot?: string
  /** Milliseconds since 1970. */
  time: number
}

/** Begins what `notKept` says of commits, switches and other moves of a repository. */
export const GIT_STEP = 'git: '

/** Paths that are not put back. */
export function lostPaths({ notKept }: Pick<NewJournalEntry, 'notKept'>): string[] {
  return notKept.filter((each) => !each.startsWith(GIT_STEP))
}

/** What a command did to the repository, and undo does not take back. */
export function gitSteps({ notKept }: Pick<NewJournalEntry, 'notKept'>): string[] {
  return notKept.filter((each) => each.startsWith(GIT_STEP)).map((each) => each.slice(GIT_STEP.length))
}

/** The changed paths as people read them: a folder, with `/`, only where nothing that changed in it says as much. */
export function changedPaths(files: readonly JournalFile[]): string[] {
  const parents = new Set<string>()
  for (const { path } of files) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) parents.add(path.slice(0, at))
  }
  const isFolder = (state: JournalState | null): boolean => state === null || (state.mode & 0o170000) === 0o040000
  return files.flatMap(({ path, before, after }) => {
    if (!isFolder(before) || !isFolder(after)) return path
    return parents.has(path) ? [] : `${path}/`
  })
}

export interface JournalEntry extends NewJournalEntry {
  /** Grows with every entry of the workspace; never given twice. */
  position: number
}

export interface JournalFilter {
  /** Entries of this session only. */
  sessionId?: string
  states?: readonly JournalEntryState[]
  /** Positions above this one only. */
  after?: number
  /** Default: all. */
  limit?: number
}

export interface JournalStore {
  /** Stores an entry, durable on return, and returns its position. */
  append(entry: NewJournalEntry): number
  update(position: number, change: Partial<Pick<NewJournalEntry, 'state' | 'made' | 'files' | 'notKept'>>): void
  /** Deletes an entry that turned out to be none. */
  remove(position: number): void
  /** Newest first. */
  list(filter?: JournalFilter): JournalEntry[]
  /** Turns the undone entries of a session into dropped ones. */
  dropUndone(sessionId: string | undefined): void
  /** Position of the last entry ever stored, 0 before the first. */
  last(): number
  /** Remembers where the journal stood when a run began, by the sequence number of the user's message. */
  addCheckpoint(checkpoint: { sessionId: string; runId: string; userSeq: number; position: number }): void
  /** The position at the first checkpoint of the session with this `userSeq` or a later one; undefined when there is none. */
  checkpoint(sessionId: string, userSeq: number): number | undefined
  /** Deletes the oldest entries up to and including this position. */
  removeThrough(position: number): void
}
