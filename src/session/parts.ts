// What a session is made of. The composition root (app.ts) puts the concrete parts in; tests give their own.
import type { CallResolver, CallRunner, LoopInput, MessageLog, ModelPort, PromptBuilder } from '../agent/ports.ts'
import type { AnswerFinding } from '../agent/answer-lint.ts'
import type { AnswerLimits } from '../agent/answer-bound.ts'
import type { RunLimits } from '../agent/limits.ts'
import type { SystemPromptFacts } from '../agent/system-prompt.ts'
import type { ModelRequest } from '../model/language-model.ts'
import type {
  ApprovalAction,
  ErrorInfo,
  EventBody,
  Mode,
  PlanItem,
  Question,
  Report,
  ToolCall,
  ToolResult,
} from '../protocol/index.ts'

import type { SecretMask } from '../workspace/secrets/mask.ts'
import type { ToolRegistry } from '../tools/registry.ts'
import type { ConflictChoice } from '../tools/run-tool.ts'
import type { Loaded } from './attachments/load.ts'
import type { SessionHooks } from './session-hooks.ts'

/** One conversation with a model: its log, its tools, and what levels 1 and 2 of its prompt are made of. */
export interface Conversation {
  host: { log: MessageLog; emit(event: EventBody): void }
  registry: ToolRegistry
  facts: Omit<SystemPromptFacts, 'toolText'>
  /** Level 2 for a window of so many tokens: instruction files, skills and repository map. */
  project(window: number): Promise<string | undefined>
}

/** A model ready for use: its port, its window, and what every request to it says. */
export interface OpenModel {
  /** `backend/model`. */
  name: string
  port: ModelPort
  /** Tokens; may grow in the course of a session. */
  readonly window: number
  /** Reads of one response that run side by side. */
  parallelTools: number
  /** Host the requests go to; undefined when nothing leaves the process. */
  host: string | undefined
  request: Pick<ModelRequest, 'model' | 'stream' | 'maxTokens'> & Partial<ModelRequest>
  prompt: PromptBuilder
  calls: CallResolver
  /** The server refuses tools in requests for this model: calls go into the text from now on. False when they already do. */
  toolsRefused(): boolean
  /** False: words stand in the place of images. True also where nobody has said. */
  readonly images: boolean
  /** The server refuses images for this model: it is told of them in words from now on. False when it already was. */
  imagesRefused(): boolean
  /** The same model, connection and window in a conversation of its own (a sub-agent's). */
  beside(conversation: Conversation): OpenModel
}

/** What a person, or nobody, said to a proposed action. */
export type ApprovalAnswer =
  | { answer: 'yes'; scope?: 'once' | 'run' | 'session' | 'workspace'; droppedHunks?: number[]; editedText?: string }
  | { answer: 'no'; reason?: string }
  | { answer: 'unavailable' }

/** What the call manager asks of the session while calls run. */
export interface CallHost {
  emit(event: EventBody): void
  approve(actions: ApprovalAction[], signal: AbortSignal): Promise<ApprovalAnswer>
  ask(question: Question, signal: AbortSignal): Promise<string | undefined>
  /** Asks what becomes of a change whose file somebody else changed meanwhile; undefined when nobody can answer. */
  chooseInConflict(
    message: string,
    choices: readonly ConflictChoice[],
    signal: AbortSignal,
  ): Promise<ConflictChoice | undefined>
  setPlan(items: PlanItem[]): void
  /** Stores the placeholder that is the pending call's result until a person answered. */
  onWaiting(call: ToolCall, kind: 'approval' | 'question', batchId: string, tool: string): void
  /** Stores the result of a call, before anyone sees it. */
  onResult(call: ToolCall, result: ToolResult, facts: { batchId: string; tool: string; reads: boolean }): void
}

/** Undo, redo and rewind of files; absent when nothing is journalled. */
export interface ChangeHistory {
  beginRun(runId: string, userSeq: number): Promise<void>
  undo(count: number): Promise<{ ok: boolean; paths: string[]; text: string }>
  redo(count: number): Promise<{ ok: boolean; paths: string[]; text: string }>
  /** Files go back to before the run that began with this user message. */
  rewind(userSeq: number): Promise<{ ok: boolean; paths: string[]; text: string }>
}

export interface SessionParts {
  interactive: boolean
  /** Keep what was typed for the arrow keys (`session.saveInputHistory`). */
  saveInput: boolean
  /** Opens a model by `backend/model`. Throws ModelError or a configuration error with what to do. */
  openModel(name: string, host: Conversation['host'], signal: AbortSignal): Promise<OpenModel>
  /** Made once per session; the model is read at each batch because it may be switched. */
  createRunner(host: CallHost, model: () => OpenModel | undefined): CallRunner
  limits(turns: number | undefined): RunLimits
  /** Bounds of one answer. */
  answerLimits?: AnswerLimits
  /** `loop.mode`. */
  loopMode: NonNullable<LoopInput['mode']>
  policy: {
    mode(): Mode
    /** A sentence that says why not, or undefined when the mode was set. */
    setMode(mode: Mode): string | undefined
    remember(rules: readonly string[], scope: 'run' | 'session' | 'workspace'): void
    runEnded(): void
  }
  changes: ChangeHistory | undefined
  /** `session.titles`. */
  titles: 'first-line' | 'model'
  /** Undefined when the user has hung no command on any moment. */
  hooks: SessionHooks | undefined
  /** Keeps known secrets out of what is stored, told as an event and sent; absent: nothing is hidden. */
  secrets?: Pick<SecretMask, 'maskKnown'>
  /** Looks up `@` attachments of a message and gives their content; reads only. */
  attach(text: string): Promise<Loaded>
  /** Runs a command the user typed himself (`!cmd`); output is streamed by the caller. */
  runCommand(
    command: string,
    signal: AbortSignal,
    output: (stream: 'stdout' | 'stderr', text: string) => void,
  ): Promise<{ exitCode: number | null; text: string }>
  /** Holds an answer against files, index and record; undefined when that is not wanted (`answers.check`). */
  checkAnswer: ((answer: string, report: Report) => Promise<AnswerFinding[]>) | undefined
  onError(error: ErrorInfo): void
  now: () => number
  newId: () => string
  close(): Promise<void>
}
