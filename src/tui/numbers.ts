// Times, counts and sizes as screens show them.
import { plural } from '../lib/plural.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A time span: `0.01s`, `3.2s`, `47m`, `2h 5m`. */
export function spanText(ms: number): string {
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(ms < SECOND ? 2 : 1)}s`
  if (ms < MINUTE) return `${Math.round(ms / SECOND)}s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`
  return `${Math.floor(ms / HOUR)}h ${Math.floor((ms % HOUR) / MINUTE)}m`
}

/** Whole seconds that have passed: `3s`, `12m`. */
export const elapsedText = (ms: number): string =>
  ms < MINUTE ? `${Math.max(0, Math.floor(ms / SECOND))}s` : spanText(ms)

/** A whole number with thousands: `1,247`. */
export const countText = (count: number): string => Math.round(count).toLocaleString('en-US')

/** A count with thousands and its noun: `1 tool call`, `1,247 tool calls`. */
export const counted = (count: number, noun: string): string => plural(count, noun, countText(count))

const twoDigits = (count: number): string => String(count).padStart(2, '0')

/** Time of day where the user is: `09:05`. */
export function clockText(time: number): string {
  const at = new Date(time)
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

/** Day where the user is: `2026-11-20`. */
export function dayText(time: number): string {
  const at = new Date(time)
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
}

const MB = 1_000_000

/** Bytes as megabytes or gigabytes. */
export const bytesText = (bytes: number): string =>
  bytes >= 1000 * MB ? `${(bytes / (1000 * MB)).toFixed(1)} GB` : `${Math.round(bytes / MB)} MB`

const BAR_CELLS = 20

/** `[#####-----] 50 %`; without a total the count alone. */
export function barText(done: number, total: number): string {
  if (total <= 0) return countText(done)
  const share = Math.min(1, done / total)
  const filled = Math.round(share * BAR_CELLS)
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}] ${Math.floor(share * 100)} %`
}
