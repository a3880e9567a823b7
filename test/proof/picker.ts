/** Draws one of a list. */
export type Pick = <T>(list: readonly T[]) => T

/** A small generator (mulberry32): the same seed gives the same trees. */
export function picker(seed: number): Pick {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return (list) => list[Math.floor(next() * list.length)]!
}
