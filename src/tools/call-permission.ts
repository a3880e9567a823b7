import type { Judgement, PolicyRequest, SegmentJudgement } from '../policy/judgement.ts'
import { rememberedPlace } from '../policy/sandbox-rules.ts'
import type { CommandPlace } from '../workspace/process/confinement.ts'
import type { SandboxStop } from '../workspace/sandbox/stopped.ts'
import type { Wider } from './sandbox-stop.ts'
import type { ApprovalAction, FileDiff, ToolResult } from '../protocol/index.ts'
import type { CallBounds } from './call-bounds.ts'
import * as words from './call-words.ts'
import type { ReadyCall } from './prepare-call.ts'
import type { CallScope } from './run-call.ts'
import type { Approval, CallFacts } from './run-tool.ts'
import type { Proposal } from './tool.ts'

type Yes = Approval & { answer: 'yes' }

/** What one call may do: the policy decides, and a person where it says so. */
export class CallPermission {
  /** False as soon as something was allowed that may change files: a command judged read-only changes none. */
  readOnly = true
  /** Where its command runs. */
  place: CommandPlace = 'inside'
  #command: { request: PolicyRequest; segments: readonly SegmentJudgement[] } | undefined
  readonly #ready: ReadyCall
  readonly #scope: CallScope
  readonly #facts: CallFacts
  readonly #bounds: CallBounds
  /** Hosts this call may contact: a redirect within one asks no second time. */
  readonly #hosts = new Set<string>()

  constructor(ready: ReadyCall, scope: CallScope, facts: CallFacts, bounds: CallBounds) {
    this.#ready = ready
    this.#scope = scope
    this.#facts = facts
    this.#bounds = bounds
  }

  /** The refusal of a call, or undefined. `onYes` takes what a person changed in the proposal. */
  async judgeCall(
    proposal: Proposal | undefined,
    onYes: (answer: Yes) => Promise<ToolResult | undefined>,
  ): Promise<ToolResult | undefined> {
    const { tool, entry, input, title, call } = this.#ready
    const wish = call.validationRequest === undefined ? {} : { validationRequest: call.validationRequest }
    const request: PolicyRequest =
      proposal?.command === undefined
        ? {
            kind: 'tool',
            tool: entry.name,
            effect: entry.effect,
            paths: proposal?.paths ?? tool.paths?.(input) ?? [],
            ...wish,
          }
        : {
            kind: 'command',
            tool: entry.name,
            command: proposal.command,
            ...(proposal.cwd === undefined ? {} : { cwd: proposal.cwd }),
            ...wish,
          }
    return await this.#decide(request, proposal?.title ?? title, proposal, onYes)
  }

  /** The refusal of a host, or undefined; with addresses, whether they lead where no page may. */
  async judgeHost(url: URL, addresses: readonly string[] | undefined): Promise<ToolResult | undefined> {
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

  /** Asks whether the command of this call, which the sandbox stopped, may run again at a wider place. */
  async askForPlace({ place, text }: SandboxStop): Promise<Wider> {
    const command = this.#command
    if (!command) return { setting: `sandbox: ${place} …` }
    const remember = rememberedPlace(command.segments, place)
    const setting = remember[0] === undefined ? `sandbox: ${place} …` : `allow ${remember[0]}`
    const how = place === 'network' ? 'with the network' : 'outside of the sandbox'
    const title = `run again ${how}: ${subjectOf(command.request) ?? this.#ready.title}`
    const judgement: Judgement = {
      verdict: 'ask',
      level: 'app',
      rule: 'sandbox',
      reason: text,
      silence: `the rule "${setting}" in permissions.rules`,
      ...(place === 'outside' ? { warning: 'Outside of the sandbox it can read and change all that you can.' } : {}),
      remember,
    }
    return await this.#bounds.deadline.paused(() =>
      this.#scope.oneAtATime(async () => {
        const approval = await this.#bounds.person(async () => {
          await this.#scope.hooks?.onWaiting?.(this.#ready.call, 'approval', this.#facts)
          const action = actionOf(this.#ready, command.request, title, undefined, judgement)
          return await this.#scope.approve([action], this.#bounds.signal)
        })
        if (approval === undefined) return { refusal: words.interrupted(true) }
        if (approval.answer === 'unavailable') return { setting }
        if (approval.answer === 'no') return { refusal: words.userRejected(title, approval.reason) }
        return { place }
      }),
    )
  }

  async #decide(
    request: PolicyRequest,
    title: string,
    proposal: Proposal | undefined,
    onYes?: (answer: Yes) => Promise<ToolResult | undefined>,
  ): Promise<ToolResult | undefined> {
    const first = await this.#scope.policy.judge(request)
    this.readOnly &&= first.readOnly === true
    if (request.kind === 'command') {
      this.place = first.place ?? 'inside'
      this.#command = { request, segments: first.segments ?? [] }
    }
    if (first.verdict === 'allow') return undefined
    if (first.verdict === 'deny') return words.denied(title, first)
    return await this.#bounds.deadline.paused(() =>
      this.#scope.oneAtATime(async () => {
        // An approval given meanwhile may cover this call too.
        const judgement = await this.#scope.policy.judge(request)
        if (judgement.verdict === 'allow') return undefined
        if (judgement.verdict === 'deny') return words.denied(title, judgement)
        const parts = proposal?.diffs ?? [proposal?.diff]
        const actions = parts.map((diff) => actionOf(this.#ready, request, title, diff, judgement))
        const approval = await this.#bounds.person(async () => {
          await this.#scope.hooks?.onWaiting?.(this.#ready.call, 'approval', this.#facts)
          return await this.#scope.approve(actions, this.#bounds.signal)
        })
        if (approval === undefined) return words.interrupted(false)
        if (approval.answer === 'unavailable') return words.nobodyToAsk(title, judgement)
        if (approval.answer === 'no') return words.userRejected(title, approval.reason)
        return await onYes?.(approval)
      }),
    )
  }
}

function actionOf(
  { call, entry }: ReadyCall,
  request: PolicyRequest,
  title: string,
  diff: FileDiff | undefined,
  judgement: Judgement,
): ApprovalAction {
  const { reason, level, source, silence, warning, remember } = judgement
  const subject = diff?.path ?? subjectOf(request)
  return {
    callId: call.id,
    tool: entry.name,
    effect: entry.effect,
    title,
    reason,
    level,
    remember: [...remember],
    ...(subject === undefined ? {} : { subject }),
    ...(diff ? { diff } : {}),
    ...(source ? { source } : {}),
    ...(silence === undefined ? {} : { silence }),
    ...(warning === undefined ? {} : { warning }),
  }
}

function subjectOf(request: PolicyRequest): string | undefined {
  if (request.kind === 'command') return request.command
  return request.kind === 'host' ? request.host : request.paths?.[0]
}
