// Judges the words of a simple command: the first of the steps below that has something to say decides.
import { resolve } from 'node:path'
import { matchesCommand, type Rule } from '../rules/rule.ts'
import { allowListAsks, DEFAULT_ALLOW_LIST, lastingAsks } from './allow-list.ts'
import { DEFAULT_BLOCK_LIST, matchesBlock, programName } from './block-list.ts'
import { buildsHere } from './builders.ts'
import { findUnreadable, globbedOption, type FileContext } from './files.ts'
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
import { contentPaths, firstShown } from './git-contents.ts'
import { readOnlyEntry } from './read-only.ts'
import { showsUserConfig } from './read-only-git.ts'
import { findMet } from './recursive-readers.ts'
import { removesReplaceable } from './removal.ts'
import { rememberedRule } from './remember.ts'
import type { Segment } from './segment.ts'

/** Folders that hold the system's own programs: `/bin/ls` is `ls`, `./ls` is not. */
const PROGRAM_FOLDERS = /^(?:\/usr)?(?:\/local)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/

/** A simple command whose program is known, and what the rules say of it. */
interface Call {
  segment: Segment
  files: FileContext
  context: CommandContext
  /** As written. */
  program: string
  /** Under which it may be allowed: bare, or in a folder of the system. Undefined for any other path. */
  name: string | undefined
  /** Rules on commands that hold in its folder. */
  rules: readonly Rule[]
  /** The program's name as a rule that refuses or asks takes it, and the other words. */
  loose: readonly (string | undefined)[]
  /** The same as a rule that allows takes it. */
  strict: readonly (string | undefined)[]
  /** An approval that covers it. */
  approved: Rule | undefined
}

interface Judged {
  finding: Finding
  readOnly: boolean
}

/** Gives the finding on the words of a segment, of which there is at least one. */
export function judgeWords(segment: Segment, files: FileContext, context: CommandContext): Judged {
  const [first] = segment.words
  const blocked = judgeBlock(segment, files, context)
  if (blocked) return changing(blocked)
  const values = segment.words.map((word) => (word.glob ? undefined : word.value))
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
  const call: Call = { segment, files, context, program: first!.value, name, rules, loose, strict, approved }
  const asked = judgeAsking(call)
  if (asked) return changing(asked)
  const looks = judgeLooking(call)
  if (looks?.readOnly || looks?.finding.verdict === 'deny' || looks?.finding.never) return looks
  // What a reader must not read unasked may be allowed by a rule all the same.
  const finding = judgeConfigured(call) ?? looks?.finding ?? judgeListed(call)
  return changing(finding ?? (approved ? fromRule(approved) : unknownCommand(call)))
}

const changing = (finding: Finding): Judged => ({ finding, readOnly: false })

function trustedName(word: string): string | undefined {
  if (!word.includes('/')) return word
  return PROGRAM_FOLDERS.test(word) ? word.slice(word.lastIndexOf('/') + 1) : undefined
}

/** `commands.confirm: always`, and rules that ask where no approval stands against them. */
function judgeAsking({ segment, context, rules, loose, approved }: Call): Finding | undefined {
  if (context.confirm === 'always' && context.mode !== 'auto') {
    return {
      verdict: 'ask',
      level: 'app',
      rule: 'commands.confirm: always',
      reason: 'Every command is asked about.',
      silence: 'commands.confirm: unknown',
    }
  }
  const asked = rules.find((rule) => rule.verdict === 'ask' && matchesCommand(rule, loose))
  if (!asked || approved) return undefined
  const remember = rememberedRule(segment.words)
  return {
    ...fromRule(asked),
    silence: remember ? `approve "${remember}"` : 'a change of that rule',
    remember: remember ? [remember] : [],
  }
}

