// Decides: may this tool, command or host run, must a person be asked, or is it refused. One engine for all of them.
// Promises: an answer that names its level, rule, file and line, and what would silence it; a block rule beats every
// other; what cannot be read is never allowed. Does not promise to confine anything: that is src/workspace/sandbox.
import { dirname, resolve } from 'node:path'
import type { Mode } from '../protocol/index.ts'
import { createApprovals, type Approval, type ApprovalScope, type ApprovalStore } from './approvals.ts'
import type { CommandFacts } from './commands/facts.ts'
import { allowsNetwork, judgeAddresses, judgeHostName } from './hosts.ts'
import type { Judgement, Level, PolicyRequest, RuleSource } from './judgement.ts'
import { modeRefusal } from './mode.ts'
import { ruleText, type Rule } from './rules/rule.ts'
import { placeByRules } from './sandbox-rules.ts'
import { judgeTool } from './tools.ts'

export interface PolicyOptions {
  /** Absolute real path of the workspace. */
  root: string
  mode: Mode
  /** `permissions.rules` and whatever else configuration gives, of all levels. */
  rules?: readonly Rule[]
  /** Rules of nested configurations that hold in a folder (absolute) and below it; default none. */
  directoryRules?: (folder: string) => Promise<readonly Rule[]>
  /** `commands.block`: replaces the default blocklist; what it drops is asked about instead. */
  block?: readonly string[]
  /** Where an entry of `block` stands; undefined for the program's own. */
  blockPlace?: (entry: string) => { level: Level; source?: RuleSource } | undefined
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
  level?: Level
  source?: { file: string; line: number }
}

/** One rule that holds, for people to read. */
export interface ListedRule {
  /** As `policy explain` names it: `deny command: terraform apply`, `block: sudo`, `commands.allow: make`. */
  rule: string
  /** Where it stands; undefined for the program's own and for approvals. */
  source: RuleSource | undefined
  level: Level
  /** Approvals only: how long it holds. */
  scope?: Approval['scope']
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
  /** What holds here: rules of the configuration, the lists of commands, and approvals with their scope. */
  list(): readonly ListedRule[]
  /** Forgets an approval by its text, or every one; returns what was forgotten. */
  forget(text: string | undefined): readonly Approval[]
}

/** Makes the policy of one session. Throws when the mode may not be entered; see `modeRefusal`. */
export function createPolicy(options: PolicyOptions): Policy {
  const conditions = { sandboxed: options.sandboxed, noSandbox: options.noSandbox ?? false }
  const refusal = modeRefusal(options.mode, conditions)
  if (refusal !== undefined) throw new Error(refusal)
  let { mode } = options
  const mayHold = (rule: Rule): boolean =>
    options.trusted || rule.verdict !== 'allow' || (rule.level !== 'workspace' && rule.level !== 'directory')
  const rules = (options.rules ?? []).filter(mayHold)
  const allow = (options.allow ?? []).filter((entry) => options.trusted || (entry.level ?? 'app') === 'app')
  const approvals = createApprovals(options.approvals)
  const inForce = (): Rule[] => [...rules, ...approvals.rules()]
  /** Those of nested configurations as well; each once, however many of the folders it holds in. */
  const rulesFor = async (folders: readonly string[]): Promise<Rule[]> => {
    const { directoryRules } = options
    if (directoryRules === undefined) return inForce()
    const nested = await Promise.all([...new Set(folders)].map((folder) => directoryRules(folder)))
    return [...new Set(nested.flat())].filter(mayHold).concat(inForce())
  }

  const judge = async (request: PolicyRequest): Promise<Judgement> => {
    switch (request.kind) {
      case 'tool': {
        const folders = (request.paths ?? []).map((path) => dirname(resolve(options.root, path)))
        return await judgeTool(request, { ...options, mode, rules: await rulesFor(folders) })
      }
      case 'command': {
        if (options.refuseCommands !== undefined) return refused(options.refuseCommands)
        const { judgeCommand } = await import('./commands/judge-command.ts')
        const context = { ...options, ...conditions, allow, mode, rulesFor }
        const judged = await judgeCommand(request, context)
        const place = options.sandboxed ? placeByRules(judged.segments ?? [], inForce()) : undefined
        if (place === undefined) return judged
        // Where no sandbox holds it, it is judged as where there is none.
        return {
          ...(place === 'outside' ? await judgeCommand(request, { ...context, sandboxed: false }) : judged),
          place,
        }
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
    list: () => [
      ...(options.block ?? []).map((entry) => {
        const { level = 'app', source } = options.blockPlace?.(entry) ?? {}
        return { rule: `block: ${entry}`, level, source }
      }),
      ...rules.map((rule) => ({ rule: ruleText(rule), level: rule.level, source: rule.source })),
      ...allow.map(({ pattern, level = 'app', source }) => ({ rule: `commands.allow: ${pattern}`, level, source })),
      ...approvals
        .list()
        .map(({ text, scope }) => ({ rule: text, level: 'session' as const, source: undefined, scope })),
    ],
    forget: (text) => approvals.forget(text),
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
