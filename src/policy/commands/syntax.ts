// What the reader of the shell language makes of a text. Everything here was read with certainty: what bash could read
// in another way never gets this far (read-words.ts).

/** A word as it is written: text, and what the shell puts in its place. */
export interface WordNode {
  parts: readonly Part[]
}

export type Part =
  /** Literal text; quoted text holds no pattern, brace or tilde. */
  | { kind: 'text'; text: string; quoted: boolean }
  /** One value, without a split, that only the shell will know: `$'\xff'`. */
  | { kind: 'unknown' }
  | ParameterPart
  /** `$(…)` and `` `…` ``. */
  | { kind: 'commands'; list: ListNode; quoted: boolean }
  /** `<(…)` and `>(…)`. */
  | { kind: 'process'; list: ListNode; via: '<(…)' | '>(…)' }
  | { kind: 'arithmetic'; expression: Arithmetic; quoted: boolean }

/** `$x`, `${x:-word}`, `${#x}`. */
export interface ParameterPart {
  kind: 'parameter'
  name: string
  quoted: boolean
  /** True when it stands for a number: `${#x}`. */
  isLength: boolean
  /** True when it sets the variable: `${x:=word}`. */
  sets: boolean
  /** True for all members at once, each a word: `"$@"`, `"${x[@]}"`. */
  all: boolean
  argument?: WordNode
}

/** An expression of `$((…))`, `((…))` or `for ((…))`. */
export interface Arithmetic {
  /** Variables whose value is evaluated again: one that holds `a[$(cmd)]` runs `cmd`. */
  names: readonly string[]
  /** Variables that it may set. */
  sets: readonly string[]
  lists: readonly ListNode[]
}

export interface AssignmentNode {
  name: string
  /** Undefined for a list of values, `x=(…)`. */
  value?: WordNode
  elements?: readonly WordNode[]
  /** `x+=…`. */
  appends: boolean
}

export type RedirectNode =
  | { kind: 'read' | 'write'; target: WordNode; variable?: string }
  | { kind: 'copy'; variable?: string }
  | { kind: 'here-string'; target: WordNode; variable?: string }
  /** `body` is filled in when the line ends. */
  | { kind: 'here-document'; body?: WordNode; variable?: string }

export interface ListNode {
  items: readonly ItemNode[]
}

/** Pipelines joined by `&&` and `||`. */
export interface ItemNode {
  pipelines: readonly PipelineNode[]
  background: boolean
}

export interface PipelineNode {
  /** What stands before it; `first` has nothing before it. */
  operator: 'first' | '&&' | '||'
  /** True behind `!`: what follows `&&` then runs after a failure. */
  negated: boolean
  commands: readonly CommandNode[]
}

export type CommandNode = SimpleNode | CompoundNode

export interface SimpleNode {
  kind: 'simple'
  assignments: readonly AssignmentNode[]
  words: readonly WordNode[]
  /** Assignments among the words of `export`, `declare` and their like. */
  declared: readonly AssignmentNode[]
  redirects: readonly RedirectNode[]
}

export type CompoundNode = { redirects: readonly RedirectNode[] } & (
  | { kind: 'group' | 'subshell'; body: ListNode }
  | { kind: 'if'; branches: readonly { test?: ListNode; body: ListNode }[] }
  | { kind: 'while'; test: ListNode; body: ListNode }
  | { kind: 'for' | 'select'; name: string; values?: readonly WordNode[]; body: ListNode }
  | { kind: 'for-arithmetic'; expressions: readonly Arithmetic[]; body: ListNode }
  | { kind: 'case'; subject: WordNode; items: readonly { patterns: readonly WordNode[]; body: ListNode }[] }
  | { kind: 'function'; name: string; body: CommandNode }
  | { kind: 'coproc'; body: CommandNode }
  | { kind: 'test'; words: readonly (WordNode | string)[] }
  | { kind: 'arithmetic'; expression: Arithmetic }
)

/** The unquoted text of a word that has nothing else in it. */
export function bareText({ parts }: WordNode): string | undefined {
  const [only] = parts
  return parts.length === 1 && only?.kind === 'text' && !only.quoted ? only.text : undefined
}
