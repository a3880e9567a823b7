// Results that the call manager itself writes: refusals, interruptions, faults. Each says what to do next.
import type { Judgement } from '../policy/judgement.ts'
import type { ToolResult } from '../protocol/index.ts'
import { fail } from './tool.ts'

export function interrupted(started: boolean): ToolResult {
  const text = started
    ? 'Interrupted by the user while it ran. Whether it took effect is not known: look before you repeat it.'
    : 'Interrupted by the user before it ran.'
  return { status: 'cancelled', code: 'INTERRUPTED', text }
}

export function timedOut(tool: string, limitMs: number): ToolResult {
  return fail('TIMEOUT', `${tool} was ended after ${limitMs / 1000} s. Ask for less at once, or another way.`)
}

export function threw(tool: string, error: unknown): ToolResult {
  const reason = error instanceof Error ? error.message : String(error)
  return fail(
    'TOOL_ERROR',
    `${tool} failed with a fault of its own: ${reason}. Try another way; the same call will fail again.`,
  )
}

export function denied(title: string, judgement: Judgement): ToolResult {
  const silence = judgement.silence === undefined ? '' : ` Only the user can change that: ${judgement.silence}.`
  const text = `Refused by the rule "${judgement.rule}": ${title}. ${judgement.reason}${silence} Find a way that does without it, or tell the user.`
  return fail(judgement.code ?? 'DENIED', text, refusal(title, judgement))
}

export function nobodyToAsk(title: string, judgement: Judgement): ToolResult {
  const silence = judgement.silence === undefined ? '' : ` What would allow it: ${judgement.silence}.`
  const text = `Not done, because it needs the user's yes and nobody can be asked in this run: ${title}. ${judgement.reason}${silence} Go on without it, and say in your answer what was left undone.`
  return { status: 'cancelled', code: 'DENIED', text, data: { ...refusal(title, judgement), unavailable: true } }
}

export function userRejected(title: string, reason: string | undefined): ToolResult {
  const text =
    reason === undefined || reason.trim() === ''
      ? `The user refused: ${title}. No reason was given: ask why, or propose something else. Do not repeat it.`
      : `The user refused: ${title}. Their words: ${reason}`
  return { status: 'cancelled', code: 'USER_REJECTED', text, data: { refused: title, reason: reason ?? '' } }
}

export function hookBlocked(title: string, reason: string): ToolResult {
  return fail('HOOK_BLOCKED', `A hook of the user blocked: ${title}. ${reason}`)
}

export function repeatedWrite(tool: string, earlier: ToolResult): ToolResult {
  const outcome = earlier.text.length > 300 ? `${earlier.text.slice(0, 300)}…` : earlier.text
  return fail(
    'ANTI_LOOP_SIGNATURE',
    `${tool} was called with exactly these arguments a moment ago and no file has changed since, so it was not done again. Its result was: ${outcome}\nRead the file as it is now and make another change, or go on.`,
  )
}

export function carriesSecret(title: string): ToolResult {
  return fail(
    'SECRET',
    `Not done: ${title}. A placeholder like ⟦secret:1⟧ stands for a value that is hidden from you; it can only be kept in place in the file it came from. Let the program read the value at run time instead.`,
  )
}

/** The title is left out: it may be the text that holds the value. */
export function holdsSecret(tool: string): ToolResult {
  return fail(
    'SECRET',
    `Not done: the arguments of ${tool} hold the value of a secret of this workspace, its environment or a backend, as it is, encoded or in pieces. Let the program read it at run time ("$NAME" of the environment, the file itself), or tell the user that it is needed.`,
  )
}

const CACHED = 'Note: nothing changed since you made this same call; this is its result again.'

export function cached(earlier: ToolResult): ToolResult {
  return { ...earlier, status: 'cached', text: `${CACHED}\n${earlier.text}` }
}

function refusal(title: string, judgement: Judgement): Record<string, unknown> {
  const { rule, level, reason, source } = judgement
  return { refused: title, rule, level, reason, ...(source ? { source } : {}) }
}

/** Somebody changed the file between proposal and write, and this change is given up. */
export function skippedInConflict(title: string, byUser: boolean): ToolResult {
  const who = byUser ? 'The user skipped this change' : 'This change was skipped'
  return {
    status: 'cancelled',
    code: byUser ? 'USER_REJECTED' : 'STALE_FILE',
    text: `${who} (${title}), because somebody else changed the file meanwhile. Nothing was changed. Read the file before you change it again.`,
  }
}
