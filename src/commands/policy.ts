// `codehound policy`: how a command would be judged here and by which rule, what rules hold, and forgetting approvals. Runs nothing.
import { explainJudgement, rulesText } from '../policy/explain.ts'
import type { ListedRule } from '../policy/policy.ts'
import type { Judgement, PolicyRequest } from '../policy/judgement.ts'
import type { Mode } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { Output } from './deps.ts'

export type PolicyCommandRequest =
  | (PolicyCircumstances & { action: 'explain'; command: string; json?: boolean })
  | { action: 'list'; json?: boolean }
  | {
      action: 'forget'
      /** The rule as `list` shows it; undefined forgets every approval. */
      rule: string | undefined
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
  openPolicy(options: PolicyCircumstances): Promise<{
    judge(request: PolicyRequest): Promise<Judgement>
    circumstances: string
    notes: readonly string[]
    rules: readonly ListedRule[]
  }>
  /** Forgets one kept approval of this workspace, or every one; gives what was forgotten. */
  forgetApprovals(rule: string | undefined): Promise<readonly string[]>
}

/** Does what is asked and returns the exit code; that of `explain` is refused for what would be asked about or refused. */
export async function run(request: PolicyCommandRequest, deps: PolicyCommandDeps): Promise<number> {
  switch (request.action) {
    case 'list':
      return await list(request.json ?? false, deps)
    case 'forget':
      return await forget(request, deps)
    case 'explain':
      return await explain(request, deps)
  }
}

async function list(json: boolean, deps: PolicyCommandDeps): Promise<number> {
  const { stdout } = deps
  const { rules, notes } = await deps.openPolicy({})
  if (json) stdout.write(`${JSON.stringify({ rules, notes }, null, 2)}\n`)
  else stdout.write(`${rulesText(rules)}\n${notes.map((note) => `Note: ${note}\n`).join('')}`)
  return EXIT.done
}

async function forget(
  { rule, json }: Extract<PolicyCommandRequest, { action: 'forget' }>,
  deps: PolicyCommandDeps,
): Promise<number> {
  const { stdout } = deps
  const forgotten = await deps.forgetApprovals(rule)
  if (rule !== undefined && forgotten.length === 0) {
    throw new UserError('usage', `There is no approval ${JSON.stringify(rule)} in this workspace.`, {
      exitCode: EXIT.usage,
      suggestion: 'codehound policy list shows them; rules of a configuration are changed in its file',
    })
  }
  if (json) stdout.write(`${JSON.stringify({ forgotten }, null, 2)}\n`)
  else
    stdout.write(
      forgotten.length === 0
        ? 'There is nothing to forget.\n'
        : forgotten.map((text) => `Forgotten: ${text}\n`).join(''),
    )
  return EXIT.done
}

async function explain(
  { command, json, mode, sandbox, cwd }: Extract<PolicyCommandRequest, { action: 'explain' }>,
  deps: PolicyCommandDeps,
): Promise<number> {
  if (command.trim() === '') {
    throw new UserError('usage', 'There is no command to explain.', {
      exitCode: EXIT.usage,
      suggestion: 'For example: codehound policy explain "npm test && git push"',
    })
  }
  const policy = await deps.openPolicy({
    ...(mode === undefined ? {} : { mode }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(cwd === undefined ? {} : { cwd }),
  })
  const judgement = await policy.judge({ kind: 'command', command, ...(cwd === undefined ? {} : { cwd }) })
  const { circumstances, notes } = policy
  deps.stdout.write(
    json
      ? `${JSON.stringify({ command, circumstances, notes, ...judgement }, null, 2)}\n`
      : explainJudgement(command, circumstances, judgement) + notes.map((note) => `Note: ${note}\n`).join(''),
  )
  return judgement.verdict === 'allow' ? EXIT.done : EXIT.refused
}
