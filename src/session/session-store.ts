// The ports of the session folder: what it needs of a store. Implemented in store/sqlite (and later backends), held by
// the contract suite in test/contract. A write has happened when the call returns: the caller acts on it afterwards.
import type { AnswerPiece } from '../agent/ports.ts'
import type { Message, NewMessage, Session, SessionStats } from '../protocol/index.ts'

export interface NewSession {
  title: string
  type: Session['type']
  workspaceId: string
  root: string
  model: string
  forkedFrom?: { id: string; seq: number }
  metadata?: Record<string, unknown>
}

export interface SearchHit {
  sessionId: string
  title: string
  seq: number
  /** Line with the match, at most 200 characters. */
  excerpt: string
  time: number
}

/** All calls are synchronous: the default store is embedded and a message must be durable before anything acts on it. */
export interface SessionStore {
  create(session: NewSession): Session
  /** Undefined when there is none with that id; a unique prefix of at least 4 characters is accepted. */
  get(id: string): Session | undefined
  /** Sessions in which something was said or is queued, newest activity first: one that was only opened is not listed. */
  list(options?: { limit?: number; query?: string }): Session[]
  rename(id: string, title: string): void
  /** Deletes the session with its messages, journal and history. False when it did not exist. */
  delete(id: string): boolean
  /** Deletes every session whose last activity is older than `before` (ms since the epoch); returns how many. */
  purge(before: number): number
  setModel(id: string, model: string): void
  setMetadata(id: string, metadata: Record<string, unknown>): void
  addStats(id: string, stats: Partial<SessionStats>): void

  /** Appends one message and returns it with its id, seq and time, durable. */
  append(sessionId: string, message: NewMessage): Message
  /** Replaces the content of a message that stands for something pending (a placeholder, a growing answer). */
  replace(sessionId: string, messageId: string, message: NewMessage): Message
  /**
   * Keeps a piece of the growing answer `message` before it is shown; `all-reasoning`: its text so far was reasoning. What was
   * kept is part of the message again when a program that was killed left it so. Durable against kill -9 on return.
   */
  grow(sessionId: string, message: Message, piece: AnswerPiece): void
  /** The whole answer is stored: its pieces are no longer needed. */
  grown(messageId: string): void
  /**
   * Messages in order; `after`, `limit` and `last` bound what is read. `lastUserMessages` reads from the n-th newest message of
   * the user on, so that a session of any length opens at once.
   */
  messages(
    sessionId: string,
    options?: { after?: number; limit?: number; last?: number; lastUserMessages?: number },
  ): Message[]
  /** Removes messages from `seq` on (rewind). Returns how many. */
  truncate(sessionId: string, fromSeq: number): number
  /** Copies a session up to and including `seq` (default: all) into a new one. */
  fork(sessionId: string, seq?: number): Session
  /** Keeps the bytes of an image that a message of the session names; `hash` is their SHA-256 in hex. Goes with the session. */
  addImage(sessionId: string, hash: string, data: Uint8Array): void
  /** Undefined when the session has none with that hash. */
  image(sessionId: string, hash: string): Uint8Array | undefined
  search(query: string, options?: { limit?: number; sessionId?: string }): SearchHit[]

  /** What the user typed at the prompt, newest last. */
  addInput(sessionId: string, text: string): void
  inputs(limit: number): string[]
  addCommand(sessionId: string, command: string, exitCode: number | null): void
  commands(sessionId: string): { command: string; exitCode: number | null; time: number }[]

  /** Keeps a message that waits for its turn; gives the key to remove it with. */
  addQueued(sessionId: string, text: string): number
  /** Nothing happens when it is gone already. */
  removeQueued(key: number): void
  /** In the order they were typed. */
  queued(sessionId: string): { key: number; text: string }[]

  /** Asked questions and approvals; the answer is undefined while open. */
  addQuestion(row: {
    id: string
    sessionId: string
    kind: string
    text: string
    options?: string[]
    data?: unknown
  }): void
  answerQuestion(id: string, answer: string, by: string): boolean
  questions(options?: { sessionId?: string; open?: boolean }): {
    id: string
    sessionId: string
    kind: string
    text: string
    options?: string[]
    data?: unknown
    askedAt: number
    answer?: string
    answeredBy?: string
    answeredAt?: number
  }[]

  /** Lines about stored data that was found damaged since the last call, each once: what is lost, for the user. */
  takeDamage(): string[]

  close(): void
}

/** Known workspaces, trust and other facts that belong to the user and not to one workspace. */
export interface GlobalStore {
  /** Records a workspace as used now and returns its id (hash of the absolute path). */
  touchWorkspace(root: string, detectedBy: 'codehound' | 'git' | 'cwd'): string
  workspaces(): { id: string; root: string; detectedBy: string; createdAt: number; lastActive: number }[]
  isTrusted(root: string): boolean
  setTrusted(root: string, trusted: boolean): void
  /** Small facts by key, for example the tool format a model was seen to use. */
  getFact(key: string): string | undefined
  setFact(key: string, value: string): void
  close(): void
}
