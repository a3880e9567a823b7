import { relative, resolve } from 'node:path'
import { matchesPath } from '../rules/path-rule.ts'
import { ruleText, strongest } from '../rules/rule.ts'
import { absolutePath, isProtectedPath, isSecretPath, placeOf, within, type FileContext } from './files.ts'
import { asks, opaque, protectedWrite, secretFile, type CommandContext, type Finding } from './finding.ts'
import type { Redirect } from './segment.ts'

const NEUTRAL = /^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/\d+)$/

/** Judges one redirection: a write is judged as a write, a read as reading that file. Undefined when it is of no interest. */
export async function judgeRedirect(
  redirect: Redirect,
  files: FileContext,
  context: CommandContext,
): Promise<Finding | undefined> {
  const { kind, target } = redirect
  if (kind === 'text' || kind === 'copy' || target === undefined) return undefined
  const path = target.glob ? undefined : target.value
  if (path !== undefined && NEUTRAL.test(path)) return undefined
  // bash opens a connection for these names (bash(1), REDIRECTION).
  if (/^\/dev\/(?:tcp|udp)\//.test(path ?? target.prefix))
    return opaque(context, 'a redirection opens a network connection')
  if (path === undefined) {
    const verb = kind === 'write' ? 'written' : 'read'
    return target.harmless === 'pipe' && kind === 'read'
      ? undefined
      : asks(context, `which file is ${verb} is only known to the shell`, { rule: ruleOf(kind) })
  }
  if (isSecretPath(path, files)) return secretFile(path, context)
  const place = placeOf(path, files)
  if (kind === 'read') {
    if (place === 'inside' || place === 'temp' || context.sandboxed) return undefined
    return asks(
      context,
      place === 'unknown'
        ? `which file ${path} is, is only known to the shell`
        : `${path} lies outside of the workspace`,
      { rule: ruleOf(kind), silence: 'the sandbox, or permissions.additionalRoots' },
    )
  }
  if (place === 'outside' || place === 'system') {
    if (context.mode !== 'auto') return asks(context, `it writes ${path}, outside of the workspace`, { rule: 'paths' })
    return {
      verdict: 'deny',
      level: 'app',
      rule: 'paths',
      reason: `${path} lies outside of the workspace and is not written.`,
      silence: 'permissions.additionalRoots',
      code: 'PATH_OUTSIDE',
      never: true,
    }
  }
  if (isProtectedPath(path, files)) return protectedWrite(path)
  return await judgeWrite(path, place === 'unknown', files, context)
}

async function judgeWrite(
  path: string,
  unknown: boolean,
  files: FileContext,
  context: CommandContext,
): Promise<Finding | undefined> {
  const shownAs = (absolute: string): string =>
    within(absolute, files.root) ? relative(files.root, absolute) : absolute
  const shown = unknown ? path : shownAs(resolve(files.folder ?? '/', path))
  // A rule holds for the name and for the place it leads to; one that allows must cover both.
  const places = unknown ? [] : [shown, shownAs(files.facts.realPath(absolutePath(path, files.folder ?? '/')))]
  const rules = []
  for (const rule of context.rules.filter(({ kind }) => kind === 'path')) {
    const scope = rule.folder === undefined ? '' : `${rule.folder}/`
    const matches = await Promise.all(
      places.map(async (place) => place.startsWith(scope) && (await matchesPath(rule.pattern, place))),
    )
    if (rule.verdict === 'allow' ? matches.length > 0 && matches.every(Boolean) : matches.some(Boolean))
      rules.push(rule)
  }
  const rule = strongest(rules.filter((each) => each.level !== 'session')) ?? rules[0]
  if (rule && !(rule.verdict === 'ask' && rules.some((each) => each.level === 'session'))) {
    return {
      verdict: rule.verdict,
      level: rule.level,
      rule: ruleText(rule),
      ...(rule.source ? { source: rule.source } : {}),
      reason: rule.reason ?? `The rule "${ruleText(rule)}" covers ${shown}.`,
      ...(rule.verdict === 'deny' ? { code: 'DENIED' as const } : {}),
    }
  }
  if (context.mode === 'auto' || (context.mode === 'auto-edit' && !unknown)) {
    return { verdict: 'allow', level: 'app', rule: `mode ${context.mode}`, reason: `It writes ${shown}.` }
  }
  const quoted = shown.replaceAll(/[*?[\]{}()!\\]/g, String.raw`\$&`)
  return asks(context, `it writes ${shown}`, {
    rule: ruleOf('write'),
    silence: '--mode auto-edit (Shift+Tab), or a rule that allows the path',
    remember: unknown ? [] : [`path: ${quoted.startsWith('/') ? '' : './'}${quoted}`],
  })
}

function ruleOf(kind: Redirect['kind']): string {
  return kind === 'write' ? 'redirections are writes' : 'redirections are reads'
}
