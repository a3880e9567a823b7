import { resolve } from 'node:path'
import type { SegmentJudgement } from '../judgement.ts'
import { matchesCommand, strongest, type Rule } from '../rules/rule.ts'
import { allowListAsks, DEFAULT_ALLOW_LIST } from './allow-list.ts'
import { DEFAULT_BLOCK_LIST, matchesBlock, programName } from './block-list.ts'
import { steersPrograms } from './environment-names.ts'
import { findUnreadable, mentionedSecret, writesUnwanted, type FileContext } from './files.ts'
import {
  allowed,
  asks,
  blockEntries,
  fromRule,
  opaque,
  secretFile,
  type CommandContext,
  type Finding,
} from './finding.ts'
import { judgeRedirect } from './judge-redirect.ts'
import { readOnlyEntry } from './read-only.ts'
import { rememberedRule } from './remember.ts'
import { segmentText, type Segment } from './segment.ts'

export type JudgedSegment = SegmentJudgement & Finding

/** Where nobody is asked and no sandbox stands around it, what is seen to write outside is refused. */
function writtenOutside({ words }: Segment, files: FileContext, context: CommandContext): Finding | undefined {
  const name = words[0]?.value
  if (name === undefined || context.mode !== 'auto' || context.sandboxed) return undefined
  const path = writesUnwanted(programName(name), words.slice(1), files)
  if (path === undefined) return undefined
  return {
    verdict: 'deny',
    level: 'app',
    rule: 'paths',
    reason: `${path} is protected, or lies outside of the workspace, and is not written.`,
    silence: 'permissions.additionalRoots',
    code: 'PATH_OUTSIDE',
  }
}

/** Folders that hold the system's own programs: `/bin/ls` is `ls`, `./ls` is not. */
const PROGRAM_FOLDERS = /^(?:\/usr)?(?:\/local)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/

