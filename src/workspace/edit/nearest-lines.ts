import type { TextView } from './lines.ts'

export interface NearLine {
  /** 1-based. */
  line: number
  text: string
}

export interface Nearest {
  lines: NearLine[]
  /** The first line of the old text that is not so in the file, with what stands there. */
  differs?: { oldLine: number; expected: string; found: string }
}

const SHOWN_LINES = 8
// Below this likeness a line is no help.
const LEAST_LIKENESS = 0.45
// So much of a piece of a line must stand in a line that is much longer, and the piece must have so many letter pairs.
const LEAST_SHARE = 0.7
const LEAST_PAIRS = 6
// The likeness of a line is looked up for so many lines at most.
const COMPARED_LINES = 20_000

/** The part of a file most like an old text that was not found, for the error. */
export function nearestLines(view: TextView, oldText: string): Nearest {
  const old = oldText.split('\n')
  const first = bestStart(view, old)
  if (first === null) return { lines: [] }
  const end = Math.min(view.lines.length, first + Math.min(old.length, SHOWN_LINES))
  const lines = view.lines.slice(Math.max(0, first), end).map((line, at) => ({
    line: Math.max(0, first) + at + 1,
    text: line.text,
  }))
  const at = old.findIndex((line, each) => line.trim() !== (view.lines[first + each]?.text.trim() ?? ''))
  if (at < 0) return { lines }
  const differs = { oldLine: at + 1, expected: old[at]!, found: view.lines[first + at]?.text ?? '(end of the file)' }
  return { lines, differs }
}

/** The line the old text would start at by most votes of lines that are the same, else by the likest line. */
function bestStart(view: TextView, old: string[]): number | null {
  const places = new Map<string, number[]>()
  for (const [at, { text }] of view.lines.entries()) {
    const key = text.trim()
    const known = places.get(key)
    if (known === undefined) places.set(key, [at])
    else if (known.length < 50) known.push(at)
  }
  const votes = new Map<number, number>()
  for (const [at, line] of old.entries()) {
    const key = line.trim()
    if (key === '') continue
    const found = places.get(key) ?? []
    // A line that stands in many places says little about which.
    for (const place of found) votes.set(place - at, (votes.get(place - at) ?? 0) + key.length / found.length)
  }
  const [voted] = [...votes].sort((a, b) => b[1] - a[1])
  if (voted !== undefined && voted[1] >= 4) return Math.max(0, voted[0])
  return likestStart(view, old)
}

function likestStart(view: TextView, old: string[]): number | null {
  const longest = old.reduce((best, line, at) => (line.trim().length > old[best]!.trim().length ? at : best), 0)
  const wanted = pairsOf(old[longest]!.trim())
  if (wanted.size === 0) return null
  let best: { at: number; likeness: number } | null = null
  let around: { at: number; share: number } | null = null
  for (const [at, { text }] of view.lines.slice(0, COMPARED_LINES).entries()) {
    const pairs = pairsOf(text.trim())
    const likeness = likenessOf(wanted, pairs)
    const share = shareOf(wanted, pairs)
    if (share >= LEAST_SHARE && share > (around?.share ?? 0)) around = { at, share }
    if (likeness >= LEAST_LIKENESS && likeness > (best?.likeness ?? 0)) best = { at, likeness }
  }
  // A piece of a line is like none of them as a whole.
  if (best === null && around !== null && old.length === 1 && wanted.size >= LEAST_PAIRS) return around.at
  return best === null ? null : Math.max(0, best.at - longest)
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>()
  for (let at = 0; at + 2 <= text.length; at++) pairs.add(text.slice(at, at + 2).toLowerCase())
  return pairs
}

/** Dice's coefficient of two sets of letter pairs, 0 to 1. */
function likenessOf(a: Set<string>, b: Set<string>): number {
  return b.size === 0 ? 0 : (2 * commonOf(a, b)) / (a.size + b.size)
}

/** How much of `a` is in `b`, 0 to 1. */
const shareOf = (a: Set<string>, b: Set<string>): number => commonOf(a, b) / a.size

function commonOf(a: Set<string>, b: Set<string>): number {
  let common = 0
  for (const pair of a) if (b.has(pair)) common += 1
  return common
}
