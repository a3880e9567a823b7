const MOST = 3

/** Installed models most like the name asked for, nearest first; empty when none is like it. */
export function nearestModels(wanted: string, installed: readonly string[]): string[] {
  const target = wanted.toLowerCase()
  const family = target.split(/[:/]/).at(0)!
  return installed
    .map((name) => {
      const low = name.toLowerCase()
      const sameFamily = low.startsWith(family) || low.includes(`/${family}`)
      return { name, distance: editDistance(target, low) - (sameFamily ? family.length : 0) }
    })
    .filter(({ distance }) => distance <= Math.max(2, target.length / 2))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name)
}

/** Levenshtein distance in UTF-16 units. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row.push(
        Math.min(
          previous[j]! + 1,
          row[j - 1]! + 1,
          previous[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1),
        ),
      )
    previous = row
  }
  return previous[b.length]!
}
