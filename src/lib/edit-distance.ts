/** Counts the characters to insert, delete or change to make one text of the other (Levenshtein), in UTF-16 units. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), row[j]! + 1, next[j - 1]! + 1))
    row = next
  }
  return row[b.length]!
}

/** The known name most like the wanted one, case aside; undefined when none is within a third of its length. */
export function nearestName(wanted: string, known: readonly string[]): string | undefined {
  const target = wanted.toLowerCase()
  const ranked = known
    .map((name) => ({ name, distance: editDistance(target, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.max(name.length, wanted.length) / 3))
    .toSorted((a, b) => a.distance - b.distance)
  return ranked[0]?.name
}
