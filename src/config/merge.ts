import { ADD_ONLY_KEYS } from './trust.ts'

/** Lays one layer over another: groups are merged key by key, everything else is replaced. Neither is changed. */
export function mergeLayer(below: unknown, above: unknown, fromWorkspace: boolean, path: string[] = []): unknown {
  if (above === undefined) return below
  if (isGroup(below) && isGroup(above)) {
    const merged: Record<string, unknown> = { ...below }
    for (const [key, value] of Object.entries(above)) {
      const under = Object.hasOwn(below, key) ? below[key] : undefined
      merged[key] = mergeLayer(under, value, fromWorkspace, [...path, key])
    }
    return merged
  }
  if (fromWorkspace && ADD_ONLY_KEYS.includes(path.join('.')) && Array.isArray(below) && Array.isArray(above))
    return [...new Set([...(below as unknown[]), ...(above as unknown[])])]
  return above
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
