/** A generator of numbers in [0, 1) that gives the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const DIGITS = '0123456789'

export function pick<T>(random: () => number, from: ArrayLike<T>): T {
  return from[Math.floor(random() * from.length)]!
}

/** A text with a letter first and at least one figure. */
export function text(random: () => number, length: number, alphabet = LETTERS + DIGITS): string {
  let made = pick(random, LETTERS)
  while (made.length < length - 1) made += pick(random, alphabet)
  return made + pick(random, DIGITS)
}
