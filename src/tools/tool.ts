// The Tool port. A tool is one file: name, words for the model, schema, effect, handler, and its test beside it.
// A handler returns expected failures as results (`fail(...)`) and throws only on faults of our own.
// The call manager (run-tool.ts) is the only caller of a handler: limits, order, permission and caching are its business.
import type { z } from 'zod'
import type { CodeIndex } from '../index/code-index.ts'
import type { Effect, FileDiff, PlanItem, Question, ToolErrorCode, ToolResult } from '../protocol/index.ts'
import type { CommandPlace, Confinement } from '../workspace/process/confinement.ts'
import type { BackgroundProcesses } from '../workspace/process/background.ts'
import type { PathAccess } from '../workspace/sandbox/sandbox.ts'
import type { SandboxStop } from '../workspace/sandbox/stopped.ts'
import type { Wider } from './sandbox-stop.ts'
import type { KeptOutput } from './kept-output.ts'
import type { SeenFiles } from '../workspace/edit/seen-files.ts'
import type { SecretMask } from '../workspace/secrets/mask.ts'
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
  /** Folder the command starts in, relative to the root. Default: the root. */
  cwd?: string
  host?: string
  diff?: FileDiff
  /** Instead of `diff` where several files change: each is shown as an action of its own. */
  diffs?: FileDiff[]
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
  /** Argument names that models write for ours: theirs -> ours. Holds for every alias too. */
  readonly synonyms?: Readonly<Record<string, string>>
  /** Optional arguments that nearly every right call has: an example shows them, unless the call gave a list in their place. */
  readonly usual?: readonly string[]
  /** Milliseconds of the handler alone; 0 = none. Default 15,000. A function where the call decides. */
  readonly timeoutMs?: number | ((input: Input) => number)
  /** True when a repeated call in the same state gives the same result (workspace reads). */
  readonly repeatable?: boolean
  /** True when it turns placeholders of secrets back itself; any other call that carries one is refused. */
  readonly unmasks?: boolean
  /** True when it looks how something else is getting on: repeats are no loop. */
  readonly poll?: boolean
  /** One sentence for the cut of a long result: how to get what was left out. */
  readonly rest?: string
  /** Paths whose stamps are part of the call's signature. */
  paths?(input: Input): string[]
  /** One line for screens. */
  title(input: Input): string
  /** Says what would happen, or fails early (a miss, a stale edit). Required of write and execute tools. */
  propose?(input: Input, context: ToolContext): Promise<Proposal | ToolResult>
  /** Takes what a person changed in a proposal: hunks left out (numbered from 0), or another text for the file. */
  revise?(input: Input, proposal: Proposal, answer: Revision, context: ToolContext): Promise<Proposal | ToolResult>
  /** Puts a proposal on top of what its file has become; undefined when it does not fit there. */
  refit?(proposal: Proposal, context: ToolContext): Promise<Proposal | undefined>
  run(input: Input, context: ToolContext, proposal?: Proposal): Promise<ToolResult>
}

export interface Revision {
  droppedHunks?: number[]
  editedText?: string
}

/** A file a call changed, in `data.changes` of its result: becomes a `file-change` event and is taken into the index. */
export interface FileChange {
  path: string
  change: FileDiff['change']
  diff?: FileDiff
}

/** Where a text stops being what its file's name says. Line and column are 1-based. */
export interface SyntaxFault {
  line: number
  column: number
  message: string
}

/** Finds the first fault of a text that does not parse; undefined when it parses, or when its language is not known. */
export type SyntaxCheck = (path: string, text: string) => Promise<SyntaxFault | undefined>

/** How commands of this session are started. */
export interface CommandServices {
  background: BackgroundProcesses
  /** The whole environment for a command, without the keys the agent itself uses. */
  environment(place?: CommandPlace): Readonly<Record<string, string>>
  /** What holds a command at its place; absent: nothing does. */
  confine?: (place: CommandPlace) => Confinement
  /** What is known of the sandbox at a place; undefined where there is none. */
  sandbox?: (place: CommandPlace) => { access: (path: string) => PathAccess; network: boolean } | undefined
  /** Folder of this session for output that is too long for memory. */
  outputFolder: string
  /** Milliseconds when a call names none (`commands.timeout`). */
  timeoutMs?: number
}

/** What a handler may use. One per call; everything outside the process comes through here. */
export interface ToolContext {
  readonly callId: string
  readonly sessionId: string
  readonly workspace: Workspace
  /** Undefined when the index is switched off, and before it was opened. */
  readonly index: CodeIndex | undefined
  /** The index, opened when it is not yet; undefined when it is switched off or cannot be opened. */
  readonly openIndex: () => Promise<CodeIndex | undefined>
  /** Why there is no index to ask, in a sentence; undefined when nothing stands against it. */
  readonly whyNoIndex: () => string | undefined
  readonly commands: CommandServices
  /** What the model has seen of each file. */
  readonly seen: SeenFiles
  /** Tells whether a text parses as what its path says; undefined where nobody can tell. */
  readonly syntax: SyntaxCheck | undefined
  /** Turns placeholders of secrets back in a write to the file that holds them. */
  readonly secrets: SecretMask | undefined
  /** Changes the model was warned of once: asked for again, they are made. */
  readonly warned: Set<string>
  /** The user trusts this folder: hooks and filters of its repository may run. */
  readonly trusted: boolean
  /** Outputs that were too long for a result. */
  readonly keptOutput: KeptOutput
  /** Characters this call's result may have. */
  readonly maxCharacters: number
  readonly signal: AbortSignal
  readonly now: () => number
  /** Where the command of this call runs. */
  place: () => CommandPlace
  /** Asks whether a command that the sandbox stopped may run again at a wider place. */
  askForPlace: (stop: SandboxStop) => Promise<Wider>
  /** Streams output of a running command to screens. */
  output(stream: 'stdout' | 'stderr', text: string): void
  setPlan: (items: PlanItem[]) => void
  /** Waits for a person. Undefined when nobody can answer (headless). */
  ask: (question: Omit<Question, 'id' | 'callId'>) => Promise<string | undefined>
  /** Gives a question to a sub-agent and comes back with its answer. Undefined where there are none (in a sub-agent). */
  readonly delegate: ((prompt: string) => Promise<ToolResult>) | undefined
  /** Judges a host in the middle of a call: before it is looked up, and again with the addresses its name led to. */
  allowHost: (
    url: URL,
    addresses?: readonly string[],
  ) => Promise<{ ok: true } | { ok: false; reason: string; refusal: ToolResult }>
}

export const ok = (text: string, data?: Record<string, unknown>): ToolResult =>
  data ? { status: 'success', text, data } : { status: 'success', text }

/** An expected failure: what happened, with which value, and what to do next. */
export const fail = (code: ToolErrorCode, text: string, data?: Record<string, unknown>): ToolResult =>
  data ? { status: 'failed', code, text, data } : { status: 'failed', code, text }

/** A tool of any input, as the registry and the call manager hold it; the call manager validates before it calls. */
export const defineTool = <Input>(tool: Tool<Input>): Tool => tool as unknown as Tool
