// What the call manager remembers of earlier calls: ids, results by signature, and the last executions. Pure but for its
// own state; time is an argument.
import type { ToolResult } from '../protocol/index.ts'
import type { ExecutionRecord, ToolStats } from './run-tool.ts'

/** A call id may not come again for so long. Milliseconds. */
const ID_MEMORY_MS = 5 * 60_000
/** A repeated read is answered from the record, and a repeated write refused, for so long. Milliseconds. */
const SIGNATURE_MEMORY_MS = 30_000
/** Results kept for repeats; each may be as large as a file. */
const REMEMBERED_RESULTS = 64
const REMEMBERED_CHARACTERS = 500_000
const HISTORY_LENGTH = 200
/** Characters of one text argument in the history: a written file is in the journal already. */
const HISTORY_CHARACTERS = 500

interface Remembered {
  time: number
  result: ToolResult
}

export class CallMemory {
  /** Commands that may have changed files without anybody telling. */
  commandsRun = 0
  readonly #ids = new Map<string, number>()
  readonly #results = new Map<string, Remembered>()
  readonly #history: ExecutionRecord[] = []
  #loopRefusals = 0
  #nudges = 0

  /** Takes a call id; false when it was taken less than five minutes ago. */
  takeId(id: string, now: number): boolean {
    for (const [old, time] of this.#ids) {
      if (now - time < ID_MEMORY_MS) break
      this.#ids.delete(old)
    }
    if (this.#ids.has(id)) return false
    this.#ids.set(id, now)
    return true
  }

  /** The result of the same call in the same state, when it is fresh enough. */
  earlier(signature: string, now: number): ToolResult | undefined {
    const found = this.#results.get(signature)
    return found && now - found.time < SIGNATURE_MEMORY_MS ? found.result : undefined
  }

  remember(signature: string, result: ToolResult, now: number): void {
    if (result.text.length > REMEMBERED_CHARACTERS) return
    this.#results.delete(signature)
    this.#results.set(signature, { time: now, result })
    for (const [old, { time }] of this.#results) {
      if (this.#results.size <= REMEMBERED_RESULTS && now - time < SIGNATURE_MEMORY_MS) break
      this.#results.delete(old)
    }
  }

  record(execution: ExecutionRecord): void {
    this.#history.push({ ...execution, args: shortened(execution.args) })
    if (this.#history.length > HISTORY_LENGTH) this.#history.shift()
    if (execution.code === 'ANTI_LOOP_ID' || execution.code === 'ANTI_LOOP_SIGNATURE') this.#loopRefusals += 1
  }

  noteNudge(): void {
    this.#nudges += 1
  }

  history(): readonly ExecutionRecord[] {
    return this.#history
  }

  /** Over the history. Calls that did not run (`not_run`, `cached`) have no duration and are left out. */
  stats(): ToolStats {
    const byTool = new Map<string, ExecutionRecord[]>()
    for (const each of this.#history) {
      if (each.status === 'not_run' || each.status === 'cached') continue
      byTool.set(each.tool, [...(byTool.get(each.tool) ?? []), each])
    }
    const tools = [...byTool].map(([name, runs]) => {
      const durations = runs.map((each) => each.durationMs).sort((a, b) => a - b)
      return {
        name,
        runs: runs.length,
        successRate: runs.filter((each) => each.status === 'success').length / runs.length,
        p50: percentile(durations, 0.5),
        p95: percentile(durations, 0.95),
      }
    })
    tools.sort((a, b) => (a.name < b.name ? -1 : 1))
    return { tools, loopRefusals: this.#loopRefusals, nudges: this.#nudges }
  }
}

function shortened(args: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > HISTORY_CHARACTERS ? `${value.slice(0, HISTORY_CHARACTERS)}…` : value,
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
}

/** Nearest rank. */
function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0
}
