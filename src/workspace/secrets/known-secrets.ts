// The secrets of a workspace whose values are known: those of its secret files and of the environment. Read to be masked, kept in
// memory only, read again when a file changed. Does not look into ignored build folders or deeper than the top few.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isHarmless, isSecretName } from './secret-names.ts'
import { passwordsIn, secretFileValues, type NamedValue } from './secret-file-values.ts'
import { findTokens } from './secret-patterns.ts'

export interface KnownSecretsOptions {
  root: string
  /** The pattern that makes a path secret, or null. */
  secretRule: (path: string) => string | null
  env: NodeJS.ProcessEnv
  /** Names of variables whose values may be seen. */
  allowNames?: readonly string[]
  /** Milliseconds since 1970. */
  now: () => number
}

export interface KnownSecrets {
  /** The values as of now; files are looked for again after some seconds. */
  values(): NamedValue[]
}

const LOOK_AGAIN_MS = 30_000
const DEEPEST = 3
// Nearest first; the search runs between two steps of a run.
const MOST_FOLDERS = 500
const LARGEST_BYTES = 256 * 1024
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'build', 'target', 'vendor', '.venv', 'coverage'])

export function createKnownSecrets({ root, secretRule, env, allowNames = [], now }: KnownSecretsOptions): KnownSecrets {
  const allowed = new Set(allowNames)
  const byFile = new Map<string, { stamp: string; values: NamedValue[] }>()
  const fromEnvironment = environmentValues(env, allowed)
  let files: string[] = []
  let lookedAt = -Infinity

  function valuesOf(path: string): NamedValue[] {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.size > LARGEST_BYTES) return []
    const stamp = `${stats.ino}:${stats.size}:${stats.mtimeMs}`
    const known = byFile.get(path)
    if (known?.stamp === stamp) return known.values
    const values = secretFileValues(readOrEmpty(path), allowed, path)
    byFile.set(path, { stamp, values })
    return values
  }

  function values(): NamedValue[] {
    if (now() - lookedAt > LOOK_AGAIN_MS) {
      files = findFiles(root, (path) => secretRule(relative(root, path)) !== null)
      lookedAt = now()
    }
    return [...fromEnvironment, ...files.flatMap((path) => valuesOf(path))]
  }

  return { values }
}

/** Values of variables whose names say so, and what in others can be nothing else. */
export function environmentValues(env: NodeJS.ProcessEnv, allowed: ReadonlySet<string>): NamedValue[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (allowed.has(name)) return []
    const found = passwordsIn(value)
    for (const { start, end } of findTokens(value)) found.push(value.slice(start, end))
    // A name may say "key" of a folder; a path with nothing else to it is none.
    const isPath = /^[.~]?\/[\w./-]*$/.test(value)
    if (isSecretName(name) && !isHarmless(value) && !isPath)
      found.push(value, ...value.split('\n').filter((line) => line.length >= 16))
    return [...new Set(found)].map((each) => ({ name, value: each }))
  })
}

function findFiles(root: string, isSecret: (path: string) => boolean): string[] {
  const found: string[] = []
  const queue = [{ folder: root, depth: 0 }]
  for (let visited = 0; queue.length > 0 && visited < MOST_FOLDERS; visited++) {
    const { folder, depth } = queue.shift()!
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isFile() && isSecret(path)) found.push(path)
      else if (entry.isDirectory() && depth < DEEPEST && !SKIPPED.has(entry.name))
        queue.push({ folder: path, depth: depth + 1 })
    }
  }
  return found
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
