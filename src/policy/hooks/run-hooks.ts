// Runs the commands a user hung on moments of a session, in the widespread form: JSON on stdin, exit 2 blocks with
// stderr as the reason. Promises: nothing runs in a folder that is not trusted; a hook may narrow and never widen; one
// that fails or hangs is told to the user and stops nothing. Does not promise an order: hooks of a moment run together.
import { runProcess } from '../../workspace/process/run-process.ts'
import { addAnswer, type HookOutcome } from './hook-answer.ts'
import { hookJson, toolNames, type HookEvent, type HookInput } from './hook-input.ts'

export interface HookGroup {
  /** Regular expression over the whole tool name, codehound's or the widespread one; all tools when missing, empty or `*`. */
  matcher?: string | undefined
  hooks: readonly { command: string; timeout?: number | undefined }[]
}

export type HookConfig = Partial<Readonly<Record<HookEvent, readonly HookGroup[] | undefined>>>

export interface HookRunnerOptions {
  hooks: HookConfig
  /** Absolute path of the workspace: where hooks run. */
  root: string
  sessionId: string
  /** Hooks of an untrusted folder do not run. */
  trusted: boolean
  /** The environment for commands; see `commandEnvironment`. */
  env: Readonly<Record<string, string>>
}

export interface HookRunner {
  /** True when a hook hangs on this moment, so that callers need not wait for nothing. */
  has(event: HookEvent): boolean
  run(event: HookEvent, input?: HookInput, signal?: AbortSignal): Promise<HookOutcome>
}

/** Seconds until a hook counts as hanging; the widespread default. */
const DEFAULT_TIMEOUT_S = 60
/** Bytes of a hook's output that are read. */
const OUTPUT_BYTES = 64 * 1024
/** Moments at which a hook's plain output is context for the model. */
const CONTEXTUAL: ReadonlySet<HookEvent> = new Set(['session-start', 'user-prompt'])

export function createHookRunner(options: HookRunnerOptions): HookRunner {
  const groupsOf = (event: HookEvent): readonly HookGroup[] =>
    options.trusted ? (options.hooks[event] ?? []).filter((group) => group.hooks.length > 0) : []
  return {
    has: (event) => groupsOf(event).length > 0,
    run: async (event, input = {}, signal) => {
      const outcome: HookOutcome = { context: [], problems: [] }
      const hooks = groupsOf(event)
        .filter((group) => input.tool === undefined || matches(group.matcher, toolNames(input.tool), outcome))
        .flatMap((group) => group.hooks)
      if (hooks.length === 0) return outcome
      const json = JSON.stringify(hookJson(event, input, options))
      const results = await Promise.all(
        hooks.map(({ command, timeout }) =>
          runProcess({
            command,
            cwd: options.root,
            env: { ...options.env, CODEHOUND_PROJECT_DIR: options.root, CLAUDE_PROJECT_DIR: options.root },
            input: `${json}\n`,
            timeoutMs: (timeout ?? DEFAULT_TIMEOUT_S) * 1000,
            memoryBytes: OUTPUT_BYTES,
            ...(signal ? { signal } : {}),
          }),
        ),
      )
      results.forEach((result, at) => addAnswer(outcome, hooks[at]!.command, result, CONTEXTUAL.has(event)))
      return outcome
    },
  }
}

function matches(matcher: string | undefined, names: readonly string[], outcome: HookOutcome): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  try {
    const whole = new RegExp(`^(?:${matcher})$`)
    return names.some((name) => whole.test(name))
  } catch {
    // Careful hooks guard; one whose matcher cannot be read guards everything.
    const problem = `the matcher ${JSON.stringify(matcher)} is no regular expression, so its hooks run for every tool`
    if (!outcome.problems.includes(problem)) outcome.problems.push(problem)
    return true
  }
}
