// The secrets of a workspace whose values are known: those of its secret files and of the environment. Read to be masked, kept in
// memory only, read again when a file changed. Does not look into ignored build folders or deeper than the top few.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isSecretName } from './secret-patterns.ts'

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
  values(): string[]
}

const LOOK_AGAIN_MS = 30_000
const DEEPEST = 3
// Nearest first; the search runs between two steps of a run.
const MOST_FOLDERS = 500
const LARGEST_BYTES = 256 * 1024
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'build', 'target', 'vendor', '.venv', 'coverage'])
// Settings that stand beside secrets and say nothing.
const HARMLESS =
  /^(?:true|false|null|none|yes|no|on|off|info|debug|warn|error|development|production|staging|test|local|localhost|utf-?8|\d+|[\d.:]+)$/i

export function createKnownSecrets({ root, secretRule, env, allowNames = [], now }: KnownSecretsOptions): KnownSecrets {
  const allowed = new Set(allowNames)
  const byFile = new Map<string, { stamp: string; values: string[] }>()
  const fromEnvironment = Object.entries(env)
    .filter(([name, value]) => value !== undefined && value.length >= 8 && isSecretName(name) && !allowed.has(name))
    .map(([, value]) => value!)
  let files: string[] = []
  let lookedAt = -Infinity

  function valuesOf(path: string): string[] {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || stats.size > LARGEST_BYTES) return []
    const stamp = `${stats.ino}:${stats.size}:${stats.mtimeMs}`
    const known = byFile.get(path)
    if (known?.stamp === stamp) return known.values
    const values = secretValues(readOrEmpty(path), allowed)
    byFile.set(path, { stamp, values })
    return values
  }

  function values(): string[] {
    if (now() - lookedAt > LOOK_AGAIN_MS) {
      files = findFiles(root, (path) => secretRule(relative(root, path)) !== null)
      lookedAt = now()
    }
    return [...fromEnvironment, ...files.flatMap((path) => valuesOf(path))]
  }

  return { values }
}

/** The values of a secret file: of `NAME=value` and `name: value` lines, and the long lines of a key. */
export function secretValues(text: string, allowed: ReadonlySet<string>): string[] {
  const found: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const assigned = /^\s*(?:export\s+)?["']?([\w./:-]*?)["']?\s*[=:]\s*(.+?)\s*$/.exec(line)
    if (assigned !== null && assigned[1] !== '') {
      const [, name, raw] = assigned
      const value = /^(["'`])(.*)\1,?(?:\s+#.*)?$/.exec(raw!)?.[2] ?? raw!.replace(/\s+#.*$/, '').replace(/,$/, '')
      if (!allowed.has(name!) && isWorthHiding(name!, value)) found.push(value, ...passwordIn(value))
    } else if (/^[A-Za-z0-9+/=_-]{32,}$/.test(line.trim())) {
      found.push(line.trim())
    }
  }
  return found
}

function isWorthHiding(name: string, value: string): boolean {
  if (value.length < 6 || HARMLESS.test(value) || /^[$<{]/.test(value)) return false
  if (isSecretName(name)) return true
  if (passwordIn(value).length > 0) return true
  return value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/[\s/]|^https?:/.test(value)
}

function passwordIn(value: string): string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s/@]+)@/i.exec(value)?.[1]
  return password === undefined ? [] : [password]
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
