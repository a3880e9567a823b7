import { editDistance } from '../lib/edit-distance.ts'

const MOST = 3

/** Installed models most like the name asked for, nearest first; when none is like it, the nearest there are. */
export function nearestModels(wanted: string, installed: readonly string[]): string[] {
  const target = wanted.toLowerCase()
  const family = target.split(/[:/]/).at(0)!
  const ranked = installed
    .map((name) => {
      const low = name.toLowerCase()
      const sameFamily = low.startsWith(family) || low.includes(`/${family}`)
      return { name, distance: editDistance(target, low) - (sameFamily ? family.length : 0) }
    })
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  const like = ranked.filter(({ distance }) => distance <= Math.max(2, target.length / 2))
  return (like.length > 0 ? like : ranked).slice(0, MOST).map(({ name }) => name)
}
