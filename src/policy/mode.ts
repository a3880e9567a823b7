import type { Effect, Mode } from '../protocol/index.ts'
import type { Judgement } from './judgement.ts'

export interface ModeConditions {
  /** Commands really run inside a sandbox. */
  sandboxed: boolean
  /** The user said `--no-sandbox`, in words. */
  noSandbox: boolean
}

/** Returns why a mode may not be entered, or undefined when it may. */
export function modeRefusal(mode: Mode, conditions: ModeConditions): string | undefined {
  if (mode !== 'auto' || conditions.sandboxed || conditions.noSandbox) return undefined
  return 'Mode auto asks nothing, so it needs the sandbox, and none is available here. Install bubblewrap (Linux), or add --no-sandbox to go without.'
}

/** Order of the modes on Shift+Tab. */
const CYCLE: readonly Mode[] = ['ask', 'auto-edit', 'plan', 'auto']

/** Returns the mode after `mode` in the cycle that may be entered. */
export function nextMode(mode: Mode, conditions: ModeConditions): Mode {
  const at = CYCLE.indexOf(mode)
  for (let step = 1; step <= CYCLE.length; step++) {
    const next = CYCLE[(at + step) % CYCLE.length]!
    if (modeRefusal(next, conditions) === undefined) return next
  }
  return mode
}

/** Judges a tool by its effect alone. */
export function judgeEffect(mode: Mode, tool: string, effect: Effect): Judgement {
  const rule = `mode ${mode}`
  const allow: Judgement = {
    verdict: 'allow',
    level: 'app',
    rule,
    reason: `${tool} has effect ${effect}.`,
    remember: [],
  }
  if (effect === 'read' || effect === 'note' || effect === 'ask') return allow
  if (effect === 'network') return allow // judged per host, in the middle of the call
  if (mode === 'auto') return allow
  if (mode === 'auto-edit' && effect === 'write') return allow
  if (mode === 'plan') {
    return {
      verdict: 'deny',
      level: 'app',
      rule,
      reason: `Mode plan only reads, and ${tool} would ${effect === 'write' ? 'change files' : 'run a command'}. Describe the step instead, or ask the user to leave plan mode.`,
      silence: '--mode ask (Shift+Tab)',
      code: 'NOT_ALLOWED_IN_MODE',
      remember: [],
    }
  }
  return {
    verdict: 'ask',
    level: 'app',
    rule,
    reason: effect === 'write' ? `${tool} changes files.` : `${tool} runs a program.`,
    silence: effect === 'write' ? '--mode auto-edit (Shift+Tab), or a rule that allows it' : 'a rule that allows it',
    remember: [],
  }
}
