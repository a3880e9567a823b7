import { quoted } from './commands/segment.ts'
import type { Judgement, SegmentJudgement, Verdict } from './judgement.ts'
import type { ListedRule } from './policy.ts'

const WORDS: Readonly<Record<Verdict, string>> = { allow: 'runs', ask: 'asks', deny: 'refused' }

/**
 * Writes a judgement for a person: the verdict, each part with its rule and where it stands, and what would change it.
 * `circumstances` is one clause: the mode and the sandbox it was judged for.
 */
export function explainJudgement(command: string, circumstances: string, judgement: Judgement): string {
  const segments = judgement.segments ?? []
  const lines = [`${shown(command)}: ${WORDS[judgement.verdict]}`, `(${circumstances})`, '']
  for (const segment of segments) lines.push(...explainSegment(segment))
  const own = segments.some((segment) => segment.rule === judgement.rule && segment.verdict === judgement.verdict)
  if (!own) lines.push(...part(judgement, 'as a whole'))
  lines.push(`Why: ${judgement.reason}`)
  if (judgement.silence !== undefined) lines.push(`What would change it: ${judgement.silence}`)
  if (judgement.warning !== undefined) lines.push(`Careful: ${judgement.warning}`)
  for (const rule of judgement.remember) lines.push(`An approval would store: ${rule}`)
  if (judgement.verdict === 'ask' && judgement.remember.length === 0) lines.push('An approval would hold once.')
  if (judgement.readOnly === true) lines.push('It only looks, so it runs in mode plan too.')
  return `${lines.join('\n')}\n`
}

const SCOPES = { run: 'for this run', session: 'for this session', workspace: 'always in this workspace' } as const

/** Writes the rules that hold, one a line, each with its place or how long it holds. */
export function rulesText(rules: readonly ListedRule[]): string {
  if (rules.length === 0) return 'No rules and no approvals: the defaults hold.'
  const width = Math.max(...rules.map(({ rule }) => rule.length))
  const lines = rules.map(({ rule, source, level, scope }) => {
    const place = source ? `${source.file}:${source.line}` : level === 'app' ? 'default' : level
    return `${rule.padEnd(width)}  ${scope === undefined ? place : `approved ${SCOPES[scope]}`}`
  })
  const own = 'The allowlist and what only looks are part of the program: docs/safety.md.'
  return [...lines, '', own].join('\n')
}

function explainSegment(segment: SegmentJudgement): string[] {
  const via = segment.via.length === 0 ? '' : `  (in ${segment.via.join(' › ')})`
  return part(segment, `${segment.text}${via}`)
}

function part(judged: Pick<Judgement, 'verdict' | 'rule' | 'level' | 'source'>, what: string): string[] {
  const place = judged.source ? `, ${judged.source.file}:${judged.source.line}` : ''
  return [`  ${WORDS[judged.verdict].padEnd(8)}${what}`, `          ${judged.rule}  [${judged.level}${place}]`, '']
}

/** A command as one line, with no character a terminal would act on. */
function shown(command: string): string {
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f-\u009f]/.test(command) ? quoted(command) : command
}
