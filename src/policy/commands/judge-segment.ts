import { resolve } from 'node:path'
import type { SegmentJudgement } from '../judgement.ts'
import { strongest } from '../rules/rule.ts'
import { programName } from './block-list.ts'
import { mentionedSecret, writtenOutside, type FileContext } from './files.ts'
import { allowed, protectedWrite, secretFile, type CommandContext, type Finding } from './finding.ts'
import { judgeRedirect } from './judge-redirect.ts'
import { judgeAssignments } from './judge-variables.ts'
import { judgeWords } from './judge-words.ts'
import { writtenProtected } from './protected-writes.ts'
import { segmentText, type Segment } from './segment.ts'

export type JudgedSegment = SegmentJudgement & Finding

/** Where nobody is asked and no sandbox stands around it, what is seen to write outside is refused. */
function refusedOutside({ words }: Segment, files: FileContext, context: CommandContext): Finding | undefined {
  const name = words[0]?.value
  if (name === undefined || context.mode !== 'auto' || context.sandboxed) return undefined
  const path = writtenOutside(programName(name), words.slice(1), files)
  if (path === undefined) return undefined
  return {
    verdict: 'deny',
    level: 'app',
    rule: 'paths',
    reason: `${path} lies outside of the workspace and is not written.`,
    silence: 'permissions.additionalRoots',
    code: 'PATH_OUTSIDE',
  }
}

/** Judges one simple command with its assignments and redirections. */
export async function judgeSegment(segment: Segment, context: CommandContext): Promise<JudgedSegment> {
  const folder = segment.folder === undefined ? undefined : resolve(context.root, segment.folder)
  const files: FileContext = {
    facts: context.facts,
    root: context.root,
    additionalRoots: context.additionalRoots ?? [],
    folder,
  }
  const findings: Finding[] = []
  for (const redirect of segment.redirects) {
    const found = await judgeRedirect(redirect, files, context)
    if (found) findings.push(found)
  }
  findings.push(...judgeAssignments(segment, context))
  const own = segment.words.length === 0 ? undefined : judgeWords(segment, files, context)
  if (own) findings.push(own.finding)
  const secret = own && !own.readOnly ? mentionedSecret(segment.words.slice(1), files) : undefined
  if (secret !== undefined) findings.push(secretFile(secret, context))
  const outside = refusedOutside(segment, files, context)
  if (outside) findings.push(outside)
  const program = segment.words[0]?.value
  const held = program === undefined ? undefined : writtenProtected(programName(program), segment.words.slice(1), files)
  // The first of equals is shown, and this is the one with a warning.
  if (held !== undefined) findings.unshift(protectedWrite(held))
  const chosen = strongest(findings) ?? allowed('read-only', 'It only sets variables of the shell.')
  const readOnly = (own?.readOnly ?? true) && findings.every((each) => each === own?.finding)
  const never = findings.some((each) => each.never && each.verdict !== 'allow')
  const asked = findings.filter((each) => each.verdict === 'ask')
  const complete = asked.every((each) => (each.remember ?? []).length > 0)
  return {
    text: segmentText(segment),
    via: segment.via,
    readOnly,
    ...planMode(chosen, readOnly, context),
    remember: never || !complete ? [] : asked.flatMap((each) => each.remember ?? []),
  }
}

function planMode(finding: Finding, readOnly: boolean, context: CommandContext): Finding {
  if (context.mode !== 'plan' || finding.verdict === 'deny') return finding
  if (readOnly && finding.verdict === 'allow') return finding
  return {
    verdict: 'deny',
    level: 'app',
    rule: 'mode plan',
    reason:
      'Mode plan only runs commands that only look, and this one is not known to be such. Describe the step instead, or ask the user to leave plan mode.',
    silence: '--mode ask (Shift+Tab)',
    code: 'NOT_ALLOWED_IN_MODE',
  }
}
