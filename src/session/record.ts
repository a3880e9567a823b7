// The end-of-run report, made from the events of the run and never by the model.
import type { LoopEnd } from '../agent/ports.ts'
import type { Event, ModelErrorCode, Outcome, Report } from '../protocol/index.ts'

/** Exit codes of a headless run (tui.md): 0 done, 1 failed, 3 model unreachable, 4 limit, 5 refused, 130 interrupted. */
const exitCodes: Record<Outcome, number> = {
  done: 0,
  failed: 1,
  unreachable: 3,
  limit: 4,
  refused: 5,
  interrupted: 130,
}

/** Codes of results that stand for an action nobody allowed. */
const refusalCodes = new Set([
  'DENIED',
  'NOT_ALLOWED_IN_MODE',
  'HOST_REFUSED',
  'VALIDATION_CANCELLED',
  'USER_REJECTED',
  'HOOK_BLOCKED',
  'SECRET',
])

/** Model errors after which no answer could be had at all. */
const unreachable: ReadonlySet<string> = new Set<ModelErrorCode>([
  'rate_limit',
  'model_not_found',
  'auth_error',
  'timeout',
  'server_error',
  'network',
])

/** Reduces the events of one run to its report. */
export class RunRecord {
  private readonly files = new Map<string, Report['filesChanged'][number]>()
  private readonly commands: Report['commands'] = []
  private readonly repository: string[] = []
  private readonly refused = new Map<string, Report['refused'][number]>()
  private readonly calls = new Map<string, { tool: string; title: string }>()
  private readonly hosts = new Set<string>()
  private tests: Report['tests']
  private plan: Report['plan'] = []
  private turns = 0
  private toolCalls = 0
  private inputTokens = 0
  private outputTokens = 0
  private cachedTokens = 0
  private readonly startedAt: number
  /** True when a person is there: what a person refused is no failure of the run. */
  private readonly interactive: boolean

  constructor(startedAt: number, interactive: boolean) {
    this.startedAt = startedAt
    this.interactive = interactive
  }

  take(event: Event): void {
    switch (event.type) {
      case 'turn-end':
        this.turns += 1
        this.inputTokens += event.usage?.inputTokens ?? 0
        this.outputTokens += event.usage?.outputTokens ?? 0
        this.cachedTokens += event.usage?.cachedTokens ?? 0
        break
      case 'tool-call':
        this.toolCalls += 1
        this.calls.set(event.call.id, { tool: event.call.name, title: event.title })
        break
      case 'file-change':
        this.takeChange(event)
        break
      case 'tool-result':
        this.takeResult(event)
        break
      case 'plan-update':
        this.plan = event.items
        break
      default:
    }
  }

  private takeChange(event: Extract<Event, { type: 'file-change' }>): void {
    const before = this.files.get(event.path)
    const added = (before?.added ?? 0) + (event.diff?.added ?? 0)
    const removed = (before?.removed ?? 0) + (event.diff?.removed ?? 0)
    if (before?.change === 'created' && event.change === 'deleted') this.files.delete(event.path)
    else {
      const change = before?.change === 'created' ? 'created' : event.change
      this.files.set(event.path, { path: event.path, change, added, removed })
    }
    if (this.tests) this.tests.stale = true
  }

  private takeResult({ callId, tool, result, durationMs }: Extract<Event, { type: 'tool-result' }>): void {
    const call = this.calls.get(callId)
    const what = call?.title ?? tool
    if (result.code !== undefined && refusalCodes.has(result.code)) {
      this.refused.set(what, { tool, what, reason: result.text })
      return
    }
    // The same action was done after all, so its refusal no longer stands.
    if (result.status === 'success') this.refused.delete(what)
    const data = result.data ?? {}
    // What a sub-agent used of the model counts as this run's.
    if (tool === 'task') {
      this.inputTokens += Number(data['inputTokens'] ?? 0)
      this.outputTokens += Number(data['outputTokens'] ?? 0)
      this.cachedTokens += Number(data['cachedTokens'] ?? 0)
    }
    if (tool === 'shell_exec' && typeof data['command'] === 'string') {
      const exitCode = typeof data['exitCode'] === 'number' ? data['exitCode'] : null
      const pipes = data['pipes'] as Report['commands'][number]['pipes']
      this.commands.push({ command: data['command'], exitCode, durationMs, ...(pipes ? { pipes } : {}) })
    }
    if (Array.isArray(data['repository'])) this.repository.push(...data['repository'].map(String))
    for (const what of (data['protected'] ?? []) as string[])
      this.refused.set(what, { tool, what, reason: 'A command changed it, and other programs run or obey it.' })
    this.tests = testsIn(tool, data) ?? this.tests
    if (typeof data['host'] === 'string') this.hosts.add(data['host'])
  }

  /** Closes the record. */
  report(
    end: LoopEnd,
    facts: { sessionId: string; model: string; modelHost: string | undefined; now: number },
  ): Report {
    const outcome = this.outcome(end)
    const hosts = [...(facts.modelHost === undefined ? [] : [facts.modelHost]), ...this.hosts]
    return {
      outcome,
      exitCode: exitCodes[outcome],
      sessionId: facts.sessionId,
      model: facts.model,
      turns: this.turns,
      toolCalls: this.toolCalls,
      inputTokens: this.inputTokens,
      outputTokens: this.outputTokens,
      cachedTokens: this.cachedTokens,
      elapsedMs: Math.round(facts.now - this.startedAt),
      filesChanged: [...this.files.values()],
      commands: this.commands,
      ...(this.repository.length > 0 ? { repository: this.repository } : {}),
      ...(this.tests ? { tests: this.tests } : {}),
      refused: [...this.refused.values()],
      plan: this.plan,
      hosts: [...new Set(hosts)],
      ...(end.outcome === 'failed' ? { error: end.error } : {}),
      ...(end.outcome === 'limit'
        ? {
            error: {
              code: 'limit' as const,
              message: end.text,
              recoverable: true,
              suggestion: 'Go on with --continue.',
            },
          }
        : {}),
    }
  }

  private outcome(end: LoopEnd): Outcome {
    if (end.outcome === 'failed') return unreachable.has(end.error.code) ? 'unreachable' : 'failed'
    if (end.outcome !== 'done') return end.outcome
    return !this.interactive && this.refused.size > 0 ? 'refused' : 'done'
  }
}

/** How a run of the tests ended; one that failed without counts stands as one failed test, so that no earlier success hides it. */
function testsIn(tool: string, data: Readonly<Record<string, unknown>>): Report['tests'] {
  if (tool !== 'run_tests' || data['exitCode'] === undefined) return undefined
  const counted = typeof data['passed'] === 'number'
  if (!counted && data['exitCode'] === 0) return undefined
  return {
    passed: Number(data['passed'] ?? 0),
    failed: counted ? Number(data['failed'] ?? 0) : 1,
    skipped: Number(data['skipped'] ?? 0),
    command: typeof data['command'] === 'string' ? data['command'] : '',
    stale: false,
    ...(counted ? {} : { uncounted: true }),
  }
}
