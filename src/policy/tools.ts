import { isAbsolute, relative, resolve } from 'node:path'
import type { Mode } from '../protocol/index.ts'
import type { Judgement, PolicyRequest } from './judgement.ts'
import { isProtected } from '../workspace/protected/names.ts'
import { judgeEffect } from './mode.ts'
import { matchesTool, ruleText, strongest, type Rule } from './rules/rule.ts'
import { matchesPath } from './rules/path-rule.ts'

interface ToolContext {
  root: string
  mode: Mode
  rules: readonly Rule[]
}

type ToolRequest = Extract<PolicyRequest, { kind: 'tool' }>

/** Commits outlive undo, so they are asked about where edits apply at once. */
const ASKS_FOR_ITSELF: Readonly<Record<string, string>> = {
  git_commit: 'A commit is not taken back by undo.',
}

/** Judges a tool call by its effect, its paths and the rules of every level: any that asks makes it a question. */
export async function judgeTool(request: ToolRequest, context: ToolContext): Promise<Judgement> {
  const byMode = judgeEffect(context.mode, request.tool, request.effect)
  const paths = (request.paths ?? []).map((path) => toRelative(path, context.root))
  const found: Rule[] = []
  for (const rule of context.rules) if (await applies(rule, request, paths)) found.push(rule)
  const denied = found.find((rule) => rule.verdict === 'deny')
  if (denied) return byRule(denied, byMode)
  if (byMode.verdict === 'deny') return byMode
  const guarded = request.effect === 'write' ? paths.find(isProtected) : undefined
  if (guarded !== undefined) return protectedPath(guarded)
  const configured = strongest(found.filter((rule) => rule.level !== 'session'))
  const approved = request.validationRequest ? undefined : found.find((rule) => rule.level === 'session')
  if (configured?.verdict === 'ask' && !approved)
    return { ...byRule(configured, byMode), remember: remembered(request, paths) }
  const own = ASKS_FOR_ITSELF[request.tool]
  const asksItself = own !== undefined && context.mode === 'auto-edit'
  if (request.validationRequest && context.mode !== 'auto') return modelAsks(request)
  const allowing = approved ?? (configured?.verdict === 'allow' ? configured : undefined)
  if (allowing) return byRule(allowing, byMode)
  if (asksItself)
    return {
      ...byMode,
      verdict: 'ask',
      level: 'tool',
      rule: `${request.tool} asks first`,
      reason: own,
      silence: `the rule "allow tool: ${request.tool}"`,
      remember: [`tool: ${request.tool}`],
    }
  return byMode.verdict === 'ask' ? { ...byMode, remember: remembered(request, paths) } : byMode
}

async function applies(rule: Rule, request: ToolRequest, paths: readonly string[]): Promise<boolean> {
  if (rule.folder !== undefined && !paths.some((path) => path === rule.folder || path.startsWith(`${rule.folder}/`)))
    return false
  if (rule.kind === 'tool') return rule.pattern === `effect ${request.effect}` || matchesTool(rule, request.tool)
  if (rule.kind !== 'path' || paths.length === 0) return false
  // A path rule allows only what it covers whole; it asks or denies as soon as it covers one.
  const covered = await Promise.all(paths.map((path) => matchesPath(rule.pattern, path)))
  return rule.verdict === 'allow' ? request.effect !== 'execute' && covered.every(Boolean) : covered.some(Boolean)
}

function toRelative(path: string, root: string): string {
  const within = relative(root, resolve(root, path))
  return isAbsolute(within) || within.startsWith('..') ? resolve(root, path) : within
}

function remembered(request: ToolRequest, paths: readonly string[]): string[] {
  if (request.effect === 'write' && paths.length > 0)
    return paths.map((path) => `path: ${path.startsWith('/') ? '' : './'}${escapeGlob(path)}`)
  return [`tool: ${request.tool}`]
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}()!\\]/g, String.raw`\$&`)
}

function byRule(rule: Rule, byMode: Judgement): Judgement {
  return {
    verdict: rule.verdict,
    level: rule.level,
    rule: ruleText(rule),
    ...(rule.source ? { source: rule.source } : {}),
    reason: rule.reason ?? `The rule "${ruleText(rule)}" covers it.`,
    ...(rule.verdict === 'deny' ? { code: 'DENIED' as const } : {}),
    ...(rule.verdict === 'ask' ? { silence: byMode.silence ?? `a change of that rule` } : {}),
    remember: [],
  }
}

function protectedPath(path: string): Judgement {
  return {
    verdict: 'ask',
    level: 'app',
    rule: 'protected paths',
    reason: `${path} is configuration that programs run or obey; look at it before you say yes.`,
    warning: 'This changes configuration that can widen permissions or run commands.',
    remember: [],
  }
}

function modelAsks(request: ToolRequest): Judgement {
  const why =
    typeof request.validationRequest === 'string' ? request.validationRequest : 'The model asks for a confirmation.'
  return { verdict: 'ask', level: 'model', rule: 'validationRequest', reason: why, remember: [] }
}
