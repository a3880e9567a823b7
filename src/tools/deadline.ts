/** Time a handler gets, without the time it waits for a person. */
export class Deadline {
  #timer: NodeJS.Timeout | undefined
  #startedAt: number
  #spent = 0
  #pauses = 0
  readonly #limitMs: number
  readonly #expire: () => void

  /** @param limitMs 0 = none */
  constructor(limitMs: number, expire: () => void) {
    this.#limitMs = limitMs
    this.#expire = expire
    this.#startedAt = performance.now()
    this.#arm()
  }

  /** Milliseconds spent so far. */
  elapsed(): number {
    return this.#spent + (this.#pauses > 0 ? 0 : performance.now() - this.#startedAt)
  }

  /** Stops the clock while a person is waited for; pauses nest. */
  async paused<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#pauses === 0) this.#spent = this.elapsed()
    this.#pauses += 1
    clearTimeout(this.#timer)
    try {
      return await wait()
    } finally {
      this.#pauses -= 1
      if (this.#pauses === 0) {
        this.#startedAt = performance.now()
        this.#arm()
      }
    }
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #arm(): void {
    if (this.#limitMs > 0) this.#timer = setTimeout(this.#expire, Math.max(0, this.#limitMs - this.#spent))
  }
}
