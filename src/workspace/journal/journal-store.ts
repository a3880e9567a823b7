// The port of the journal: what it needs of a store. Implemented in memory (memory-journal-store.ts) and in
// src/store/sqlite/journal-store.ts. All calls are synchronous: an entry must be durable before the file is written.

/** What a file was or became. */
export interface JournalState {
  /** sha256 of the bytes, hex; of the target for a link. */
  hash: string
  /** Permission bits, or 0o120000 for a symbolic link. */
  mode: number
  /** False when the content was too large to keep: it cannot be put back. */
  kept: boolean
}

export interface JournalFile {
  /** Relative to the root with `/`; absolute in an added root. The real file, links followed. */
  path: string
  /** Null: there was, or is, no file. */
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
  /** Folders that had to be made, real paths: removed by an undo when they are empty. */
  made: string[]
  /** Paths that changed but whose content before is not known. */
  notKept: string[]
  /** Hash of the look at the files before a command that is still running. */
  snapshot?: string
  /** Milliseconds since 1970. */
  time: number
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
  /** Deletes entries that are older than `time` (milliseconds since 1970); returns how many. */
  removeBefore(time: number): number
  /** Deletes the oldest entries up to and including this position. */
  removeThrough(position: number): void
}
