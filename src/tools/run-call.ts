// One call from the state check to the handler's result: dedupe, proposal, policy, approval, handler with its deadline.
import { randomUUID } from 'node:crypto'
import type { Judgement, PolicyRequest } from '../policy/judgement.ts'
import type { ApprovalAction, ToolResult } from '../protocol/index.ts'
import type { SeenFiles } from '../workspace/edit/seen-files.ts'
import { stampOf } from '../workspace/files/stamp.ts'
import type { CallMemory } from './call-memory.ts'
import * as words from './call-words.ts'
import { Deadline } from './deadline.ts'
import type { KeptOutput } from './kept-output.ts'
import type { ReadyCall } from './prepare-call.ts'
import { resultCap } from './result-cap.ts'
import type { Approval, CallFacts, ToolRunnerOptions } from './run-tool.ts'
import { callSignature } from './signature.ts'
import type { FileChange, Proposal, SyntaxCheck, ToolContext } from './tool.ts'

/** Milliseconds of a handler that sets no limit of its own. */
const DEFAULT_TIMEOUT_MS = 15_000
/** After an interrupt or timeout a handler may still tell how it ended. Everything stands still within 100 ms (agent-loop.md). */
const SETTLE_MS = 80
/** A write that has begun is waited for: its result must say what is on disk. */
const WRITE_SETTLE_MS = 5_000
/** A command that was timed out is ended with SIGTERM first; its tool then gives the output it had. */
const COMMAND_SETTLE_MS = 3_000
/** A file that changed under a proposal: it is proposed again so often. */
const PROPOSALS = 2

export interface CallScope extends Omit<ToolRunnerOptions, 'syntax'> {
  syntax: SyntaxCheck | undefined
  memory: CallMemory
  keptOutput: KeptOutput
  seen: SeenFiles
  warned: Set<string>
  /** Approvals of calls that run side by side are asked one after the other. */
  oneAtATime<T>(task: () => Promise<T>): Promise<T>
}

/** How a call went, before its result is cut to size. */
export interface Executed {
  result: ToolResult
  /** Milliseconds of the handler. */
  durationMs: number
  /** Call with state, for the loop guard. */
  signature: string
  /** The result to compare repeats by: for a refused or cached repeat that of the call it repeats. */
  essence: ToolResult
}

export async function runCall(
  ready: ReadyCall,
  batchId: string,
  scope: CallScope,
  signal: AbortSignal,
): Promise<Executed> {
  const { tool, entry, input, key, title } = ready
  const { memory } = scope
  const stamps = (tool.paths?.(input) ?? []).map((path) => stampOf(scope.workspace, path))
  const index = scope.index()
  const generation = `${scope.workspace.generation()}.${index?.generation ?? 0}`
  const signature = callSignature(
    key,
    generation,
    stamps.map(({ stamp }) => stamp),
  )
  // Without a watcher nobody would tell of a change below a folder.
  const known = index?.status().watcher === 'watching' || stamps.every(({ folder }) => !folder)
  const instead = (result: ToolResult, essence = result): Executed => ({ result, durationMs: 0, signature, essence })

  const once =
    entry.effect === 'read' ? tool.repeatable === true && known : entry.effect === 'write' && tool.repeatable !== false
  const earlier = once ? memory.earlier(signature, scope.clock()) : undefined
  if (earlier) {
    return instead(entry.effect === 'read' ? words.cached(earlier) : words.repeatedWrite(entry.name, earlier), earlier)
  }

  const facts: CallFacts = { batchId, tool: entry.name, effect: entry.effect, title, durationMs: 0 }
  const one = new OneCall(ready, scope, facts, signal)
  let result: ToolResult
  try {
    result = await one.run()
  } catch (error) {
    result = one.stopped() ?? words.threw(entry.name, error)
  } finally {
    one.end()
  }
  if (once && isRepeatable(result)) memory.remember(signature, result, scope.clock())
  await takeIn(result, scope)
  return { result, durationMs: one.elapsed(), signature, essence: result }
}

/** What may be given or refused on the strength of the record; faults and rule decisions may be otherwise next time. */
function isRepeatable(result: ToolResult): boolean {
  if (result.status === 'success' || result.code === 'USER_REJECTED') return true
  return (
    result.status === 'failed' &&
    result.code !== 'TIMEOUT' &&
    result.code !== 'TOOL_ERROR' &&
    result.code !== 'HOOK_BLOCKED' &&
    result.code !== 'SYNTAX_FAULT' &&
    result.data?.['refused'] === undefined
  )
}

/** The next call must find in the index what this one wrote. */
async function takeIn(result: ToolResult, scope: CallScope): Promise<void> {
  const changes = result.data?.['changes'] as FileChange[] | undefined
  if (changes && changes.length > 0) await scope.index()?.changed(changes.map(({ path }) => path))
}

