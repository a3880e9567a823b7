import { basename } from 'node:path'
import type { Mode } from '../../protocol/index.ts'
import type { Verdict } from '../judgement.ts'
import { ruleText, type Rule } from '../rules/rule.ts'
import { DEFAULT_BLOCK_LIST } from './block-list.ts'
import type { CommandFacts } from './facts.ts'

export interface CommandContext {
  root: string
  mode: Mode
  rules: readonly Rule[]
  block?: readonly string[]
  blockPlace?: (entry: string) => Pick<Rule, 'level' | 'source'> | undefined
  allow: readonly { pattern: string; level?: Rule['level']; source?: Rule['source'] }[]
  confirm?: 'unknown' | 'always'
  askForUnknown?: boolean
  sandboxed: boolean
  additionalRoots?: readonly string[]
  facts: CommandFacts
}

/** The blocklist in force. */
export function blockEntries({ block = DEFAULT_BLOCK_LIST }: Pick<CommandContext, 'block'>): readonly string[] {
  return block
}

/** What is held against, or for, a segment; the strongest of several decides. */
export interface Finding {
  verdict: Verdict
  level: Rule['level']
  rule: string
  source?: Rule['source']
  reason: string
  silence?: string
  code?: 'DENIED' | 'NOT_ALLOWED_IN_MODE' | 'SECRET' | 'PATH_OUTSIDE'
  warning?: string
  /** Rules an approval would store. */
  remember?: readonly string[]
  /** It may not be remembered, whatever the others say. */
  never?: boolean
}

export function allowed(rule: string, reason: string): Finding {
  return { verdict: 'allow', level: 'app', rule, reason }
}

/** A question of the program's own, which mode auto does not ask; `rule` defaults to `unknown command`. */
export function asks(
  context: Pick<CommandContext, 'mode'>,
  reason: string,
  { rule = 'unknown command', ...more }: Partial<Finding> = {},
): Finding {
  const auto = context.mode === 'auto'
  return {
    verdict: auto ? 'allow' : 'ask',
    level: 'app',
    rule: auto ? 'mode auto' : rule,
    reason: `${capital(reason)}${auto ? ', but mode auto asks nothing' : ''}.`,
    ...more,
  }
}

function capital(text: string): string {
  // A name of a program keeps its letters.
  return /^(?:the|it|an?|which|what|no|words?|text|commands?|arithmetic) /.test(text)
    ? text[0]!.toUpperCase() + text.slice(1)
    : text
}

/** What cannot be read may hide a blocked command: asked about, and refused where nobody is asked. */
export function opaque(context: Pick<CommandContext, 'mode'>, reason: string): Finding {
  if (context.mode !== 'auto')
    return { verdict: 'ask', level: 'app', rule: 'cannot be read', reason: `${capital(reason)}.`, never: true }
  return {
    verdict: 'deny',
    level: 'app',
    rule: 'cannot be read',
    reason: `${capital(reason)}, so the blocklist cannot be held. Write the command out plainly.`,
    code: 'DENIED',
    never: true,
  }
}

/** `within` is the folder that is read as a whole, when the command does not name the file. */
export function secretFile(file: string, context: Pick<CommandContext, 'mode'>, within?: string): Finding {
  const auto = context.mode === 'auto'
  return {
    verdict: auto ? 'deny' : 'ask',
    level: 'app',
    rule: 'secret files',
    reason:
      within === undefined
        ? `${file} is a secret file.`
        : `It would read ${file}, a secret file in ${within}. Leave it out by an option of the program (grep --exclude=${file}, rg -g '!${file}', git … -- . ':!${file}'), or name folders without it.`,
    silence: `an exception by name in the configuration: secrets.files: ['!${basename(file)}']`,
    ...(auto ? { code: 'SECRET' as const } : {}),
    never: true,
  }
}

/** Asked about in every mode, and each time: other programs run or obey what is written there. */
export function protectedWrite(path: string): Finding {
  return {
    verdict: 'ask',
    level: 'app',
    rule: 'protected paths',
    reason: `It writes ${path}, configuration that programs run or obey.`,
    warning: 'This changes configuration that can widen permissions or run commands.',
    never: true,
  }
}

/** What a rule says, with its place. */
export function fromRule(rule: Rule): Finding {
  return {
    verdict: rule.verdict,
    level: rule.level,
    rule: ruleText(rule),
    ...(rule.source ? { source: rule.source } : {}),
    reason: rule.reason ?? `The rule "${ruleText(rule)}" covers it.`,
    ...(rule.verdict === 'deny' ? { code: 'DENIED' as const } : {}),
  }
}
