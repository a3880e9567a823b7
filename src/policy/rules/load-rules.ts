import type { Level, RuleSource } from '../judgement.ts'
import { splitPattern } from './pattern.ts'
import { matchesPath } from './path-rule.ts'
import { matchesCommand, matchesHost, matchesTool, parseRuleText, ruleText, type Rule } from './rule.ts'

/** A rule as configuration gives it: `allow command: make test`, or with a reason and examples that are checked. */
export type RuleEntry =
  | string
  | {
      rule: string
      reason?: string | undefined
      /** Commands, paths, tools or hosts the rule must cover. */
      match?: readonly string[] | undefined
      /** Those it must not cover. */
      noMatch?: readonly string[] | undefined
    }

export interface RulePlace {
  level: Level
  source?: RuleSource
  /** Workspace-relative folder the rule holds in. */
  folder?: string
}

/** Reads rules and checks their examples. A rule with a fault is left out and its fault says where and what. */
export async function loadRules(
  entries: readonly RuleEntry[],
  place: (index: number) => RulePlace,
): Promise<{ rules: Rule[]; faults: string[] }> {
  const rules: Rule[] = []
  const faults: string[] = []
  for (const [index, entry] of entries.entries()) {
    const at = place(index)
    const parts = typeof entry === 'string' ? { rule: entry } : entry
    const where = at.source ? `${at.source.file}:${at.source.line}: ` : ''
    const found = await readRule(parts, at)
    if (typeof found === 'string') faults.push(`${where}permissions.rules[${index}]: ${found}`)
    else rules.push(found)
  }
  return { rules, faults }
}

async function readRule(entry: Exclude<RuleEntry, string>, place: RulePlace): Promise<Rule | string> {
  const read = parseRuleText(entry.rule)
  if (!read || read.pattern.trim() === '' || (read.exact && read.kind !== 'command' && read.kind !== 'sandbox')) {
    return `${JSON.stringify(entry.rule)} is no rule. Write a verdict (allow, ask, deny), a kind (command, path, tool, host, sandbox) and a pattern: 'allow command make test', 'deny path secrets/**', 'allow host example.org'.`
  }
  const rule: Rule = { ...read, ...place, ...(entry.reason === undefined ? {} : { reason: entry.reason }) }
  for (const example of entry.match ?? []) {
    if (!(await covers(rule, example)))
      return `"${ruleText(rule)}" does not cover ${JSON.stringify(example)}, which is in its match.`
  }
  for (const example of entry.noMatch ?? []) {
    if (await covers(rule, example))
      return `"${ruleText(rule)}" covers ${JSON.stringify(example)}, which is in its noMatch.`
  }
  return rule
}

/** Tells whether a rule covers an example: a command line of plain or quoted words, a path, a tool, a host. */
export async function covers(rule: Pick<Rule, 'kind' | 'pattern' | 'exact'>, example: string): Promise<boolean> {
  switch (rule.kind) {
    case 'command':
      return matchesCommand(rule, splitPattern(example))
    case 'sandbox':
      return matchesCommand(rule, splitPattern(example))
    case 'path':
      return await matchesPath(rule.pattern, example)
    case 'tool':
      return matchesTool(rule, example)
    case 'host':
      return matchesHost(rule, example)
  }
}
