// Counts what the limits of a run are about. Pure: a turn goes in, the limit that was reached comes out.

/** Limits of one run; 0 = none. Turns, tokens and milliseconds. */
export interface RunLimits {
  consecutiveReads: number
  consecutiveActionRetries: number
  consecutiveFormatErrors: number
  totalTurns: number
  /** Input and output tokens of the run together. */
  tokens: number
  wallMs: number
}

/** Reason of an abort that the wall-time limit caused: the run then ends at a limit, not as interrupted by the user. */
export const WALL_TIME_REACHED = 'wall time reached'

/** What a turn was, for the counters: its worst part decides. */
export type TurnKind = 'format-error' | 'question' | 'read' | 'action' | 'action-failed' | 'refused' | 'answer'

export interface LimitReached {
  /** A key of RunLimits, or `loop` for the loop guard. */
  counter: keyof RunLimits | 'loop'
  limit: number
  text: string
}

const words: Record<keyof RunLimits, (limit: number) => string> = {
  consecutiveReads: (n) => `${n} turns in a row only read`,
  consecutiveActionRetries: (n) => `${n} turns in a row had an action that failed`,
  consecutiveFormatErrors: (n) => `${n} answers in a row could not be understood`,
  totalTurns: (n) => `the run had ${n} turns`,
  tokens: (n) => `the run used ${n} tokens`,
  wallMs: (n) => `the run took ${Math.round(n / 1000)} s`,
}

const settings: Record<keyof RunLimits, string> = {
  consecutiveReads: 'limits.consecutiveReads',
  consecutiveActionRetries: 'limits.consecutiveActionRetries',
  consecutiveFormatErrors: 'limits.consecutiveFormatErrors',
  totalTurns: '--max-turns or limits.totalTurns',
  tokens: 'limits.tokens',
  wallMs: '--timeout or limits.wallTime',
}

const limitText = (counter: keyof RunLimits, limit: number): string =>
  `Limit reached: ${words[counter](limit)} (${settings[counter]} sets it).`

/** Running counts of one run. */
export class LimitCounters {
  turns = 0
  tokens = 0
  private reads = 0
  private actionFailures = 0
  private formatErrors = 0
  private readonly startedAt: number
  private readonly limits: RunLimits

  constructor(limits: RunLimits, startedAt: number) {
    this.limits = limits
    this.startedAt = startedAt
  }

  /** The limit that forbids another turn, if one does. */
  beforeTurn(now: number): LimitReached | undefined {
    return (
      this.check('totalTurns', this.turns) ??
      this.check('tokens', this.tokens) ??
      this.check('wallMs', now - this.startedAt)
    )
  }

  /** Whether the turn that begins now is the last that `totalTurns` allows. */
  get isLastTurn(): boolean {
    return this.limits.totalTurns > 0 && this.turns === this.limits.totalTurns - 1
  }

  /** The wall-time limit, reached in the middle of a turn. */
  wallTime(): LimitReached {
    const limit = this.limits.wallMs
    return { counter: 'wallMs', limit, text: limitText('wallMs', limit) }
  }

  /** Takes a finished turn in; returns the consecutive limit it reached. A refusal by the user counts nowhere. */
  afterTurn(kind: TurnKind, tokens: number): LimitReached | undefined {
    this.turns += 1
    this.tokens += tokens
    if (kind === 'refused') return undefined
    this.reads = kind === 'read' ? this.reads + 1 : 0
    this.actionFailures = kind === 'action-failed' ? this.actionFailures + 1 : 0
    this.formatErrors = kind === 'format-error' ? this.formatErrors + 1 : 0
    return (
      this.check('consecutiveReads', this.reads) ??
      this.check('consecutiveActionRetries', this.actionFailures) ??
      this.check('consecutiveFormatErrors', this.formatErrors)
    )
  }

  /** What was done succeeded and the model keeps going: the counters of turns in a row begin anew. */
  resetConsecutive(): void {
    this.reads = 0
    this.actionFailures = 0
    this.formatErrors = 0
  }

  private check(counter: keyof RunLimits, count: number): LimitReached | undefined {
    const limit = this.limits[counter]
    if (limit <= 0 || count < limit) return undefined
    return { counter, limit, text: limitText(counter, limit) }
  }
}
