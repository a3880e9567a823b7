// Long work in the main thread is done in stretches, with a turn for others in between.

/** Longest stretch of synchronous work, in milliseconds. */
const SLICE_MS = 12

/** A stretch of work: `if (slice.isOver) await slice.next()`. */
export class Slice {
  private until = performance.now() + SLICE_MS

  get isOver(): boolean {
    return performance.now() > this.until
  }

  /** Lets others have their turn, and begins anew. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.until = performance.now() + SLICE_MS
  }
}
