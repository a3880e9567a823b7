import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A configuration file as data, before variables are put in and keys are checked. */
export interface ParsedFile {
  value: unknown
  /** Line of each key by its path, joined by NUL; 1-based. */
  lines: Record<string, number>
  /** Where in the text the secrets stand; missing when one of them cannot be told by its place. */
  secrets?: SecretPlace[]
}

export interface SecretPlace {
  path: string[]
  /** Characters of the text, end exclusive. */
  start: number
  end: number
}

/** Part of the cache key: raised when ParsedFile changes its shape. */
export const CACHE_VERSION = 2

/** Files of more texts than anyone has in use at once; the next write over it drops all others. */
const MOST_KEPT = 32

/** Reads what was parsed of this very text before; secrets are taken from the text. Undefined when there is none. */
export function readCached(file: string, text: string): ParsedFile | undefined {
  try {
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as ParsedFile
    for (const { path, start, end } of parsed.secrets ?? []) setAt(parsed.value, path, text.slice(start, end))
    return parsed
  } catch {
    return undefined
  }
}

/** Keeps a parsed file for the next start, without its secrets. Nothing is kept when that is not possible. */
export function writeCached(folder: string, file: string, parsed: ParsedFile): void {
  if (parsed.secrets === undefined) return
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const value = structuredClone(parsed.value)
    for (const { path } of parsed.secrets) setAt(value, path, '')
    const temporary = join(folder, `${process.pid}.tmp`)
    writeFileSync(temporary, JSON.stringify({ ...parsed, value }), { mode: 0o600 })
    renameSync(temporary, file)
    const kept = readdirSync(folder)
    if (kept.length > MOST_KEPT)
      for (const name of kept) if (join(folder, name) !== file) rmSync(join(folder, name), { force: true })
  } catch {
    // Without a cache the next start parses again.
  }
}

function setAt(value: unknown, path: readonly string[], leaf: string): void {
  let at = value as Record<string, unknown>
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>
  at[path.at(-1)!] = leaf
}
