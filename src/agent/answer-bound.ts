// Bounds of one answer: a model that never stops is stopped, and what it said until then is kept as any answer that was cut.

/** Characters of text, reasoning and arguments together, and milliseconds; 0 = none. */
export interface AnswerLimits {
  chars: number
  ms: number
}

export class AnswerBound {
  /** Aborted with the run, and when the time of the answer is over. */
  readonly signal: AbortSignal
  /** Which bound was reached, in words. */
  reached: string | undefined
  readonly #limits: AnswerLimits
  readonly #timer: NodeJS.Timeout | undefined
  #chars = 0

  constructor(limits: AnswerLimits | undefined, signal: AbortSignal) {
    this.#limits = limits ?? { chars: 0, ms: 0 }
    const { ms } = this.#limits
    if (ms <= 0) {
      this.signal = signal
      return
    }
    const over = new AbortController()
    this.signal = AbortSignal.any([signal, over.signal])
    this.#timer = setTimeout(() => {
      this.reached = `${ms / 1000} s (limits.answerTime)`
      over.abort()
    }, ms)
  }

  /** Takes in what came; what of it is still within the bound. */
  take(text: string): string {
    const { chars } = this.#limits
    const room = chars <= 0 ? text.length : chars - this.#chars
    this.#chars += text.length
    if (text.length <= room) return text
    this.reached ??= `${chars} characters (limits.answerChars)`
    return text.slice(0, Math.max(0, room))
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
