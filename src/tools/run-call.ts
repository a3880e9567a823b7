// One call from the state check to the handler's result: dedupe, proposal, policy, approval, handler with its deadline.
import { randomUUID } from 'node:crypto'
import type { ToolResult } from '../protocol/index.ts'
import type { SecretMask } from '../workspace/secrets/mask.ts'
import type { SeenFiles } from '../workspace/edit/seen-files.ts'
import { stampOf } from '../workspace/files/stamp.ts'
import type { CallMemory } from './call-memory.ts'
import { CallBounds } from './call-bounds.ts'
import { CallPermission } from './call-permission.ts'
import * as words from './call-words.ts'
import type { KeptOutput } from './kept-output.ts'
import type { ReadyCall } from './prepare-call.ts'
import { resultCap } from './result-cap.ts'
import type { CallFacts, ConflictChoice, ToolRunnerOptions } from './run-tool.ts'
import { callSignature } from './signature.ts'
import type { FileChange, Proposal, SyntaxCheck, ToolContext } from './tool.ts'
import { watchedCommand } from './watched-command.ts'

/** Milliseconds of a handler that sets no limit of its own. */
const DEFAULT_TIMEOUT_MS = 15_000
/** A file that changed under a proposal: it is proposed again so often. */
const PROPOSALS = 2

export interface CallScope extends Omit<ToolRunnerOptions, 'syntax' | 'secrets'> {
  secrets: SecretMask | undefined
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
  /** Text of hooks for the end of the result. */
  added?: string
  /** The result to compare repeats by: for a refused or cached repeat that of the call it repeats. */
  essence: ToolResult
}

export async function runCall(
  ready: ReadyCall,
  batchId: string,
  scope: CallScope,
  signal: AbortSignal,
): Promise<Executed> {
  const { tool, entry, key, title } = ready
  const { memory } = scope
  const state = stateOf(ready, scope)
  const instead = (result: ToolResult, essence = result): Executed => ({
    result,
    durationMs: 0,
    signature: state.signature,
    essence,
  })
  const once =
    entry.effect === 'read' ? tool.repeatable === true : entry.effect === 'write' && tool.repeatable !== false
  // An edit may have been refused for what the model had not read; a read in between changes that, and no file.
  const shown = entry.effect === 'write' ? `.${scope.seen.revision()}` : ''
  const recall =
    once && state.known
      ? callSignature(key, `${state.generation}.${memory.commandsRun}${shown}`, state.stamps)
      : undefined
  const earlier = recall === undefined ? undefined : memory.earlier(recall, scope.clock())
  if (earlier) {
    return instead(entry.effect === 'read' ? words.cached(earlier) : words.repeatedWrite(entry.name, earlier), earlier)
  }
  if (tool.unmasks !== true && scope.secrets && scope.secrets.carried(ready.input).length > 0) {
    return instead(words.carriesSecret(title))
  }
  // What leaves, runs or is published; a read stays here, and a write goes to a file of the user.
  if (tool.unmasks !== true && entry.effect !== 'read' && scope.secrets?.holdsKnown(ready.input)) {
    return instead(words.holdsSecret(entry.name))
  }
  const facts: CallFacts = { batchId, tool: entry.name, effect: entry.effect, title, durationMs: 0 }
  const one = new OneCall(ready, scope, facts, signal)
  let result: ToolResult
  try {
    result = await one.run()
  } catch (error) {
    result = one.bounds.stopped(one.started) ?? words.threw(entry.name, error)
  } finally {
    one.bounds.end()
  }
  if (recall !== undefined && isRepeatable(result)) memory.remember(recall, result, scope.clock())
  if (one.changesUnseen) memory.commandsRun += 1
  await takeIn(result, one.changesUnseen, scope)
  return {
    result,
    durationMs: one.bounds.deadline.elapsed(),
    signature: state.signature,
    essence: result,
    ...(one.added === undefined ? {} : { added: one.added }),
  }
}

interface CallState {
  generation: string
  stamps: string[]
  /** Call with state, for the loop guard. */
  signature: string
  /** False when the call names a folder and nobody would tell of a change below it. */
  known: boolean
}

