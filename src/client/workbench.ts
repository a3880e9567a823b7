// What a front sees of the open application besides its session: settings, the project, stored sessions, completion, models.
// Plain data and promises, so that the same shape fits a wire. It asks nobody and changes nothing unless a name says so.
import type { FileDiff, Report, Session } from '../protocol/index.ts'
import type { Client } from './client.ts'

/** The keys of the configuration that only fronts read; see docs/config.md. */
export interface FrontSettings {
  display: {
    showStats: boolean
    showToolCalls: boolean
    theme: 'dark' | 'light' | 'high-contrast' | 'none'
    bellOnComplete: boolean
    progressBar: boolean
    stream: boolean
  }
  edit: {
    showDiff: boolean
    diffFormat: 'inline-highlights' | 'unified' | 'side-by-side'
    syntaxHighlight: boolean
    showDescription: boolean
    wrapLongLines: boolean
  }
  input: { multiline: 'auto' | 'on' | 'off' }
  /** Changes `/undo` takes back without asking. */
  undoStackSize: number
  saveInputHistory: boolean
  /** User messages from which `/compress` is suggested; 0 = never. */
  suggestCompressAt: number
}

export interface Project {
  /** Name of the root folder. */
  name: string
  root: string
  /** Undefined outside git. */
  branch: string | undefined
}

/** Which session to open. */
export type SessionChoice = { kind: 'start' } | { kind: 'new' } | { kind: 'stored'; id: string }

/** Something that could answer: a server found on this machine, or a key in the environment. */
export interface ModelOffer {
  title: string
  /** `backend/model`, for `/model`; undefined when the server has no model yet. */
  models: string[]
  /** Where it is, or the variable that holds its key. */
  where: string
  /** Name of its backend: what stands before the slash of a model. */
  backend: string
}

export interface ModelState {
  /** `backend/model` of the configuration. */
  name: string
  /** False when it is only the default and nobody has chosen a model. */
  configured: boolean
}

export interface UserCommand {
  name: string
  description: string
  /** Prompt; `$ARGUMENTS` stands for what follows the name. */
  text: string
}

/** Something that can be made with `/new`. */
export interface TemplateName {
  name: string
  description: string
}

export interface ChangeLine {
  time: number
  description: string
  paths: string[]
  undone: boolean
  session: string | undefined
}

export interface PullStep {
  status: string
  /** Bytes. */
  completed: number
  total: number
}

export interface IndexStep {
  phase: string
  done: number
  total: number
}

/** A workspace with so many files that it is asked how much of it the index is to read. */
export interface LargeFolder {
  /** Found so far. */
  files: number
  /** More may be found. */
  isCounting: boolean
  /** `limits.maxFilesWarning`. */
  limit: number
  /** Folders the index could keep to, the likeliest first. */
  folders: { path: string; files: number }[]
}

/** All files; those of one folder, named from the root or whole; or no index in this session. */
export type LargeAnswer = { kind: 'all' } | { kind: 'folder'; path: string } | { kind: 'none' }

/** What is new of the index: the question that waits, or how far the files of a large workspace are read. */
export interface IndexNews {
  question: LargeFolder | undefined
  progress: IndexStep | undefined
}

/** One line of `/status`. */
export interface StatusLine {
  name: string
  value: string
  bad?: boolean
}

/** A program to be started with the terminal of the front. */
export interface TerminalProgram {
  /** What wants the terminal, such as `vim`. */
  name: string
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

export interface Workbench {
  readonly settings: FrontSettings
  readonly project: Project
  readonly model: ModelState
  /** Throws UserError when the session named is not there. The session before is closed by whoever opened it. */
  open(choice: SessionChoice): Promise<Client>
  /** Newest first. */
  sessions(options: { limit: number; query?: string }): Session[]
  /** What was typed in this workspace, newest last. */
  inputs(limit: number): string[]
  /** Newest first. */
  changes(limit: number): ChangeLine[]
  /** Open questions and approvals of all sessions of this workspace, one line each. */
  questions(): string[]
  /** Paths under the root that begin with or contain the text, best first. */
  paths(prefix: string, limit: number): Promise<string[]>
  /** Whether a whole path names a file, wherever it lies. */
  isFile(path: string): Promise<boolean>
  /** Names most like a symbol's that is not there, nearest first; undefined when it is, or where no index can tell. */
  nearSymbols(name: string): Promise<string[] | undefined>
  /** Names of symbols; empty where there is no index. */
  symbols(prefix: string, limit: number): Promise<string[]>
  /** How a command of the shell is started with the terminal; undefined when it wants none and `asked` is false. */
  terminalProgram(command: string, asked: boolean): Promise<TerminalProgram | undefined>
  /** The user's own commands of this project and of his configuration folder. */
  commands(): UserCommand[]
  /** Templates for `/new`: built in, of this project and of the configuration folder. */
  templates(): TemplateName[]
  /** Names usable with `/model`, from every configured backend that answers; the faults of the others. */
  models(): Promise<{ names: string[]; faults: string[] }>
  discover(): Promise<ModelOffer[]>
  /** Makes a model the user's choice: its backend is added to the configuration when it is new. Returns the file written. */
  choose(model: string): Promise<string>
  /** Downloads a model; undefined where its server cannot. */
  pull(model: string, onStep: (step: PullStep) => void, signal: AbortSignal): Promise<void>
  /** The text a proposed change would leave, for editing; undefined when the file has changed meanwhile. */
  proposedText(diff: FileDiff): Promise<string | undefined>
  /** The configuration with its sources, as text. */
  configText(): string
  /** The rules and approvals that hold in the session, as text. */
  permissions(): string
  /** Forgets an approval by its text, or every one; gives those forgotten. */
  forgetPermission(rule: string | undefined): string[]
  /** Writes the session as Markdown, into a file that is not there yet; returns the path. Throws UserError when it is. */
  exportSession(id: string, path: string | undefined): Promise<string>
  status(): Promise<StatusLine[]>
  /** The repository map as the prompt has it; undefined where there is no index. */
  map(): Promise<string | undefined>
  /** Compares every file with the index and takes in what differs. */
  reindex(onProgress: (step: IndexStep) => void): Promise<{ files: number; symbols: number; changed: number }>
  /** Tells what is new of the index from now on. Who listens is asked when the workspace is large. Gives what ends it. */
  watchIndex(listener: (news: IndexNews) => void): () => void
  /** Answers the question about a large workspace, for this and later starts; gives what it comes to. Throws UserError when a folder is none. */
  answerLarge(answer: LargeAnswer): Promise<string>
  /** What of an answer does not hold against files, index and record, one line each; empty when nothing was found. */
  checkAnswer(sessionId: string, answer: string, report: Report): Promise<string[]>
  close(): Promise<void>
}
