import type { Effect, ToolErrorCode } from '../protocol/index.ts'

/** Where a rule may let a command run; inside the sandbox, without network, needs none. */
export type WiderPlace = 'network' | 'outside'

export type Verdict = 'allow' | 'ask' | 'deny'

/**
 * Where a rule stands. `app` is the program and the user's own configuration, `workspace` and `directory` the
 * repository's, `tool` what a tool demands for itself, `session` what was approved, `model` what the model asks for.
 */
export type Level = 'app' | 'workspace' | 'directory' | 'tool' | 'session' | 'model'

/** Line 1-based. */
export interface RuleSource {
  file: string
  line: number
}

/** What is to be judged. */
export type PolicyRequest =
  | {
      kind: 'tool'
      tool: string
      effect: Effect
      /** Workspace-relative or absolute paths it reads or changes. */
      paths?: readonly string[]
      /** The model's own wish to have this call confirmed; a text is shown as the reason. */
      validationRequest?: boolean | string
    }
  | {
      kind: 'command'
      /** The text given to the shell. */
      command: string
      /** Folder it starts in, absolute or relative to the root. Default: the root. */
      cwd?: string
      tool?: string
      validationRequest?: boolean | string
    }
  | {
      kind: 'host'
      /** Host name or address, without port; `url` is for the reason only. */
      host: string
      url?: string
      tool?: string
    }

/** One simple command of a compound, with what was decided on it. */
export interface SegmentJudgement {
  /** The words as parsed, joined and quoted for reading; `…` stands for what only the shell will know. */
  text: string
  /** Wrappers and constructs it was found in, outermost first, such as `sh -c`, `$(…)`, `xargs`. */
  via: readonly string[]
  verdict: Verdict
  level: Level
  rule: string
  source?: RuleSource
  reason: string
  /** True when it only looks: it runs in plan mode, and the journal skips its pass over the files. */
  readOnly: boolean
}

/** The answer to a request: a verdict, and everything needed to explain it. */
export interface Judgement {
  verdict: Verdict
  level: Level
  /** The rule as text, such as `block: rm -rf`, `allow: git status`, `mode ask`. */
  rule: string
  /** File and line of the rule, when a file holds it. */
  source?: RuleSource
  /** One sentence for people and for the model. */
  reason: string
  /** What would silence the question, or lift the refusal; absent when nothing may. */
  silence?: string
  /** The code a refused call carries. */
  code?: ToolErrorCode
  /** Set when the action touches configuration that could widen permissions. */
  warning?: string
  /** The rules that an approval for a session or for always would store; empty when none may be stored. */
  remember: readonly string[]
  /** Commands only. */
  segments?: readonly SegmentJudgement[]
  /** Commands only: the wider place that rules give it, in the sandbox with the network or outside of it. */
  place?: WiderPlace
  /** Commands only: true when every segment only looks. */
  readOnly?: boolean
}
