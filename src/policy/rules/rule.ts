import type { Level, RuleSource, Verdict } from '../judgement.ts'
import { matchesWord, splitPattern } from './pattern.ts'

export type RuleKind = 'tool' | 'path' | 'command' | 'host' | 'sandbox'

/** One rule. Which verdict wins among several that match is decided by `strongest`. */
export interface Rule {
  verdict: Verdict
  kind: RuleKind
  /**
   * `command`: words of a prefix; `*` and `?` match inside a word, a last word `*` any rest.
   * `path`: a glob relative to the root, or an absolute one. `tool`: a name with `*`. `host`: a name; `*.x.org` is every host under x.org.
   * `sandbox`: `network` or `outside`, then the words of a command that may run so.
   */
  pattern: string
  /** Commands only: the words must be all words, not the first ones. Default false. */
  exact?: boolean
  level: Level
  source?: RuleSource
  /** Shown with the question or refusal. */
  reason?: string
  /** Workspace-relative folder the rule holds in, for rules of a nested configuration. Default: everywhere. */
  folder?: string
}

/** Returns the rule as it is written and shown: `allow command: git status`. */
export function ruleText(rule: Pick<Rule, 'verdict' | 'kind' | 'pattern' | 'exact'>): string {
  return `${rule.verdict} ${rule.kind}${rule.exact ? ' exactly' : ''}: ${rule.pattern}`
}

/** The colon may be left out: in YAML `allow command: x` without quotes is a key and a value. */
const RULE_TEXT = /^(?:(allow|ask|deny) )?(tool|path|command|host|sandbox)( exactly)?:? +(\S[^]*)$/

/** Reads what `ruleText` writes; without a verdict it is `allow`. Undefined when it is not a rule. */
export function parseRuleText(text: string): Pick<Rule, 'verdict' | 'kind' | 'pattern' | 'exact'> | undefined {
  const found = RULE_TEXT.exec(text)
  if (!found) return undefined
  const [, verdict = 'allow', kind, exact, pattern] = found
  return {
    verdict: verdict as Verdict,
    kind: kind as RuleKind,
    pattern: pattern!,
    ...(exact ? { exact: true } : {}),
  }
}

/** Tells whether a rule's words are a prefix of a command's words. A word whose value is unknown (undefined) matches only a rest. */
export function matchesCommand(rule: Pick<Rule, 'pattern' | 'exact'>, words: readonly (string | undefined)[]): boolean {
  const pattern = splitPattern(rule.pattern)
  if (pattern.length === 0) return false
  const open = pattern.length > 1 && pattern.at(-1) === '*'
  const fixed = open ? pattern.slice(0, -1) : pattern
  if (words.length < fixed.length || (rule.exact && !open && words.length !== fixed.length)) return false
  return fixed.every((part, at) => words[at] !== undefined && matchesWord(part, words[at]))
}

export function matchesTool(rule: Pick<Rule, 'pattern'>, tool: string): boolean {
  return matchesWord(rule.pattern, tool)
}

export function matchesHost(rule: Pick<Rule, 'pattern'>, host: string): boolean {
  const pattern = rule.pattern.toLowerCase()
  const name = normalHost(host)
  if (pattern === '*') return true
  if (pattern.startsWith('*.')) return name.endsWith(pattern.slice(1)) && name.length > pattern.length - 1
  return name === normalHost(pattern)
}

/** Lower case, no brackets of an IPv6 address, no dot at the end. */
export function normalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** Deny before ask before allow: an action needs a yes if any level says so. The first of equals wins. */
export function strongest<T extends { verdict: Verdict }>(candidates: readonly T[]): T | undefined {
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const found = candidates.find((candidate) => candidate.verdict === verdict)
    if (found) return found
  }
  return undefined
}
