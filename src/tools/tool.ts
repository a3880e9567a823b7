// The Tool port. A tool is one file: name, words for the model, schema, effect, handler, and its test beside it.
// A handler returns expected failures as results (`fail(...)`) and throws only on faults of our own.
// The call manager (run-tool.ts) is the only caller of a handler: limits, order, permission and caching are its business.
import type { z } from 'zod'
import type { CodeIndex } from '../index/code-index.ts'
import type { Effect, FileDiff, PlanItem, Question, ToolErrorCode, ToolResult } from '../protocol/index.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Another name for a tool that models bring from elsewhere, with the argument names it uses there. */
export interface ToolAlias {
  name: string
  /** their argument -> ours; arguments not named stay as they are. */
  map?: Record<string, string>
  /** Arguments the alias implies. */
  set?: Record<string, unknown>
}

/** What a call would do, shown before it is done and judged by the policy. */
export interface Proposal {
  /** One line for the user: what will happen. */
  title: string
  /** Workspace-relative paths it reads or changes. */
  paths?: string[]
  command?: string
  host?: string
  diff?: FileDiff
  /** Opaque to everyone but the tool: passed back to `run` so that what was shown is what is done. */
  prepared?: unknown
}

export interface Tool<Input = Record<string, unknown>> {
  readonly name: string
  /** One line, for the model. */
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly effect: Effect
  readonly aliases?: readonly ToolAlias[]
  /** Milliseconds of the handler alone; 0 = none. Default 15,000. A function where the call decides. */
  readonly timeoutMs?: number | ((input: Input) => number)
  /** True when a repeated call in the same state gives the same result (workspace reads). */
  readonly repeatable?: boolean
  /** Paths whose stamps are part of the call's signature. */
  paths?(input: Input): string[]
  /** One line for screens. */
  title(input: Input): string
  /** Says what would happen, or fails early (a miss, a stale edit). Required of write and execute tools. */
  propose?(input: Input, context: ToolContext): Promise<Proposal | ToolResult>
  run(input: Input, context: ToolContext, proposal?: Proposal): Promise<ToolResult>
}

/** What a handler may use. One per call; everything outside the process comes through here. */
export interface ToolContext {
  readonly callId: string
  readonly sessionId: string
  readonly workspace: Workspace
  /** Undefined when the index is switched off. */
  readonly index: CodeIndex | undefined
  readonly signal: AbortSignal
  readonly now: () => number
  /** Streams output of a running command to screens. */
  output(stream: 'stdout' | 'stderr', text: string): void
  setPlan(items: PlanItem[]): void
  /** Waits for a person. Undefined when nobody can answer (headless). */
  ask(question: Omit<Question, 'id' | 'callId'>): Promise<string | undefined>
  /** Judges a host (and, for redirects and DNS results, an address) in the middle of a call. */
  allowHost(url: URL): Promise<{ ok: true } | { ok: false; reason: string }>
}

export const ok = (text: string, data?: Record<string, unknown>): ToolResult =>
  data ? { status: 'success', text, data } : { status: 'success', text }

/** An expected failure: what happened, with which value, and what to do next. */
export const fail = (code: ToolErrorCode, text: string, data?: Record<string, unknown>): ToolResult =>
  data ? { status: 'failed', code, text, data } : { status: 'failed', code, text }
