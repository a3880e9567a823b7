import type { Config } from './schema.ts'

/** Who starts a run; the table of limits has a column for each kind. */
export type RunKind = 'interactive' | 'headless' | 'automation'

type Counter = 'consecutiveReads' | 'consecutiveActionRetries' | 'consecutiveFormatErrors' | 'totalTurns'

const chat = { consecutiveReads: 300, consecutiveActionRetries: 3, consecutiveFormatErrors: 3, totalTurns: 500 }
const strictChat = { consecutiveReads: 3, consecutiveActionRetries: 3, consecutiveFormatErrors: 3, totalTurns: 10 }

/** Turns, by preset and kind of run; 0 would be no limit. */
export const limitPresets: Record<Config['limits']['preset'], Record<RunKind, Record<Counter, number>>> = {
  default: {
    interactive: chat,
    headless: chat,
    automation: {
      consecutiveReads: 60,
      consecutiveActionRetries: 5,
      consecutiveFormatErrors: 5,
      totalTurns: 150,
    },
  },
  strict: {
    interactive: strictChat,
    headless: strictChat,
    automation: { consecutiveReads: 5, consecutiveActionRetries: 5, consecutiveFormatErrors: 5, totalTurns: 20 },
  },
}

/** Upper bound of a run in milliseconds where nobody sets one; 0 = none. A person at the screen ends a run himself. */
const wallTimes: Record<RunKind, number> = { interactive: 0, headless: 3_600_000, automation: 600_000 }

/** Limits of a run of this kind: the preset, with what the configuration sets. Turns, tokens, milliseconds; 0 = none. */
export function limitsFor(
  { preset, wallTime, tokens, ...set }: Config['limits'],
  kind: RunKind,
): Record<Counter, number> & { tokens: number; wallMs: number } {
  const start = limitPresets[preset][kind]
  return {
    consecutiveReads: set.consecutiveReads ?? start.consecutiveReads,
    consecutiveActionRetries: set.consecutiveActionRetries ?? start.consecutiveActionRetries,
    consecutiveFormatErrors: set.consecutiveFormatErrors ?? start.consecutiveFormatErrors,
    totalTurns: set.totalTurns ?? start.totalTurns,
    tokens,
    wallMs: wallTime === undefined ? wallTimes[kind] : wallTime * 1000,
  }
}