function stateOf({ tool, input, key }: ReadyCall, scope: CallScope): CallState {
  const stamped = (tool.paths?.(input) ?? []).map((path) => stampOf(scope.workspace, path))
  const index = scope.index()
  const generation = `${scope.workspace.generation()}.${index?.generation ?? 0}`
  const stamps = stamped.map(({ stamp }) => stamp)
  const known = index?.status().watcher === 'watching' || stamped.every(({ folder }) => !folder)
  return { generation, stamps, signature: callSignature(key, generation, stamps), known }
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

/** The next call must find in the index what this one wrote. An index that cannot follow says so itself. */
async function takeIn(result: ToolResult, changesUnseen: boolean, scope: CallScope): Promise<void> {
  const changes = (result.data?.['changes'] ?? []) as FileChange[]
  if (changes.length > 0) {
    await indexChanges(
      changes.map(({ path }) => path),
      scope,
    )
  }
  if (changesUnseen) await indexChanges(undefined, scope)
}

/** Tells the index of changed files, or of changes nobody saw (undefined). */
export async function indexChanges(paths: string[] | undefined, scope: Pick<CallScope, 'index'>): Promise<void> {
  const index = scope.index()
  if (index?.status().state !== 'ready') return
  try {
    await (paths === undefined ? index.refresh() : index.changed(paths))
  } catch {
    // The result of the call stands; the index repairs itself at its next look.
  }
}

class OneCall {
  readonly bounds: CallBounds
  readonly permission: CallPermission
  /** What hooks add: beside the result, so that repeats are known by the result alone. */
  added: string | undefined
  /** A command ran that may have changed files without anybody seeing it. */
  changesUnseen = false
  readonly #ready: ReadyCall
  readonly #scope: CallScope
  readonly #facts: CallFacts
  readonly #context: ToolContext
  #started = false
  /** The proposal as it was allowed. */
  #approved: Proposal | undefined

  constructor(ready: ReadyCall, scope: CallScope, facts: CallFacts, signal: AbortSignal) {
    this.#ready = ready
    this.#scope = scope
    this.#facts = facts
    const { timeoutMs } = ready.tool
    const limitMs = typeof timeoutMs === 'function' ? timeoutMs(ready.input) : (timeoutMs ?? DEFAULT_TIMEOUT_MS)
    this.bounds = new CallBounds(ready.entry.name, ready.entry.effect, limitMs, signal)
    this.permission = new CallPermission(ready, scope, facts, this.bounds)
    this.#context = this.#makeContext()
  }

  /** Whether the handler itself was called. */
  get started(): boolean {
    return this.#started
  }

  async run(): Promise<ToolResult> {
    for (let round = 1; ; round++) {
      const result = await this.#attempt()
      const settled = await this.#settleConflict(result, round)
      if (settled) return settled
    }
  }

  /**
   * What becomes of a change whose file somebody changed between proposal and write: what was shown no longer holds. A
   * person chooses; where nobody can, it is proposed anew, and then skipped. Undefined: propose it anew.
   */
  async #settleConflict(result: ToolResult, round: number): Promise<ToolResult | undefined> {
    const { tool, input, title } = this.#ready
    const proposal = this.#approved
    if (result.code !== 'STALE_FILE' || !proposal) return result
    const fitted = await tool.refit?.(proposal, this.#context)
    const choice = await this.#chooseInConflict(result.text, fitted !== undefined)
    if (choice === 'skip') return words.skippedInConflict(title, true)
    if (choice === 'regenerate') return result
    if (choice === undefined) return round < PROPOSALS ? undefined : words.skippedInConflict(title, false)
    this.#approved = fitted
    const again = await this.#runHandler(() => this.bounds.handler(() => tool.run(input, this.#context, fitted), true))
    return await this.#settleConflict(again, round)
  }

  /** Undefined when nobody can choose, or the wait was interrupted. */
  async #chooseInConflict(message: string, fits: boolean): Promise<ConflictChoice | undefined> {
    const scope = this.#scope
    if (this.bounds.interrupted) return undefined
    return await this.bounds.deadline.paused(() =>
      scope.oneAtATime(() =>
        this.bounds.person(async () => {
          await scope.hooks?.onWaiting?.(this.#ready.call, 'approval', this.#facts)
          const choices: ConflictChoice[] = fits ? ['apply', 'skip', 'regenerate'] : ['skip', 'regenerate']
          return await scope.chooseInConflict?.(message, choices, this.bounds.signal)
        }),
      ),
    )
  }

  async #attempt(): Promise<ToolResult> {
    const { tool, input, title, call } = this.#ready
    const { hooks } = this.#scope
    let proposal: Proposal | undefined
    if (tool.propose) {
      const proposed = await this.bounds.handler(() => tool.propose!(input, this.#context), false)
      if ('status' in proposed) return proposed
      proposal = proposed
    }
    const refused = await this.permission.judgeCall(proposal, async (answer) => {
      if (!answer.droppedHunks?.length && answer.editedText === undefined) return undefined
      // What was shown is what is done: a part that cannot be taken out stops the whole.
      if (!proposal || !tool.revise) {
        return words.userRejected(title, 'not as a whole; make each change as a call of its own')
      }
      const revised = await tool.revise(input, proposal, answer, this.#context)
      if ('status' in revised) return revised
      proposal = revised
      return undefined
    })
    if (refused) return refused
    const blocked = await hooks?.beforeTool?.(call, this.#facts)
    if (blocked !== undefined) return words.hookBlocked(title, blocked)
    if (this.bounds.interrupted) return words.interrupted(false)
    this.#started = true
    this.#approved = proposal
    const result = await this.#runHandler(() =>
      this.bounds.handler(() => tool.run(input, this.#context, proposal), true),
    )
    this.added = await hooks?.afterTool?.(call, result, this.#facts)
    return result
  }

  /** What a command that may change files changes is seen, unless it goes on in the background. */
  async #runHandler(run: () => Promise<ToolResult>): Promise<ToolResult> {
    const { entry, input, call, title } = this.#ready
    if (entry.effect !== 'execute' || this.permission.readOnly) return await run()
    this.changesUnseen = true
    if (input['background'] === true) return await run()
    const { workspace, sessionId } = this.#scope
    const origin = { sessionId, callId: call.id, tool: entry.name, description: title }
    const { result, seen, unwatched } = await watchedCommand(workspace, origin, run)
    this.changesUnseen = !seen
    if (unwatched !== undefined) this.#warnOnce(`What commands change here cannot be undone: ${unwatched}.`)
    return result
  }

  #warnOnce(text: string): void {
    if (this.#scope.warned.has(text)) return
    this.#scope.warned.add(text)
    this.#scope.emit({ type: 'notice', level: 'warning', text })
  }

  #makeContext(): ToolContext {
    const { call } = this.#ready
    const scope = this.#scope
    const { bounds } = this
    return {
      callId: call.id,
      sessionId: scope.sessionId,
      workspace: scope.workspace,
      index: scope.index(),
      openIndex: scope.openIndex ?? (() => Promise.resolve(scope.index())),
      whyNoIndex: () => scope.whyNoIndex?.(),
      commands: scope.commands,
      seen: scope.seen,
      syntax: scope.syntax,
      warned: scope.warned,
      secrets: scope.secrets,
      trusted: scope.trusted?.() ?? false,
      keptOutput: scope.keptOutput,
      maxCharacters: resultCap(scope.window(), scope.limits?.maxResultChars),
      signal: bounds.signal,
      now: scope.clock,
      output: (stream, text) => scope.emit({ type: 'tool-output-delta', callId: call.id, stream, text }),
      place: () => this.permission.place,
      askForPlace: (stop) => this.permission.askForPlace(stop),
      setPlan: (items) => scope.setPlan(items),
      delegate: scope.delegate && ((prompt) => scope.delegate!(prompt, call.id, bounds.signal)),
      ask: (question) =>
        bounds.deadline.paused(() =>
          scope.oneAtATime(() =>
            bounds.person(async () => {
              await scope.hooks?.onWaiting?.(call, 'question', this.#facts)
              return await scope.ask({ ...question, id: randomUUID(), callId: call.id }, bounds.signal)
            }),
          ),
        ),
      allowHost: async (url, addresses) => {
        const refused = await this.permission.judgeHost(url, addresses)
        return refused ? { ok: false, reason: refused.text, refusal: refused } : { ok: true }
      },
    }
  }
}
