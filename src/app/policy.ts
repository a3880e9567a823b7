// The policy of a session, from configuration, workspace and sandbox.
import { isLoopback } from '../model/address.ts'
import { modeRefusal } from '../policy/mode.ts'
import { createPolicy } from '../policy/policy.ts'
import type { Policy } from '../policy/policy.ts'
import { parseRuleText } from '../policy/rules/rule.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import { commandFacts } from '../workspace/command-facts.ts'
import type { Sandbox } from '../workspace/sandbox/sandbox.ts'
import type { Opened } from './opened.ts'

/** Throws UserError when the configured mode may not be entered. */
export function makePolicy(
  { loaded, workspace, options, global }: Opened,
  interactive: boolean,
  sandbox: Sandbox,
): Policy {
  const { config } = loaded
  const { commands, permissions } = config
  const { mode } = permissions
  const conditions = { sandboxed: sandbox.active, noSandbox: options.sandbox === false }
  const refusal = modeRefusal(mode, conditions)
  if (refusal !== undefined) throw new UserError('usage', refusal, { exitCode: EXIT.usage })
  return createPolicy({
    root: workspace.root,
    mode,
    rules: permissions.rules.flatMap((text) => {
      const rule = parseRuleText(text)
      return rule ? [{ ...rule, level: 'app' as const }] : []
    }),
    block: commands.block,
    allow: commands.allow.map((pattern) => ({ pattern })),
    confirm: commands.confirm,
    askForUnknown: commands.askForUnknown,
    interactive,
    ...conditions,
    trusted: global.isTrusted(workspace.root),
    additionalRoots: permissions.additionalRoots,
    facts: commandFacts(workspace),
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
