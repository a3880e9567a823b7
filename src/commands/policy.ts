// `codehound policy explain "COMMAND"`: how a command would be judged here, and by which rule. Runs nothing.
import { explainJudgement } from '../policy/explain.ts'
import type { Judgement, PolicyRequest } from '../policy/judgement.ts'
import type { Mode } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { Output } from './deps.ts'

export interface PolicyCommandRequest extends PolicyCircumstances {
  action: 'explain'
  command: string
  json?: boolean
}

interface PolicyCircumstances {
  mode?: Mode
  /** False with `--no-sandbox`. */
  sandbox?: boolean
  /** Folder it would start in; default: the root. */
  cwd?: string
}

export interface PolicyCommandDeps {
  stdout: Output
  /**
   * The policy a session here would have; `circumstances` says its mode and sandbox, `notes` what of the configuration
   * does not hold. Throws UserError for a folder that is none.
   */
  openPolicy(
    options: PolicyCircumstances,
  ): Promise<{ judge(request: PolicyRequest): Promise<Judgement>; circumstances: string; notes: readonly string[] }>
}

/** Explains and returns the exit code: done when it would run, refused when it would be asked about or refused. */
export async function run(
  { command, json, ...options }: PolicyCommandRequest,
  deps: PolicyCommandDeps,
): Promise<number> {
  if (command.trim() === '') {
    throw new UserError('usage', 'There is no command to explain.', {
      exitCode: EXIT.usage,
      suggestion: 'For example: codehound policy explain "npm test && git push"',
    })
  }
  const policy = await deps.openPolicy(options)
  const { cwd } = options
  const judgement = await policy.judge({ kind: 'command', command, ...(cwd === undefined ? {} : { cwd }) })
  const { circumstances, notes } = policy
  deps.stdout.write(
    json
      ? `${JSON.stringify({ command, circumstances, notes, ...judgement }, null, 2)}\n`
      : explainJudgement(command, circumstances, judgement) + notes.map((note) => `Note: ${note}\n`).join(''),
  )
  return judgement.verdict === 'allow' ? EXIT.done : EXIT.refused
}
