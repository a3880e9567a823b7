// The policy of a session, from configuration, workspace and sandbox.
import { sourceOf } from '../config/explain.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { Config } from '../config/schema.ts'
import { isLoopback } from '../model/address.ts'
import { factApprovals } from '../policy/approvals.ts'
import { modeRefusal } from '../policy/mode.ts'
import { createPolicy } from '../policy/policy.ts'
import type { Policy } from '../policy/policy.ts'
import type { Rule } from '../policy/rules/rule.ts'
import type { Mode } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import { workspaceId } from '../store/data-folder.ts'
import { commandFacts } from '../workspace/command-facts.ts'
import type { Sandbox } from '../workspace/sandbox/sandbox.ts'
import type { Opened } from './opened.ts'

/** `edit.autoApply: true` and `edit.alwaysConfirm: false` are other words for mode auto-edit. */
function startMode({ permissions, edit }: Config): Mode {
  const applies = edit.autoApply || !edit.alwaysConfirm
  return permissions.mode === 'ask' && applies ? 'auto-edit' : permissions.mode
}

/** Throws UserError when the configured mode may not be entered, or a rule cannot be read. */
export async function makePolicy(
  { loaded, workspace, options, global }: Pick<Opened, 'loaded' | 'workspace' | 'options' | 'global'>,
  interactive: boolean,
  sandbox: Sandbox,
): Promise<Policy> {
  const { config } = loaded
  const { commands, permissions } = config
  const mode = startMode(config)
  const conditions = { sandboxed: sandbox.active, noSandbox: options.sandbox === false }
  const refusal = modeRefusal(mode, conditions)
  if (refusal !== undefined) throw new UserError('usage', refusal, { exitCode: EXIT.usage })
  return createPolicy({
    root: workspace.root,
    mode,
    rules: await rulesOf(loaded),
    block: commands.block,
    allow: commands.allow.map((pattern) => ({ pattern })),
    confirm: commands.confirm,
    askForUnknown: commands.askForUnknown,
    interactive,
    ...conditions,
    ...(sandbox.refusal === undefined ? {} : { refuseCommands: sandbox.refusal }),
    trusted: global.isTrusted(workspace.root),
    additionalRoots: permissions.additionalRoots,
    facts: commandFacts(workspace),
    approvals: factApprovals(global, workspaceId(workspace.root)),
  })
}

/** The rules of the configuration with where they stand; their examples are checked. */
async function rulesOf(loaded: LoadedConfig): Promise<Rule[]> {
  const entries = loaded.config.permissions.rules
  if (entries.length === 0) return []
  const { loadRules } = await import('../policy/rules/load-rules.ts')
  const { rules, faults } = await loadRules(entries, (index) => {
    const { layer, file, line } = sourceOf(loaded, ['permissions', 'rules', String(index)])
    return {
      level: layer === 'workspace' ? 'workspace' : 'app',
      ...(file === undefined ? {} : { source: { file, line: line ?? 1 } }),
    }
  })
  const [fault] = faults
  if (fault !== undefined) throw new UserError('config', fault, { exitCode: EXIT.usage })
  return rules
}

/** `--offline`: no host but this machine, whatever the rules say. */
export function offline(policy: Policy): Pick<Policy, 'judge' | 'judgeAddress'> {
  return {
    judgeAddress: (host, addresses) => policy.judgeAddress(host, addresses),
    judge: async (request) =>
      request.kind === 'host' && !isLoopback(`http://${request.host}`)
        ? {
            verdict: 'deny',
            level: 'app',
            rule: '--offline',
            reason: `--offline refuses ${request.host}.`,
            code: 'HOST_REFUSED',
            remember: [],
          }
        : policy.judge(request),
  }
}
