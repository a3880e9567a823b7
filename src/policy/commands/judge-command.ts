// Judges a command text: every simple command in it, and what could not be read.
// Promises: the verdict of the strictest part; nothing that was not understood is allowed in any mode.
import { isProse } from '../../lib/prose.ts'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import type { Judgement, PolicyRequest } from '../judgement.ts'
import { matchesTool, strongest, type Rule } from '../rules/rule.ts'
import { carriedBlock } from './carried.ts'
import type { CommandFacts } from './facts.ts'
import { blockEntries, fromRule, opaque, type CommandContext, type Finding } from './finding.ts'
import { judgeSegment, type JudgedSegment } from './judge-segment.ts'
import { judgeSettings } from './judge-variables.ts'
import { parseCommand, type ParseOptions } from './parse-command.ts'
import type { Segment } from './segment.ts'
import { unwrap } from './unwrap.ts'

type CommandRequest = Extract<PolicyRequest, { kind: 'command' }>

/** What a policy gives; its rules depend on the folders that a command turns out to touch. */
type PolicyContext = Omit<CommandContext, 'rules'> & { rulesFor(folders: readonly string[]): Promise<Rule[]> }

export async function judgeCommand(request: CommandRequest, policy: PolicyContext): Promise<Judgement> {
  const start = resolve(policy.root, request.cwd ?? '.')
  const options: ParseOptions = {
    home: policy.facts.home,
    folderExists: (folder) => policy.facts.listFolder(resolve(start, folder)).length > 0,
  }
  const { segments, problems, settings } = unwrap(parseCommand(request.command, options), parseCommand, options)
  const placed = segments.map((segment) => ({
    ...segment,
    folder: segment.folder === undefined ? undefined : resolve(start, segment.folder),
  }))
  const context: CommandContext = {
    ...policy,
    rules: await policy.rulesFor([start, ...placed.flatMap(foldersOf)]),
    facts: afterWrites(placed, policy.facts),
  }
  const judged: JudgedSegment[] = []
  for (const segment of placed) judged.push(await judgeSegment(segment, context))
  const entries = blockEntries(context)
  const carried = segments.flatMap((segment, at) =>
    judged[at]!.readOnly || judged[at]!.verdict === 'deny'
      ? []
      : (carriedBlock(segment, entries, parseCommand, options) ?? []),
  )
  const reasons = new Set([...problems.map((problem) => problem.reason), ...carried])
  const troubles = Array.from(reasons, (reason) => troubleOf(reason, context))
  const { tool } = request
  return combine(request, judged, [...troubles, ...judgeSettings(settings, context), ...toolRules(tool, context)])
}

/** Where a command runs, and where the files lie that it is redirected to. */
function foldersOf({ folder, redirects }: Segment): string[] {
  const targets = redirects.flatMap(({ target }) => target?.value ?? [])
  const known = targets.filter((path) => folder !== undefined || isAbsolute(path))
  return [...(folder === undefined ? [] : [folder]), ...known.map((path) => dirname(resolve(folder ?? '/', path)))]
}

/** The facts as they will be once the redirections of the command itself are made: what it writes it may not run unasked. */
function afterWrites(segments: readonly Segment[], facts: CommandFacts): CommandFacts {
  const written = new Set<string>()
  let anything = false
  for (const { redirects, folder } of segments) {
    for (const { target } of redirects.filter((redirect) => redirect.kind === 'write')) {
      const path = target?.glob ? undefined : target?.value
      if (path === undefined || (folder === undefined && !isAbsolute(path))) anything = true
      else if (!path.startsWith('/dev/')) written.add(resolve(folder ?? '/', path))
    }
  }
  if (!anything && written.size === 0) return facts
  const scripts = [...written].filter((path) => basename(path) === 'package.json').map((path) => dirname(path))
  return {
    ...facts,
    isChanged: (path) => anything || written.has(path) || facts.isChanged(path),
    isCodeChanged: () => anything || [...written].some((path) => !isProse(path)) || facts.isCodeChanged(),
    scriptsChanged: (folder) =>
      anything ||
      scripts.some((changed) => folder === changed || folder.startsWith(`${changed}/`)) ||
      facts.scriptsChanged(folder),
  }
}

/** A rule on the tool asks about, or refuses, whatever command it runs; one that allows it allows no command. */
function toolRules(tool: string | undefined, { rules, mode }: CommandContext): Finding[] {
  if (tool === undefined) return []
  const found = rules.filter((rule) => rule.kind === 'tool' && matchesTool(rule, tool))
  const chosen = strongest(found.filter((rule) => rule.verdict !== 'allow'))
  if (!chosen || (chosen.verdict === 'ask' && found.some((rule) => rule.level === 'session'))) return []
  return [
    {
      ...fromRule(chosen),
      ...(chosen.verdict === 'ask' ? { remember: mode === 'plan' ? [] : [`tool: ${tool}`] } : {}),
    },
  ]
}

function troubleOf(reason: string, context: CommandContext): Finding {
  if (context.mode !== 'plan') return opaque(context, reason)
  return { ...opaque(context, reason), verdict: 'deny', code: 'NOT_ALLOWED_IN_MODE' }
}

function combine(request: CommandRequest, segments: readonly JudgedSegment[], troubles: readonly Finding[]): Judgement {
  const all: Finding[] = [...segments, ...troubles]
  const chosen = strongest(all)
  const readOnly = troubles.length === 0 && segments.length > 0 && segments.every((each) => each.readOnly)
  const shown = segments.map(({ text, via, verdict, level, rule, source, reason, readOnly }) => ({
    text,
    via,
    verdict,
    level,
    rule,
    ...(source ? { source } : {}),
    reason,
    readOnly,
  }))
  if (!chosen) {
    return {
      verdict: 'allow',
      level: 'app',
      rule: 'empty command',
      reason: 'There is nothing to run.',
      remember: [],
      segments: [],
      readOnly: true,
    }
  }
  const asked = all.filter((each) => each.verdict === 'ask')
  const storable = chosen.verdict === 'ask' && asked.every((each) => (each.remember ?? []).length > 0)
  const warning = all.find((each) => each.warning !== undefined)?.warning
  const others = all.filter((each) => each.verdict === chosen.verdict && each.reason !== chosen.reason)
  const wish = request.validationRequest
  const base: Judgement = {
    verdict: chosen.verdict,
    level: chosen.level,
    rule: chosen.rule,
    ...(chosen.source ? { source: chosen.source } : {}),
    reason:
      chosen.verdict === 'allow' || others.length === 0
        ? chosen.reason
        : [chosen, ...others].map((each) => each.reason).join(' '),
    ...(chosen.silence !== undefined && chosen.verdict !== 'allow' ? { silence: chosen.silence } : {}),
    ...(chosen.verdict === 'deny' ? { code: chosen.code ?? 'DENIED' } : {}),
    ...(warning === undefined ? {} : { warning }),
    remember: storable ? [...new Set(asked.flatMap((each) => each.remember ?? []))] : [],
    segments: shown,
    readOnly,
  }
  if (!wish || base.verdict !== 'allow' || chosen.rule === 'mode auto') return base
  return {
    ...base,
    verdict: 'ask',
    level: 'model',
    rule: 'validationRequest',
    reason: typeof wish === 'string' ? wish : 'The model asks for a confirmation.',
  }
}
