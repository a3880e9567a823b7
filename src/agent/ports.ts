// What the loop needs of the outside, as arguments. The session implements these; tests give their own.
import type { RequestImage, RequestMessage, RequestTool, ModelRequest, StreamPart } from '../model/language-model.ts'
import type { BatchCall } from '../tools/batch-call.ts'
import type { AttachedImage, ErrorInfo, EventBody, Message, NewMessage, ToolResult } from '../protocol/index.ts'
import type { BlockAction } from './context/edit.ts'
import type { AnswerLimits } from './answer-bound.ts'
import type { RunLimits } from './limits.ts'

/** What is added to a growing answer; `all-reasoning`: its text so far was reasoning. */
export type AnswerPiece = ['text' | 'reasoning', string] | ['all-reasoning']

/** The message log of one session. What a call returns is durable. */
export interface MessageLog {
  append(message: NewMessage): Message
  /** Appends the beginning of an answer, of which nobody is told before it is whole. */
  begin(message: NewMessage): Message
  /** Keeps a piece of the answer that `begin` gave, before it is shown. */
  grow(begun: Message, piece: AnswerPiece): void
  /** Replaces a placeholder, or a growing answer by the whole. */
  replace(id: string, message: NewMessage): Message
  /** Everything so far, in order. */
  all(): readonly Message[]
  /** An image of one of the messages; undefined when its bytes are gone. */
  image(image: AttachedImage): RequestImage | undefined
}

/** What a structured answer says beside its text and its calls. */
export interface StructuredFacts {
  /** As the model wrote it. */
  raw: string
  /** What was wrong with it: the text is shown as it came, and the model is told. */
  fault?: string
  /** Its calls are actions: the run ends when they succeeded, unless `keepControl`. */
  acts: boolean
  keepControl: boolean
  /** Shown when the actions succeeded. */
  postText?: string
}

export interface BatchResult {
  /** One per call, in the order of the calls. */
  results: ToolResult[]
  /** Set by the loop guard: why the run must stop. */
  stop?: string
}

/** Runs the calls of one response through the call manager. Never rejects for a fault of a tool. */
export interface CallRunner {
  /** A new run begins: what earlier runs repeated is no loop. */
  startRun(): void
  /** Takes what the model said beside its calls; why the run must stop when it is the same again and again. */
  noteText(text: string): string | undefined
  run(calls: BatchCall[], batchId: string, signal: AbortSignal): Promise<BatchResult>
}

/** A prompt that fits the window. */
export interface BuiltPrompt {
  messages: RequestMessage[]
  /** Empty when tools are described in the text. */
  tools: RequestTool[]
  /** Estimate of the whole request in tokens. */
  tokens: number
  /** The window it was built for, in tokens; that of the run's request when absent. */
  window?: number
}

/** Turns the log into a prompt; trims and compacts when the window fills. */
export interface PromptBuilder {
  build(log: readonly Message[], signal: AbortSignal): Promise<BuiltPrompt>
  /** Takes in the server's own count for the prompt just sent. */
  observe(promptTokens: number): void
  /**
   * Compacts now, whatever the fill: the server said the prompt was too long, or the user asked. `keep`: exchanges that stay
   * word for word; `focus`: what the summary gives most room to. False when nothing could be saved.
   */
  shrink(log: readonly Message[], signal: AbortSignal, how?: { keep?: number; focus?: string }): Promise<boolean>
  /** Asks the model something beside the conversation, on the same prefix; undefined when it fails or says nothing. */
  aside(log: readonly Message[], question: string, signal: AbortSignal): Promise<string | undefined>
  /** What stands in the prompt, block by block, as it would be built now. */
  describe(log: readonly Message[]): Extract<EventBody, { type: 'context' }>
  /** Pins or drops a block, for good; one line for the user, also on what it costs. */
  edit(log: readonly Message[], action: BlockAction, name: string): { ok: boolean; text: string }
}

/** One model with retries, fallbacks and limits already around it. */
export interface ModelPort {
  /** `backend/model`, for the record. */
  readonly name: string
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart>
}

export interface CallResolver {
  /** `cut: false`: the model ended its answer itself. Finds the tool a name means and mends and coerces its arguments, or says what is wrong. */
  resolve(call: { id: string; name: string; argumentsText: string; cut?: boolean }): BatchCall
  /** Watches the text of one answer for calls; undefined when this model never writes them there. */
  scanner(): TextScanner | undefined
  /** Tells what kind of call the model just made, so that the format can be switched. */
  observe(seen: 'native' | 'text'): void
  effect(name: string): 'read' | 'write' | 'execute' | 'network' | 'note' | 'ask' | undefined
}

/** A call found in text, before it has an id. */
export type TextCall = Omit<BatchCall, 'id'>

export interface ScannedText {
  visible: string
  reasoning: string
  /** All text so far was reasoning after all (a closing mark whose opening stood in the prompt). */
  allReasoning?: boolean
  /** All reasoning so far was the answer: it never ended, and nothing else was said. */
  allAnswer?: boolean
}

/** Incremental: text in, visible text out; calls and doubts when the answer is over. */
export interface TextScanner {
  feed(text: string): ScannedText
  /** `cut`: the server ended the answer at a limit. `doubt` is what the model is asked when it may have meant a call. */
  end(how: { cut: boolean }): ScannedText & { calls: TextCall[]; doubt?: string; structured?: StructuredFacts }
}

export interface QueuedMessage {
  text: string
  attachments?: Message['attachments']
  data?: string[]
}

export interface LoopInput {
  model: ModelPort
  prompt: PromptBuilder
  calls: CallResolver
  runner: CallRunner
  log: MessageLog
  limits: RunLimits
  /** Bounds of one answer; none when absent. */
  answer?: AnswerLimits | undefined
  /** `single-batch`: one batch of calls, then the answer, unless a call failed. Default `agentic`. */
  mode?: 'agentic' | 'single-batch'
  /** The last turn that `limits.totalTurns` allows is an answer: the model is told so and its calls are not run. */
  answerAtLimit?: boolean
  request: Pick<ModelRequest, 'model' | 'stream' | 'maxTokens'> & Partial<ModelRequest>
  emit(event: EventBody): void
  /** Milliseconds of a clock that only goes on: limits and durations, no dates. */
  now: () => number
  newId: () => string
  signal: AbortSignal
  /** Messages typed during the run; each is given once, and stored before the next is asked for. */
  takeQueued(): Iterable<QueuedMessage>
  /** The server refuses requests with tools: true when calls are written in the text from now on. */
  toolsRefused(): boolean
  /** The server refuses requests with images: true when words stand in their place from now on. */
  imagesRefused(): boolean
  /** Asks a person what to do about a model error; headless answers `abort`. */
  onModelError(error: ErrorInfo): Promise<'retry' | 'skip' | 'abort'>
}

export type LoopEnd =
  // `skipped`: a person let the message be after an error, so it has no answer.
  | { outcome: 'done'; skipped?: true }
  | { outcome: 'limit'; counter: string; text: string }
  | { outcome: 'interrupted' }
  | { outcome: 'failed'; error: ErrorInfo }
