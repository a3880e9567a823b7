// `codehound policy explain "COMMAND"`: how a command would be judged here, and by which rule. Runs nothing.
import { explainJudgement } from '../policy/explain.ts'
import type { Judgement, PolicyRequest } from '../policy/judgement.ts'
import { EXIT } from '../protocol/user-error.ts'
import type { Output } from './deps.ts'

export interface PolicyCommandRequest {
  action: 'explain'
  command: string
  /** Folder it would start in; default: the root. */
  cwd?: string
  json?: boolean
}

export interface PolicyCommandDeps {
  stdout: Output
  /** The policy a session here would have, with the same options. */
  openPolicy(): Promise<{ judge(request: PolicyRequest): Promise<Judgement> }>
}

/** Explains and returns the exit code: done when it would run, refused when it would be asked about or refused. */
export async function run({ command, cwd, json }: PolicyCommandRequest, deps: PolicyCommandDeps): Promise<number> {
  const policy = await deps.openPolicy()
  const judgement = await policy.judge({ kind: 'command', command, ...(cwd === undefined ? {} : { cwd }) })
  deps.stdout.write(json ? `${JSON.stringify(judgement, null, 2)}\n` : explainJudgement(command, judgement))
  return judgement.verdict === 'allow' ? EXIT.done : EXIT.refused
}
