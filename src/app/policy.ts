// The policy of a session, from configuration, workspace and sandbox.
import type { Config } from '../config/schema.ts'
import { isLoopback } from '../model/address.ts'
import { factApprovals } from '../policy/approvals.ts'
import { modeRefusal } from '../policy/mode.ts'
import { createPolicy } from '../policy/policy.ts'
import type { Policy } from '../policy/policy.ts'
import type { Mode } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import { cacheFolder, workspaceId } from '../store/data-folder.ts'
import { commandFacts } from '../workspace/command-facts.ts'
import { allowedVariables } from '../workspace/process/environment.ts'
import type { Sandbox } from '../workspace/sandbox/sandbox.ts'
import { backendKeys } from './backend-keys.ts'
import type { Opened } from './opened.ts'
import { configuredRules, directoryRules, placesOf } from './policy-rules.ts'

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
  const [allowed, blocked] = [placesOf(loaded, ['commands', 'allow']), placesOf(loaded, ['commands', 'block'])]
  return createPolicy({
    root: workspace.root,
    mode,
    rules: await configuredRules(loaded, global.isTrusted(workspace.root)),
    directoryRules: directoryRules(workspace.root, cacheFolder()),
    block: commands.block,
    blockPlace: (entry) => blocked.get(entry),
    allow: commands.allow.map((pattern) => ({ pattern, ...allowed.get(pattern) })),
    confirm: commands.confirm,
    askForUnknown: commands.askForUnknown,
    interactive,
    ...conditions,
    ...(sandbox.refusal === undefined ? {} : { refuseCommands: sandbox.refusal }),
    trusted: global.isTrusted(workspace.root),
    additionalRoots: permissions.additionalRoots,
    facts: commandFacts(
      workspace,
      allowedVariables(process.env, { allow: commands.env, secrets: backendKeys(config) }),
    ),
    approvals: factApprovals(global, workspaceId(workspace.root)),
  })
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
