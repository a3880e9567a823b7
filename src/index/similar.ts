/** Candidates are at most this many single changes away, by the length of what was asked for. */
const MAX_DISTANCE_SHARE = 0.4

/** So many letters more or fewer weigh as much as one change, when one text contains the other. */
const CONTAINED = 4

/**
 * Texts most like a wanted one, nearest first: containing it or contained in it counts as near, else by Levenshtein distance.
 * Exact hits are left out.
 */
export function nearest(wanted: string, candidates: Iterable<string>, limit: number): string[] {
  const found: { text: string; distance: number }[] = []
  const most = Math.max(2, Math.floor(wanted.length * MAX_DISTANCE_SHARE))
  for (const text of candidates) {
    const folded = text.toLowerCase()
    if (folded === wanted) continue
    const contains = folded.includes(wanted) || (folded.length > 3 && wanted.includes(folded))
    if (!contains && Math.abs(folded.length - wanted.length) > most) continue
    const distance = contains
      ? 1 + Math.abs(folded.length - wanted.length) / CONTAINED
      : levenshtein(wanted, folded, most)
    if (contains || distance <= most) found.push({ text, distance })
  }
  found.sort((a, b) => a.distance - b.distance || (a.text < b.text ? -1 : 1))
  return found.slice(0, limit).map(({ text }) => text)
}

/** Distance, or `most + 1` when it is larger than `most`. */
function levenshtein(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_unused, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const value = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + cost)
      next.push(value)
      if (value < least) least = value
    }
    if (least > most) return most + 1
    row = next
  }
  return row[b.length]!
}
