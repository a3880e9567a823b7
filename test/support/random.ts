/** Numbers that follow from a seed (mulberry32), for proofs that are to be run again. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }
}

/** `--count N --seed S` of a proof. */
export function proofArguments(count: number): { count: number; seed: number } {
  const value = (name: string): number | undefined => {
    const at = process.argv.indexOf(`--${name}`)
    return at < 0 ? undefined : Number(process.argv[at + 1])
  }
  return { count: value('count') ?? count, seed: value('seed') ?? 1 }
}