/** The table of what only looks, and the files that such a command would show. */
function judgeLooking({ segment, files, context, name, approved }: Call): Judged | undefined {
  const { words, redirects, assignments } = segment
  const args = words.slice(1)
  const entry = name === undefined ? undefined : readOnlyEntry(name, args, assignments.length > 0)
  if (!entry) return undefined
  if ((name === 'env' || name === 'printenv') && files.facts.environmentHasSecrets()) return undefined
  if (name === 'git' && !context.sandboxed && showsUserConfig(args))
    return changing(
      asks(context, 'it shows settings of the user, which may hold keys', { rule: 'files that are read' }),
    )
  const option = globbedOption(args, files)
  if (option !== undefined)
    return changing(asks(context, `the file ${option} would be taken for an option`, { rule: 'files that are read' }))
  // A here-document or here-string with a variable of the environment in it would be printed.
  if (redirects.some((redirect) => redirect.hidden)) {
    return changing(asks(context, `what ${name} reads is only known to the shell`, { rule: 'files that are read' }))
  }
  const committed = name === 'git' ? committedSecret(args, files) : undefined
  if (committed !== undefined) return changing(secretFile(committed, context, 'the history of git'))
  const unreadable =
    findUnreadable(name!, entry, args, files) ?? (context.sandboxed ? undefined : findMet(name!, args, files))
  if (!unreadable) return { finding: allowed(`read-only: ${name}`, 'It only looks.'), readOnly: true }
  if (unreadable.kind === 'secret') return changing(secretFile(unreadable.text, context, unreadable.within))
  if (context.sandboxed) {
    const reason = 'It only looks, and the sandbox keeps secrets away.'
    return { finding: allowed(`read-only: ${name}`, reason), readOnly: true }
  }
  if (approved?.exact) return changing(fromRule(approved))
  const reason =
    unreadable.kind === 'outside'
      ? `${unreadable.text} lies outside of the workspace`
      : `what ${name} reads is only known to the shell`
  const silence = 'the sandbox, or permissions.additionalRoots'
  return changing(asks(context, reason, { rule: 'files that are read', silence, ...exactly(words) }))
}

/** A secret file of git's history that a call of git would print. */
function committedSecret(args: Segment['words'], { facts, root, folder }: FileContext): string | undefined {
  const paths = contentPaths(args)
  if (paths === undefined) return undefined
  const within =
    folder === undefined || folder === root || !folder.startsWith(`${root}/`) ? '' : folder.slice(root.length + 1)
  return firstShown(facts.secretsInHistory(), folder === undefined ? [] : paths, within)
}

/** Rules of the configuration that allow, and `commands.allow`. */
function judgeConfigured({ context, rules, strict }: Call): Finding | undefined {
  const configured = rules.find(
    (rule) => rule.level !== 'session' && rule.verdict === 'allow' && matchesCommand(rule, strict),
  )
  if (configured) return fromRule(configured)
  const listed = context.allow.find((each) => matchesCommand(each, strict))
  if (!listed) return undefined
  return {
    ...allowed(`commands.allow: ${listed.pattern}`, 'The allowlist has it.'),
    level: listed.level ?? 'app',
    ...(listed.source ? { source: listed.source } : {}),
  }
}

/** The allowlist of the program, with what is asked about everywhere, and what only outside of a sandbox. */
function judgeListed({ segment, files, context, name, approved }: Call): Finding | undefined {
  if (name === undefined) return undefined
  if (context.sandboxed && buildsHere(name, segment.words.slice(1)))
    return allowed(`builds and checks: ${name}`, 'It builds or checks what is here, inside of the sandbox.')
  if (!DEFAULT_ALLOW_LIST.includes(name)) return undefined
  const lasting = lastingAsks(name, segment, files)
  const why = context.sandboxed ? undefined : allowListAsks(name, segment, files)
  if (approved?.exact) return fromRule(approved)
  if (why !== undefined) {
    const silence = 'the sandbox, or an approval of exactly this'
    const reason = lasting ? `${lasting.reason}; ${why}` : why
    return asks(context, reason, { rule: `allowlist: ${name}, with care`, silence, ...exactly(segment.words) })
  }
  if (lasting === undefined) return allowed(`allowlist: ${name}`, 'The allowlist has it.')
  if (approved && lasting.prefix) return fromRule(approved)
  const remember = rememberedRule(segment.words, !lasting.prefix)
  return asks(context, lasting.reason, {
    rule: 'leaves the machine, or is not taken back',
    silence: remember ? `a rule that allows it, or an approval of "${remember}"` : 'a rule that allows it',
    remember: remember ? [remember] : [],
  })
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

function unknownCommand({ segment, program: name, context }: Call): Finding {
  const remember = rememberedRule(segment.words)
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
function judgeBlock({ words }: Segment, files: FileContext, context: CommandContext): Finding | undefined {
  const active = blockEntries(context)
  let maybe: string | undefined
  for (const entry of active) {
    const answer = matchesBlock(entry, words)
    if (answer === 'yes') {
      if (entry.startsWith('rm -') && context.mode !== 'auto' && removesReplaceable(words, files)) {
        return {
          verdict: 'ask',
          level: 'app',
          rule: `block: ${entry}, of what can be had again`,
          reason: `${words.map((word) => word.text).join(' ')} removes folders with all that is in them.`,
          never: true,
        }
      }
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
