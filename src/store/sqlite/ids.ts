import { randomInt } from 'node:crypto'

/** Crockford's base 32: no i, l, o, u, so an id survives being read aloud and typed. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
/** 40 bits of milliseconds last from 2024 for 34 years. */
const EPOCH_MS = Date.UTC(2024, 0, 1)
const TIME_DIGITS = 8
/** 20 bits against two processes in the same millisecond; also what a person types to resume. */
const RANDOM_DIGITS = 4

/** Makes an id of 12 characters that sorts by time, for example `2qh4v8z1k7m3`. */
export function newId(time: number): string {
  let id = ''
  for (let rest = Math.max(0, time - EPOCH_MS), digit = 0; digit < TIME_DIGITS; digit++) {
    id = DIGITS[rest % 32]! + id
    rest = Math.floor(rest / 32)
  }
  for (let digit = 0; digit < RANDOM_DIGITS; digit++) id += DIGITS[randomInt(32)]!
  return id
}
