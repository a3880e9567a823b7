// Decides: may this tool, command or host run, must a person be asked, or is it refused. One engine for all of them.
// Promises: an answer that names its level, rule, file and line, and what would silence it; a block rule beats every
// other; what cannot be read is never allowed. Does not promise to confine anything: that is src/workspace/sandbox.
import type { Mode } from '../protocol/index.ts'
import { createApprovals, type ApprovalScope, type ApprovalStore } from './approvals.ts'
import type { CommandFacts } from './commands/facts.ts'
import { allowsNetwork, judgeAddresses, judgeHostName } from './hosts.ts'
import type { Judgement, PolicyRequest } from './judgement.ts'
import { modeRefusal } from './mode.ts'
import type { Rule } from './rules/rule.ts'
import { judgeTool } from './tools.ts'

export interface PolicyOptions {
  /** Absolute real path of the workspace. */
  root: string
  mode: Mode
  /** `permissions.rules` and whatever else configuration gives, of all levels. */
  rules?: readonly Rule[]
  /** The user's own `commands.block`: replaces the default blocklist; what it drops is asked about instead. */
  block?: readonly string[]
  /** The workspace's `commands.block`: added. */
  workspaceBlock?: readonly string[]
  /** `commands.allow`. */
  allow?: readonly AllowEntry[]
  /** `commands.confirm`: `always` asks for every command. Default `unknown`. */
  confirm?: 'unknown' | 'always'
  /** `commands.askForUnknown`: false refuses what no rule allows instead of asking. Default true. */
  askForUnknown?: boolean
  /** False when nobody can answer: the caller turns ask into a refusal, and the reasons say how to allow it. */
  interactive: boolean
  /** Commands really run inside a sandbox. */
  sandboxed: boolean
  /** Why no command may run at all, such as `sandbox: strict` where there is none. */
  refuseCommands?: string
  /** The user said `--no-sandbox`. */
  noSandbox?: boolean
  /** The folder is trusted: workspace and directory rules may allow. Untrusted they may only ask and deny. */
  trusted: boolean
  /** `permissions.additionalRoots`, absolute. */
  additionalRoots?: readonly string[]
  /** What the policy may know of files, packages and git. */
  facts: CommandFacts
  /** Keeps "always" approvals; absent: they last for the session. */
  approvals?: ApprovalStore
}

export interface AllowEntry {
  pattern: string
  level?: 'app' | 'workspace' | 'directory'
  source?: { file: string; line: number }
}

export interface Policy {
  readonly mode: Mode
  /** Enters a mode; returns why not when it may not be entered. */
  setMode(mode: Mode): string | undefined
  judge(request: PolicyRequest): Promise<Judgement>
  /** Judges one hop of a fetch: its host, and the addresses the name resolved to (DNS result, redirect target). */
  judgeAddress(host: string, addresses: readonly string[]): Judgement
  /** True when commands in the sandbox may use the network: the user's rule `allow host *`. */
  allowsNetwork(): boolean
  /** Stores what an approval shows in `remember`, for the scope; `once` stores nothing. */
  approve(judgement: Pick<Judgement, 'remember'>, scope: ApprovalScope): void
  /** Forgets approvals of scope `run`. */
  endRun(): void
  /** The rules in force that approvals made, as text. */
  approved(): readonly string[]
}

/** Makes the policy of one session. Throws when the mode may not be entered; see `modeRefusal`. */
export function createPolicy(options: PolicyOptions): Policy {
  const conditions = { sandboxed: options.sandboxed, noSandbox: options.noSandbox ?? false }
  const refusal = modeRefusal(options.mode, conditions)
  if (refusal !== undefined) throw new Error(refusal)
  let { mode } = options
  const rules = (options.rules ?? []).filter(
    (rule) => options.trusted || rule.verdict !== 'allow' || (rule.level !== 'workspace' && rule.level !== 'directory'),
  )
  const allow = (options.allow ?? []).filter((entry) => options.trusted || (entry.level ?? 'app') === 'app')
  const approvals = createApprovals(options.approvals)
  const inForce = (): Rule[] => [...rules, ...approvals.rules()]

  const judge = async (request: PolicyRequest): Promise<Judgement> => {
    switch (request.kind) {
      case 'tool':
        return await judgeTool(request, { ...options, mode, rules: inForce() })
      case 'command': {
        if (options.refuseCommands !== undefined) return refused(options.refuseCommands)
        const { judgeCommand } = await import('./commands/judge-command.ts')
        return await judgeCommand(request, { ...options, ...conditions, allow, mode, rules: inForce() })
      }
      case 'host':
        return judgeHostName(request.host, { mode, rules: inForce() })
      default:
        return request satisfies never
    }
  }

  return {
    get mode() {
      return mode
    },
    setMode: (next) => {
      const why = modeRefusal(next, conditions)
      if (why === undefined) mode = next
      return why
    },
    judge,
    judgeAddress: (host, addresses) => judgeAddresses(host, addresses, { mode, rules: inForce() }),
    allowsNetwork: () => allowsNetwork(rules),
    approve: ({ remember }, scope) => approvals.add(remember, scope),
    endRun: () => approvals.endRun(),
    approved: () => approvals.texts(),
  }
}

function refused(reason: string): Judgement {
  return {
    verdict: 'deny',
    level: 'app',
    rule: 'sandbox: strict',
    reason,
    silence: '--no-sandbox, or sandbox: auto',
    code: 'DENIED',
    remember: [],
  }
}
