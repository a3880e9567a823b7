// The call manager: every tool call goes through `runBatch`, and nothing else calls a handler.
// Promises: exactly one result for every call given, in the order given, stored (`onResult`) before it is shown (`emit`);
// never throws for what a tool, the policy or a person did. Does not promise that a call ran: its result says so.
import type { CodeIndex } from '../index/code-index.ts'
import type { Judgement, PolicyRequest } from '../policy/judgement.ts'
import type { ApprovalAction, Effect, EventBody, PlanItem, Question, ToolCall, ToolResult } from '../protocol/index.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { ToolRegistry } from './registry.ts'

/** One call of a model response, with what was found wrong when it was read. */
export interface BatchCall extends ToolCall {
  /** What the model is told instead of running the call: its name or arguments could not be read. */
  fault?: string
  /** The answer was cut off inside this call: it is not run when it writes or executes. */
  cutOff?: boolean
  /** The server gave this call an id that it gave to another call before. */
  repeatedId?: boolean
}

/** What a person said to a proposed action. `unavailable`: nobody can answer (headless, automation). */
export type Approval =
  | { answer: 'yes'; droppedHunks?: number[]; editedText?: string }
  | { answer: 'no'; reason?: string }
  | { answer: 'unavailable' }

/** The port the call manager needs of src/policy. Host names and the addresses they resolve to are both asked as `host`. */
export interface ToolPolicy {
  judge(request: PolicyRequest): Promise<Judgement> | Judgement
}

/** What goes with a call to the hooks. */
export interface CallFacts {
  batchId: string
  /** Canonical name, or the name as written when it is unknown. */
  tool: string
  effect: Effect | undefined
  title: string
  /** Milliseconds of the handler. */
  durationMs: number
}

export interface ToolRunnerHooks {
  /** Before a person is waited for: store the placeholder result. Awaited. */
  onWaiting?(call: BatchCall, kind: 'approval' | 'question', facts: CallFacts): Promise<void> | void
  /** Once for every call, in call order, before its `tool-result` event. Awaited: store the result. */
  onResult?(call: BatchCall, result: ToolResult, facts: CallFacts): Promise<void> | void
  /** Before a handler runs and after the policy allowed it; a text blocks the call with that reason. */
  beforeTool?(call: BatchCall, facts: CallFacts): Promise<string | undefined>
  /** After a handler ran; a text is added to the result. */
  afterTool?(call: BatchCall, result: ToolResult, facts: CallFacts): Promise<string | undefined>
}

export interface ToolLimits {
  /** Calls of one response that run. Default 10. */
  callsPerResponse?: number
  /** Reads side by side. Default 4. */
  maxParallelTools?: number
  /** Characters of one result (`tools.maxResultChars`). Default by the window. */
  maxResultChars?: number
  /** Milliseconds for commands when the call names none (`commands.timeout`). Default: the tool's own. */
  commandTimeoutMs?: number
}

export interface ToolRunnerOptions {
  sessionId: string
  registry: ToolRegistry
  workspace: Workspace
  /** Undefined while there is no index or when it is switched off. */
  index: () => CodeIndex | undefined
  policy: ToolPolicy
  limits?: ToolLimits
  /** Window in tokens at this moment. */
  window: () => number
  /** Milliseconds since the epoch. */
  clock: () => number
  emit(event: EventBody): void
  /** Asks a person about actions. The signal ends the wait. */
  approve(actions: ApprovalAction[], signal: AbortSignal): Promise<Approval>
  /** Asks a person a question; undefined when nobody can answer. */
  ask(question: Question, signal: AbortSignal): Promise<string | undefined>
  setPlan(items: PlanItem[]): void
  hooks?: ToolRunnerHooks
}

export interface BatchOutcome {
  /** One for each call given, in the order given. */
  results: ToolResult[]
  /** Set when the loop guard wants the run to stop: why, for the user. */
  stop?: string
}

/** One execution, kept for `/status`: the last 200. */
export interface ExecutionRecord {
  tool: string
  args: Record<string, unknown>
  callId: string
  batchId: string
  time: number
  durationMs: number
  status: ToolResult['status']
  code?: ToolResult['code']
}

export interface ToolStats {
  /** Sorted by name. Durations in milliseconds. */
  tools: { name: string; runs: number; successRate: number; p50: number; p95: number }[]
  loopRefusals: number
  nudges: number
}

export interface ToolRunner {
  /**
   * Runs the calls of one response in the model's order, neighbouring reads side by side. Never rejects for a fault of a tool.
   *
   * @param batchId id of the response, shared by the results
   */
  run(calls: readonly BatchCall[], batchId: string, signal: AbortSignal): Promise<BatchOutcome>
  /** A new run begins: repeats of earlier runs are no loop. */
  startRun(): void
  /** Oldest first. */
  history(): readonly ExecutionRecord[]
  stats(): ToolStats
}