class OneCall {
  readonly #ready: ReadyCall
  readonly #scope: CallScope
  readonly #facts: CallFacts
  readonly #abort = new AbortController()
  readonly #outer: AbortSignal
  readonly #deadline: Deadline
  readonly #limitMs: number
  readonly #context: ToolContext
  #why: 'interrupted' | 'timeout' | undefined
  #started = false
  /** Hosts this call may contact: a redirect within one asks no second time. */
  readonly #hosts = new Set<string>()

  constructor(ready: ReadyCall, scope: CallScope, facts: CallFacts, signal: AbortSignal) {
    this.#ready = ready
    this.#scope = scope
    this.#facts = facts
    this.#outer = signal
    const { timeoutMs } = ready.tool
    this.#limitMs = typeof timeoutMs === 'function' ? timeoutMs(ready.input) : (timeoutMs ?? DEFAULT_TIMEOUT_MS)
    this.#deadline = new Deadline(this.#limitMs, () => this.#stop('timeout'))
    signal.addEventListener('abort', this.#interrupt, { once: true })
    this.#context = this.#makeContext()
  }

  elapsed(): number {
    return this.#deadline.elapsed()
  }

  end(): void {
    this.#deadline.end()
    this.#outer.removeEventListener('abort', this.#interrupt)
  }

  /** The result that says why the handler was ended; undefined when it was not. */
  stopped(): ToolResult | undefined {
    if (this.#why === undefined) return undefined
    return this.#why === 'timeout'
      ? words.timedOut(this.#ready.entry.name, this.#limitMs)
      : words.interrupted(this.#started)
  }

  async run(): Promise<ToolResult> {
    for (let round = 1; ; round++) {
      const result = await this.#attempt()
      // Somebody changed the file between proposal and write: what was shown no longer holds, so it is made anew.
      if (result.code !== 'STALE_FILE' || !this.#ready.tool.propose || round === PROPOSALS) return result
    }
  }

  async #attempt(): Promise<ToolResult> {
    const { tool, input, title } = this.#ready
    let proposal: Proposal | undefined
    if (tool.propose) {
      const proposed = await this.#bounded(() => tool.propose!(input, this.#context))
      if ('status' in proposed) return proposed
      proposal = proposed
    }
    const permitted = await this.#permit(proposal)
    if ('status' in permitted) return permitted
    const blocked = await this.#scope.hooks?.beforeTool?.(this.#ready.call, this.#facts)
    if (blocked !== undefined) return words.hookBlocked(title, blocked)
    if (this.#outer.aborted) return words.interrupted(false)
    this.#started = true
    const result = await this.#bounded(() => tool.run(input, this.#context, permitted.proposal))
    const added = await this.#scope.hooks?.afterTool?.(this.#ready.call, result, this.#facts)
    return added === undefined ? result : { ...result, text: `${result.text}\n${added}` }
  }

  /** Waits for a handler, but not for one that goes on after it was told to stop. */
  async #bounded<T extends ToolResult | Proposal>(start: () => Promise<T>): Promise<T | ToolResult> {
    const { signal } = this.#abort
    let settle: NodeJS.Timeout | undefined
    let late: (() => void) | undefined
    const abandoned = new Promise<undefined>((resolve) => {
      late = () => {
        settle = setTimeout(() => resolve(undefined), this.#settleMs())
      }
      if (signal.aborted) late()
      else signal.addEventListener('abort', late, { once: true })
    })
    try {
      const running = start()
      running.catch(() => undefined)
      const ended = await Promise.race([running, abandoned])
      return ended ?? this.stopped() ?? words.interrupted(true)
    } finally {
      clearTimeout(settle)
      if (late) signal.removeEventListener('abort', late)
    }
  }

  #settleMs(): number {
    if (this.#facts.effect === 'write') return WRITE_SETTLE_MS
    return this.#facts.effect === 'execute' && this.#why === 'timeout' ? COMMAND_SETTLE_MS : SETTLE_MS
  }

  #stop(why: 'interrupted' | 'timeout'): void {
    this.#why ??= why
    this.#abort.abort()
  }

  #interrupt = (): void => this.#stop('interrupted')

  /** Asks the policy, and a person where it says so. */
  async #permit(proposal: Proposal | undefined): Promise<ToolResult | { proposal: Proposal | undefined }> {
    const { tool, entry, input } = this.#ready
    const paths = proposal?.paths ?? tool.paths?.(input) ?? []
    const request: PolicyRequest =
      proposal?.command === undefined
        ? { kind: 'tool', tool: entry.name, effect: entry.effect, paths }
        : {
            kind: 'command',
            tool: entry.name,
            command: proposal.command,
            ...(proposal.cwd ? { cwd: proposal.cwd } : {}),
          }
    const title = proposal?.title ?? this.#ready.title
    let permitted: Proposal | undefined = proposal
    const refusal = await this.#decide(request, title, proposal, async (approval) => {
      const { droppedHunks, editedText } = approval
      if (!proposal || !tool.revise || (!droppedHunks?.length && editedText === undefined)) return undefined
      const revised = await tool.revise(input, proposal, approval, this.#context)
      if ('status' in revised) return revised
      permitted = revised
      return undefined
    })
    return refusal ?? { proposal: permitted }
  }

  /** Undefined when it may go on. */
  async #decide(
    request: PolicyRequest,
    title: string,
    proposal: Proposal | undefined,
    onYes?: (approval: Approval & { answer: 'yes' }) => Promise<ToolResult | undefined>,
  ): Promise<ToolResult | undefined> {
    const first = await this.#scope.policy.judge(request)
    if (first.verdict === 'allow') return undefined
    if (first.verdict === 'deny') return words.denied(title, first)
    return await this.#deadline.paused(() =>
      this.#scope.oneAtATime(async () => {
        // An approval given meanwhile may cover this call too.
        const judgement = await this.#scope.policy.judge(request)
        if (judgement.verdict === 'allow') return undefined
        if (judgement.verdict === 'deny') return words.denied(title, judgement)
        const approval = await this.#askPerson(this.#action(request, title, proposal, judgement))
        if (approval === undefined) return words.interrupted(false)
        if (approval.answer === 'unavailable') return words.nobodyToAsk(title, judgement)
        if (approval.answer === 'no') return words.userRejected(title, approval.reason)
        return await onYes?.(approval)
      }),
    )
  }

  #action(request: PolicyRequest, title: string, proposal: Proposal | undefined, judgement: Judgement): ApprovalAction {
    const { call, entry } = this.#ready
    const subject =
      request.kind === 'command' ? request.command : request.kind === 'host' ? request.host : request.paths?.[0]
    const { reason, level, source, silence, warning, remember } = judgement
    return {
      callId: call.id,
      tool: entry.name,
      effect: entry.effect,
      title,
      reason,
      level,
      remember: [...remember],
      ...(subject === undefined ? {} : { subject }),
      ...(proposal?.diff ? { diff: proposal.diff } : {}),
      ...(source ? { source } : {}),
      ...(silence === undefined ? {} : { silence }),
      ...(warning === undefined ? {} : { warning }),
    }
  }

  /** Undefined when the wait was interrupted. */
  async #askPerson(action: ApprovalAction): Promise<Approval | undefined> {
    if (this.#outer.aborted) return undefined
    await this.#scope.hooks?.onWaiting?.(this.#ready.call, 'approval', this.#facts)
    return await this.#untilAborted(this.#scope.approve([action], this.#outer))
  }

  async #untilAborted<T>(wait: Promise<T>): Promise<T | undefined> {
    wait.catch(() => undefined)
    let stop: (() => void) | undefined
    const aborted = new Promise<undefined>((resolve) => {
      stop = () => resolve(undefined)
      if (this.#outer.aborted) stop()
      else this.#outer.addEventListener('abort', stop, { once: true })
    })
    try {
      const answer = await Promise.race([wait, aborted])
      return this.#outer.aborted ? undefined : answer
    } finally {
      if (stop) this.#outer.removeEventListener('abort', stop)
    }
  }

  async #judgeHost(url: URL, addresses: readonly string[] | undefined): Promise<ToolResult | undefined> {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const title = `fetch ${url.href}`
    if (addresses) {
      // Whether the host is wanted was asked by its name; its addresses can only refuse it.
      const judgement = this.#scope.policy.judgeAddress(host, addresses)
      return judgement.verdict === 'deny' ? words.denied(title, judgement) : undefined
    }
    if (this.#hosts.has(host)) return undefined
    const { name: tool } = this.#ready.entry
    const refused = await this.#decide({ kind: 'host', host, url: url.href, tool }, title, undefined)
    if (!refused) this.#hosts.add(host)
    return refused
  }

  #makeContext(): ToolContext {
    const { call } = this.#ready
    const scope = this.#scope
    return {
      callId: call.id,
      sessionId: scope.sessionId,
      workspace: scope.workspace,
      index: scope.index(),
      commands: scope.commands,
      seen: scope.seen,
      syntax: scope.syntax,
      warned: scope.warned,
      keptOutput: scope.keptOutput,
      maxCharacters: resultCap(scope.window(), scope.limits?.maxResultChars),
      signal: this.#abort.signal,
      now: scope.clock,
      output: (stream, text) => scope.emit({ type: 'tool-output-delta', callId: call.id, stream, text }),
      setPlan: (items) => scope.setPlan(items),
      ask: (question) =>
        this.#deadline.paused(() =>
          scope.oneAtATime(async () => {
            await scope.hooks?.onWaiting?.(call, 'question', this.#facts)
            const whole = { ...question, id: randomUUID(), callId: call.id }
            return await this.#untilAborted(scope.ask(whole, this.#outer))
          }),
        ),
      allowHost: async (url, addresses) => {
        const refused = await this.#judgeHost(url, addresses)
        return refused ? { ok: false, reason: refused.text, refusal: refused } : { ok: true }
      },
    }
  }
}
