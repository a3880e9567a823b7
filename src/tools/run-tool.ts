// The call manager: every tool call goes through `runBatch`, and nothing else calls a handler.
// Promises: exactly one result for every call given, in the order given, stored (`onResult`) before it is shown (`emit`);
// never throws for what a tool, the policy or a person did. Does not promise that a call ran: its result says so.
import type { CodeIndex } from '../index/code-index.ts'
import type { Judgement, PolicyRequest } from '../policy/judgement.ts'
import type { ApprovalAction, Effect, EventBody, PlanItem, Question, ToolResult } from '../protocol/index.ts'
import { createSyntaxCheck } from './syntax-check.ts'
import { createSeenFiles } from '../workspace/edit/seen-files.ts'
import type { AfterEdit } from '../workspace/checks/after-edit.ts'
import type { SecretMask } from '../workspace/secrets/mask.ts'
import { createSessionSecrets } from '../workspace/secrets/session-secrets.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { CallMemory } from './call-memory.ts'
import { interrupted } from './call-words.ts'
import { KeptOutput } from './kept-output.ts'
import { newLoopState, noteCall, noteText, WAIT_MS, type LoopVerdict } from './loop-guard.ts'
import { plainCall, type BatchCall } from './batch-call.ts'
import { effectOf, isSettled, prepareBatch, repeatedId, type PreparedCall } from './prepare-call.ts'
import type { ToolRegistry } from './registry.ts'
import { ResultSizes } from './result-cap.ts'
import { indexChanges, runCall, type CallScope, type Executed } from './run-call.ts'
import { runInOrder } from './run-in-order.ts'
import { resultHash } from './signature.ts'
import type { CommandServices, FileChange, SyntaxCheck } from './tool.ts'

/** What a person said to a proposed action. `unavailable`: nobody can answer (headless, automation). */
export type Approval =
  | { answer: 'yes'; droppedHunks?: number[]; editedText?: string }
  | { answer: 'no'; reason?: string }
  | { answer: 'unavailable' }

/** What becomes of a change whose file somebody changed meanwhile: on top of that, not at all, or made anew by the model. */
export type ConflictChoice = 'apply' | 'skip' | 'regenerate'

/** The port the call manager needs of src/policy. */
export interface ToolPolicy {
  judge(request: PolicyRequest): Promise<Judgement> | Judgement
  /** Judges a host with the addresses its name resolved to. */
  judgeAddress(host: string, addresses: readonly string[]): Judgement
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
}

export interface ToolRunnerOptions {
  sessionId: string
  registry: ToolRegistry
  workspace: Workspace
  /** Undefined while there is no index or when it is switched off. */
  index: () => CodeIndex | undefined
  /** Opens the index for a tool that reads it. Default: what `index` gives. */
  openIndex?: () => Promise<CodeIndex | undefined>
  /** Why there is no index to ask, in a sentence; undefined when nothing stands against it. */
  whyNoIndex?: () => string | undefined
  policy: ToolPolicy
  commands: CommandServices
  /** Hides what looks like a secret from the model; false: nothing is hidden. Default: what the workspace and the environment hold. */
  secrets?: SecretMask | false
  /** The user trusts this folder: a commit runs the repository's hooks. Default false. */
  trusted?: () => boolean
  /** Formats and checks the files that the edits of a response changed; its findings end the last result. */
  afterEdit?: AfterEdit
  /** Finds texts that do not parse; false: edits are not checked. Default: the index's parsers. */
  syntax?: SyntaxCheck | false
  limits?: ToolLimits
  /** Window in tokens at this moment. */
  window: () => number
  /** Milliseconds since the epoch. */
  clock: () => number
  emit(event: EventBody): void
  /** Asks a person about actions. The signal ends the wait. */
  approve(actions: ApprovalAction[], signal: AbortSignal): Promise<Approval>
  /** Asks a person about an edit conflict; undefined when nobody can answer. Absent: nobody can. */
  chooseInConflict?(
    message: string,
    choices: readonly ConflictChoice[],
    signal: AbortSignal,
  ): Promise<ConflictChoice | undefined>
  /** Asks a person a question; undefined when nobody can answer. */
  ask(question: Question, signal: AbortSignal): Promise<string | undefined>
  setPlan(items: PlanItem[]): void
  /** Runs a sub-agent for a call. Absent where there are none. */
  delegate?(prompt: string, callId: string, signal: AbortSignal): Promise<ToolResult>
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
  /** Takes the text or reasoning of one response; a sentence for the user when the same came too often in a row. */
  noteText(text: string): string | undefined
  /** Oldest first. */
  history(): readonly ExecutionRecord[]
  stats(): ToolStats
}

const DEFAULT_CALLS_PER_RESPONSE = 10
const DEFAULT_PARALLEL = 4
/** A sentence this short before each call ("I will read the next file.") is a habit and no loop. Characters. */
const STOCK_PHRASE = 80

