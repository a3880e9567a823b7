import type { ApprovalScope } from '../protocol/index.ts'
import { parseRuleText, type Rule } from './rules/rule.ts'

export type { ApprovalScope } from '../protocol/index.ts'

/** Keeps the approvals of a workspace between sessions, as rule texts such as `command: git commit`. */
export interface ApprovalStore {
  /** Every text kept for this workspace; an empty list when there is none. */
  load(): readonly string[]
  /** Keeps one more; a text that is there already changes nothing. Durable when it returns. */
  add(text: string): void
  /** Takes one out; one that is not there changes nothing. Durable when it returns. */
  remove(text: string): void
}

/** An approval that holds, as the rule it stored. */
export interface Approval {
  text: string
  /** Until the run ends, the session ends, or for good in this workspace. */
  scope: 'run' | 'session' | 'workspace'
}

export interface Approvals {
  rules(): readonly Rule[]
  list(): readonly Approval[]
  /** Forgets one by its text, or all of them; returns what was forgotten. */
  forget(text: string | undefined): readonly Approval[]
  add(texts: readonly string[], scope: ApprovalScope): void
  endRun(): void
}

/** Where small facts of the user are kept by key; the global store is one. */
interface Facts {
  getFact(key: string): string | undefined
  setFact(key: string, value: string): void
}

/** Keeps a workspace's approvals as one fact: a JSON list of rule texts. */
export function factApprovals(facts: Facts, workspaceId: string): ApprovalStore {
  const key = `approvals ${workspaceId}`
  const load = (): string[] => {
    try {
      const kept: unknown = JSON.parse(facts.getFact(key) ?? '[]')
      return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string') : []
    } catch {
      return []
    }
  }
  return {
    load,
    add: (text) => {
      const kept = load()
      if (!kept.includes(text)) facts.setFact(key, JSON.stringify([...kept, text]))
    },
    remove: (text) => {
      const kept = load()
      if (kept.includes(text)) facts.setFact(key, JSON.stringify(kept.filter((each) => each !== text)))
    },
  }
}

/** What an approval of a change of files for the whole run stores beside its paths: "apply all of this run". */
const ALL_EDITS = 'tool: effect write'

/** Approvals of one session: those of the run, of the session, and of the workspace. Only ever `allow` rules. */
export function createApprovals(store?: ApprovalStore): Approvals {
  const kept = new Map<string, 'run' | 'session' | 'workspace'>()
  for (const text of store?.load() ?? []) kept.set(text, 'workspace')
  let rules: Rule[] | undefined

  const read = (): Rule[] =>
    [...kept.keys()].flatMap((text) => {
      const rule = parseRuleText(text)
      return rule && rule.verdict === 'allow'
        ? [{ ...rule, level: 'session' as const, reason: 'It was approved.' }]
        : []
    })

  return {
    rules: () => (rules ??= read()),
    list: () => Array.from(kept, ([text, scope]) => ({ text, scope })),
    forget: (text) => {
      const found = Array.from(kept, ([each, scope]) => ({ text: each, scope })).filter(
        (each) => text === undefined || each.text === text,
      )
      for (const each of found) {
        if (each.scope === 'workspace') store?.remove(each.text)
        kept.delete(each.text)
      }
      rules = undefined
      return found
    },
    add: (texts, scope) => {
      if (scope === 'once') return
      const whole = scope === 'run' && texts.some((text) => text.startsWith('path: ')) ? [...texts, ALL_EDITS] : texts
      for (const text of whole) {
        if (scope === 'workspace') store?.add(text)
        if (kept.get(text) === 'workspace' || (scope === 'run' && kept.has(text))) continue
        kept.set(text, scope)
      }
      rules = undefined
    },
    endRun: () => {
      for (const [text, scope] of kept) if (scope === 'run') kept.delete(text)
      rules = undefined
    },
  }
}
