// When the screen is drawn: at most FRAMES_PER_SECOND times a second for what streams in, at once for a key, and once a second
// while a clock on the screen runs. At rest no timer is set.

/** Frames drawn for what streams in. More cost CPU and bytes, fewer are seen. */
const FRAMES_PER_SECOND = 15
const FRAME_MS = 1000 / FRAMES_PER_SECOND
/** While something runs, times on the screen move. */
const TICK_MS = 1000

export class Frames {
  private readonly now: () => number
  private readonly draw: () => void
  private frame: NodeJS.Timeout | undefined
  private ticker: NodeJS.Timeout | undefined
  private last = 0

  /** `draw` draws one frame and calls `begin` first. */
  constructor(now: () => number, draw: () => void) {
    this.now = now
    this.draw = draw
  }

  /** Asks for a frame soon, together with whatever comes until then. */
  request(): void {
    if (this.frame) return
    const wait = Math.max(0, FRAME_MS - (this.now() - this.last))
    this.frame = setTimeout(() => {
      this.frame = undefined
      this.draw()
    }, wait)
  }

  /** A frame is being drawn: one that was asked for is not needed any more. */
  begin(): void {
    clearTimeout(this.frame)
    this.frame = undefined
    this.last = this.now()
  }

  /** Lets the clock run, or stops it. */
  clock(runs: boolean): void {
    if (runs && !this.ticker) this.ticker = setInterval(() => this.request(), TICK_MS)
    if (!runs && this.ticker) {
      clearInterval(this.ticker)
      this.ticker = undefined
    }
  }

  /** Stops every timer. */
  end(): void {
    clearTimeout(this.frame)
    clearInterval(this.ticker)
  }
}
