// The policy of a session, from configuration, workspace and sandbox.
import { sourceOf } from '../config/explain.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { Config } from '../config/schema.ts'
import { isLoopback } from '../model/address.ts'
import { modeRefusal } from '../policy/mode.ts'
import { createPolicy } from '../policy/policy.ts'
import type { Policy } from '../policy/policy.ts'
import { parseRuleText } from '../policy/rules/rule.ts'
import type { Rule } from '../policy/rules/rule.ts'
import type { Mode } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import { commandFacts } from '../workspace/command-facts.ts'
import type { Sandbox } from '../workspace/sandbox/sandbox.ts'
import type { Opened } from './opened.ts'

/** `edit.autoApply: true` and `edit.alwaysConfirm: false` are other words for mode auto-edit. */
function startMode({ permissions, edit }: Config): Mode {
  const applies = edit.autoApply || !edit.alwaysConfirm
  return permissions.mode === 'ask' && applies ? 'auto-edit' : permissions.mode
}

/** Throws UserError when the configured mode may not be entered, or a rule cannot be read. */
export function makePolicy(
  { loaded, workspace, options, global }: Opened,
  interactive: boolean,
  sandbox: Sandbox,
): Policy {
  const { config } = loaded
  const { commands, permissions } = config
  const mode = startMode(config)
  const conditions = { sandboxed: sandbox.active, noSandbox: options.sandbox === false }
  const refusal = modeRefusal(mode, conditions)
  if (refusal !== undefined) throw new UserError('usage', refusal, { exitCode: EXIT.usage })
  return createPolicy({
    root: workspace.root,
    mode,
    rules: rulesOf(loaded),
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

/** The rules of the configuration with where they stand. */
function rulesOf(loaded: LoadedConfig): Rule[] {
  return loaded.config.permissions.rules.map((text, i) => {
    const { layer, file, line } = sourceOf(loaded, ['permissions', 'rules', String(i)])
    const rule = parseRuleText(text)
    if (!rule) {
      throw new UserError(
        'config',
        `${file === undefined ? '' : `${file}:${line ?? 1}: `}permissions.rules: "${text}" is no rule.`,
        {
          exitCode: EXIT.usage,
          suggestion:
            'Write it as "allow command: make test", "deny path: secrets/**", "ask tool: git_commit" or "allow host: docs.example.org".',
        },
      )
    }
    const level = layer === 'workspace' ? 'workspace' : 'app'
    return { ...rule, level, ...(file === undefined ? {} : { source: { file, line: line ?? 1 } }) }
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