/** The name under which a program may be allowed: bare, or in a folder of the system. Undefined for any other path. */
function trustedName(word: string): string | undefined {
  if (!word.includes('/')) return word
  return PROGRAM_FOLDERS.test(word) ? word.slice(word.lastIndexOf('/') + 1) : undefined
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
  const steering = segment.assignments.find(({ name }) => steersPrograms(name))
  if (steering)
    findings.push(
      asks(context, `${steering.name} decides what programs run`, {
        rule: 'variables that steer programs',
        never: true,
      }),
    )
  const own = segment.words.length === 0 ? undefined : judgeWords(segment, files, context)
  if (own) findings.push(own.finding)
  const secret = own && !own.readOnly ? mentionedSecret(segment.words.slice(1), files) : undefined
  if (secret !== undefined) findings.push(secretFile(secret, context))
  const outside = writtenOutside(segment, files, context)
  if (outside) findings.push(outside)
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

function judgeWords(
  segment: Segment,
  files: FileContext,
  context: CommandContext,
): { finding: Finding; readOnly: boolean } {
  const changing = (finding: Finding) => ({ finding, readOnly: false })
  const { words } = segment
  const [first, ...args] = words
  const blocked = judgeBlock(segment, context)
  if (blocked) return changing(blocked)
  const values = words.map((word) => (word.glob ? undefined : word.value))
  const loose = [first!.value === undefined ? undefined : programName(first!.value), ...values.slice(1)]
  const rules = context.rules.filter((rule) => rule.kind === 'command' && inFolder(rule, files))
  const denied = rules.find((rule) => rule.verdict === 'deny' && matchesCommand(rule, loose))
  if (denied) return changing(fromRule(denied))
  if (first!.value === undefined || first!.glob) {
    return changing(opaque(context, "the command's name is only known to the shell"))
  }
  const name = trustedName(first!.value)
  const strict = [name ?? first!.value, ...values.slice(1)]
  const approved = rules.find(
    (rule) => rule.level === 'session' && rule.verdict === 'allow' && matchesCommand(rule, strict),
  )
  if (context.confirm === 'always' && context.mode !== 'auto') {
    return changing({
      verdict: 'ask',
      level: 'app',
      rule: 'commands.confirm: always',
      reason: 'Every command is asked about.',
      silence: 'commands.confirm: unknown',
    })
  }
  const asked = rules.find((rule) => rule.verdict === 'ask' && matchesCommand(rule, loose))
  const remember = rememberedRule(words)
  if (asked && !approved)
    return changing({
      ...fromRule(asked),
      silence: remember ? `approve "${remember}"` : 'a change of that rule',
      remember: remember ? [remember] : [],
    })

  const entry = name === undefined ? undefined : readOnlyEntry(name, args, segment.assignments.length > 0)
  const unreadable = entry && (hiddenInput(segment) ?? findUnreadable(name!, entry, args, files))
  if (entry && !unreadable) return { finding: allowed(`read-only: ${name}`, 'It only looks.'), readOnly: true }
  if (unreadable?.kind === 'secret') return changing(secretFile(unreadable.text, context))
  if (entry && unreadable && context.sandboxed)
    return {
      finding: allowed(`read-only: ${name}`, 'It only looks, and the sandbox keeps secrets away.'),
      readOnly: true,
    }

  const configured = rules.find(
    (rule) => rule.level !== 'session' && rule.verdict === 'allow' && matchesCommand(rule, strict),
  )
  const listed = context.allow.find((each) => matchesCommand(each, strict))
  if (configured) return changing(fromRule(configured))
  if (listed)
    return changing({
      ...allowed(`commands.allow: ${listed.pattern}`, 'The allowlist has it.'),
      level: listed.level ?? 'app',
      ...(listed.source ? { source: listed.source } : {}),
    })
  if (unreadable) {
    if (approved?.exact) return changing(fromRule(approved))
    const reason =
      unreadable.kind === 'outside'
        ? `${unreadable.text} lies outside of the workspace`
        : `what ${name} reads is only known to the shell`
    return changing(
      asks(context, reason, {
        rule: 'files that are read',
        silence: 'the sandbox, or permissions.additionalRoots',
        ...exactly(words),
      }),
    )
  }
  if (name !== undefined && DEFAULT_ALLOW_LIST.includes(name)) {
    const why = context.sandboxed ? undefined : allowListAsks(name, segment, files)
    if (why === undefined) return changing(allowed(`allowlist: ${name}`, 'The allowlist has it.'))
    if (approved?.exact) return changing(fromRule(approved))
    return changing(
      asks(context, why, {
        rule: `allowlist: ${name}, with care`,
        silence: 'the sandbox, or an approval of exactly this',
        ...exactly(words),
      }),
    )
  }
  if (approved) return changing(fromRule(approved))
  return changing(unknownCommand(first!.value, remember, context))
}

/** A here-document or here-string with a variable of the environment in it would be printed. */
function hiddenInput({ redirects }: Segment): { kind: 'unknown'; text: string } | undefined {
  return redirects.some((redirect) => redirect.hidden) ? { kind: 'unknown', text: '…' } : undefined
}

function exactly(words: Segment['words']): Pick<Finding, 'remember'> {
  const rule = rememberedRule(words, true)
  return { remember: rule ? [rule] : [] }
}

function inFolder(rule: Rule, { folder, root }: FileContext): boolean {
  if (rule.folder === undefined) return true
  // Where the folder is not known a rule may narrow but not widen.
  if (folder === undefined) return rule.verdict !== 'allow'
  const scope = resolve(root, rule.folder)
  return folder === scope || folder.startsWith(`${scope}/`)
}

function unknownCommand(name: string, remember: string | undefined, context: CommandContext): Finding {
  const silence = remember ? `approve it for this session or always, or add to commands.allow` : 'an approval, once'
  if (context.askForUnknown === false && context.mode !== 'auto') {
    return {
      verdict: 'deny',
      level: 'app',
      rule: 'commands.askForUnknown: false',
      reason: `No rule allows ${name}, and unknown commands are not asked about.`,
      silence: `commands.allow: [${name}]`,
      code: 'DENIED',
    }
  }
  return asks(context, `no rule allows "${name}"`, { silence, remember: remember ? [remember] : [] })
}

/** The blocklist, then what the user's own configuration moved from it to a question. */
function judgeBlock({ words }: Segment, context: CommandContext): Finding | undefined {
  const active = blockEntries(context)
  let maybe: string | undefined
  for (const entry of active) {
    const answer = matchesBlock(entry, words)
    if (answer === 'yes') {
      return {
        verdict: 'deny',
        level: 'app',
        ...context.blockPlace?.(entry),
        rule: `block: ${entry}`,
        reason: `${entry} is on the blocklist and refused in every mode. Choose another way, or ask the user to run it.`,
        code: 'DENIED',
        never: true,
      }
    }
    if (answer === 'maybe') maybe ??= entry
  }
  if (maybe !== undefined && words[0]?.value !== undefined)
    return opaque(context, `it could become ${maybe}, which is on the blocklist`)
  const moved = DEFAULT_BLOCK_LIST.find((entry) => !active.includes(entry) && matchesBlock(entry, words) !== 'no')
  if (moved === undefined) return undefined
  return {
    verdict: 'ask',
    level: 'app',
    rule: `commands.block without ${moved}`,
    reason: `${moved} is asked about each time.`,
    never: true,
  }
}
