// The target of a package's `exports` or `imports` field for a subpath, after Node's algorithm
// (https://nodejs.org/api/esm.html#resolution-algorithm-specification), with every condition that can name source tried.
import { record } from './manifests.ts'

/** Tried in this order; the first that leads to a file of the workspace wins. */
const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'node', 'require', 'default', 'browser']

/** Targets (as written, `./…`) that a subpath like `.` or `./x` or `#x` may mean, best first. */
export function packageTargets(field: unknown, subpath: string): string[] {
  if (typeof field === 'string' || Array.isArray(field)) return subpath === '.' ? conditional(field) : []
  const entries = Object.entries(record(field))
  const isMap = entries.some(([key]) => key.startsWith('.') || key.startsWith('#'))
  if (!isMap) return subpath === '.' ? conditional(field) : []
  let best: { key: string; value: unknown; star: string } | undefined
  for (const [key, value] of entries) {
    const star = matchKey(key, subpath)
    if (star !== undefined && (!best || key.length > best.key.length || key === subpath)) best = { key, value, star }
    if (key === subpath) break
  }
  const found = best
  return found ? conditional(found.value).map((target) => target.replaceAll('*', found.star)) : []
}

/** Targets of every subpath of a package that is written whole, without `*`. */
export function allTargets(field: unknown): string[] {
  const subpaths = Object.keys(record(field)).filter((key) => key.startsWith('.') && !key.includes('*'))
  return ['.', ...subpaths].flatMap((subpath) => packageTargets(field, subpath))
}

function matchKey(key: string, subpath: string): string | undefined {
  if (key === subpath) return ''
  const at = key.indexOf('*')
  if (at < 0) return key.endsWith('/') && subpath.startsWith(key) ? subpath.slice(key.length) : undefined
  const before = key.slice(0, at)
  const after = key.slice(at + 1)
  if (!subpath.startsWith(before) || !subpath.endsWith(after) || subpath.length < before.length + after.length)
    return undefined
  return subpath.slice(at, subpath.length - after.length)
}

function conditional(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(conditional)
  const object = record(value)
  const known = CONDITIONS.filter((condition) => condition in object)
  const others = Object.keys(object).filter((key) => !CONDITIONS.includes(key))
  return [...known, ...others].flatMap((key) => conditional(object[key]))
}