/** Makes the call manager of one session. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const memory = new CallMemory()
  let loop = newLoopState
  let lastAsked: Promise<unknown> = Promise.resolve()
  const scope: CallScope = {
    ...options,
    memory,
    syntax: options.syntax === false ? undefined : (options.syntax ?? createSyntaxCheck()),
    seen: createSeenFiles(),
    warned: new Set(),
    secrets: options.secrets === false ? undefined : (options.secrets ?? createSessionSecrets(options.workspace)),
    keptOutput: new KeptOutput(options.commands.outputFolder),
    oneAtATime: (task) => {
      const turn = lastAsked.then(task)
      lastAsked = turn.catch(() => undefined)
      return turn
    },
  }

  async function run(calls: readonly BatchCall[], batchId: string, signal: AbortSignal): Promise<BatchOutcome> {
    const { limits = {}, registry, clock } = options
    const prepared = await prepareBatch(calls, registry, limits.callsPerResponse ?? DEFAULT_CALLS_PER_RESPONSE)
    const sizes = new ResultSizes(options.window(), limits.maxResultChars, calls.length)
    const results: ToolResult[] = []
    const edited = new Set<string>()
    let stop: string | undefined

    /** Once for all edits of the response, when the last of its calls is done. */
    const checkEdits = async (one: PreparedCall, { result }: Executed): Promise<string | undefined> => {
      if (effectOf(one) === 'write') for (const { path } of changesOf(result)) edited.add(path)
      if (one !== prepared.at(-1) || edited.size === 0 || signal.aborted) return undefined
      const checked = await options.afterEdit?.([...edited], signal)
      if (checked && checked.changed.length > 0) await indexChanges(checked.changed, scope)
      return checked?.text
    }

    const finish = async (one: PreparedCall, executed: Executed): Promise<void> => {
      const facts = factsOf(one, batchId, executed.durationMs)
      const lines = isSettled(one) ? [] : [...one.notes]
      const verdict = guard(one, executed)
      if (verdict?.nudge !== undefined) {
        memory.noteNudge()
        lines.push(verdict.nudge)
      }
      stop ??= verdict?.stop?.text
      const hide = (text: string): string => scope.secrets?.mask(text) ?? text
      const fitted = sizes.fit(executed.result, lines, isSettled(one) ? undefined : one.tool.rest, hide)
      const added = [executed.added, await checkEdits(one, executed)].filter((text) => text !== undefined)
      const whole = added.length === 0 ? fitted : sizes.add(fitted, hide(added.join('\n\n')))
      const result = withoutSecrets(whole, scope.secrets)
      const { id: callId, args } = one.call
      const { tool, durationMs } = facts
      const code = result.code === undefined ? {} : { code: result.code }
      memory.record({ tool, args, callId, batchId, time: clock(), durationMs, status: result.status, ...code })
      await options.hooks?.onResult?.(one.call, result, facts)
      for (const { path, change, diff } of changesOf(result)) {
        options.emit({ type: 'file-change', callId, path, change, ...(diff ? { diff } : {}) })
      }
      options.emit({ type: 'tool-result', callId, tool, result, durationMs })
      results.push(result)
    }

    const guard = (one: PreparedCall, { signature, essence, durationMs }: Executed): LoopVerdict | undefined => {
      if (isSettled(one)) return undefined
      const { entry, tool, key } = one
      const exempt =
        tool.poll === true || entry.effect === 'ask' || durationMs >= WAIT_MS || essence.code === 'INTERRUPTED'
      const verdict = noteCall(loop, { tool: entry.name, key, signature, result: resultHash(essence.text), exempt })
      loop = verdict.state
      return verdict
    }

    await runInOrder(prepared, limits.maxParallelTools ?? DEFAULT_PARALLEL, {
      start: async (one, duplicateOf) => {
        const { call, entry, title } = one
        const effect = entry ? { effect: entry.effect } : {}
        options.emit({ type: 'tool-call', call: plainCall(call), title, batchId, ...effect })
        const nothing = (result: ToolResult): Executed => ({ result, durationMs: 0, signature: '', essence: result })
        if (isSettled(one)) return nothing(one.result)
        if (duplicateOf) return await duplicateOf
        if (signal.aborted) return nothing(interrupted(false))
        if (!memory.takeId(call.id, clock())) return nothing(repeatedId(call.id))
        return await runCall(one, batchId, scope, signal)
      },
      finish,
    })
    return stop === undefined ? { results } : { results, stop }
  }

  return {
    run,
    startRun: () => {
      loop = newLoopState
    },
    noteText: (text) => {
      const verdict = noteText(loop, text.length < STOCK_PHRASE ? '' : resultHash(text))
      loop = verdict.state
      return verdict.stop?.text
    },
    history: () => memory.history(),
    stats: () => memory.stats(),
  }
}

function factsOf(one: PreparedCall, batchId: string, durationMs: number): CallFacts {
  const { call, entry, title } = one
  return { batchId, tool: entry?.name ?? call.name, effect: entry?.effect, title, durationMs: Math.round(durationMs) }
}

function changesOf({ data }: ToolResult): FileChange[] {
  return (data?.['changes'] ?? []) as FileChange[]
}

/** All texts beside what the model reads, diffs too: they are stored and told as events. */
function withoutSecrets(result: ToolResult, secrets: SecretMask | undefined): ToolResult {
  return !secrets || !result.data ? result : { ...result, data: secrets.maskDeep(result.data) }
}
