/**
 * Paths for completion, best first: those that begin with the text, then those whose file name does, then those that hold
 * it. Folders on the way are offered with a slash.
 */
export function bestPaths(paths: readonly string[], text: string, limit: number): string[] {
  const wanted = text.toLowerCase()
  const ranks: string[][] = [[], [], [], []]
  const folders = new Set<string>()
  for (const path of paths) {
    const lower = path.toLowerCase()
    const name = lower.slice(lower.lastIndexOf('/') + 1)
    const slash = path.indexOf('/', text.length)
    if (lower.startsWith(wanted)) {
      if (slash >= 0) folders.add(path.slice(0, slash + 1))
      else ranks[0]!.push(path)
    } else if (name.startsWith(wanted)) ranks[1]!.push(path)
    else if (name.includes(wanted)) ranks[2]!.push(path)
    else if (lower.includes(wanted)) ranks[3]!.push(path)
  }
  return [...folders, ...ranks.flat()].slice(0, limit)
}
