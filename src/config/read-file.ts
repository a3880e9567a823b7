import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, UserError } from '../protocol/user-error.ts'

/** A configuration is a page of text; more is a mistake. */
const MAX_CHARACTERS = 1_000_000
/** Part of the cache key: raised when ParsedFile changes its shape. */
const CACHE_VERSION = 1
/** Keys whose literal values are not copied into the cache folder; neither is a URL with a password in it. */
const SECRET_KEY = /^(api_?key|headers)$/i
const URL_WITH_PASSWORD = /:\/\/[^/]*@/

export interface ParsedFile {
  value: unknown
  /** Line of each key by its path, joined by NUL; 1-based. */
  lines: Record<string, number>
}

/**
 * Reads a YAML (or JSON) file. What was parsed once is kept in the cache folder under the hash of its text, because the
 * YAML library costs more than the rest of a start; a text with keys in it is not kept.
 *
 * @returns undefined when there is no such file
 * @throws UserError `config` when it cannot be read or is no YAML
 */
export async function readConfigFile(file: string, cache: string | undefined): Promise<ParsedFile | undefined> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw configError(`${file} cannot be read (${code ?? String(error)})`, 'Make it a readable file.', error)
  }
  if (text.length > MAX_CHARACTERS)
    throw configError(`${file} has ${text.length} characters; a configuration has at most ${MAX_CHARACTERS}`)
  const digest = createHash('sha256').update(`${CACHE_VERSION}\0${text}`).digest('hex')
  const cached = cache === undefined ? undefined : join(cache, 'config', `${digest}.json`)
  const known = cached === undefined ? undefined : readCached(cached)
  if (known !== undefined) return known
  const { parseYaml } = await import('./parse-yaml.ts')
  const parsed = parseYaml(text, file)
  if (cached !== undefined && !holdsSecret(parsed.value)) writeCached(cached, parsed)
  return parsed
}

export function configError(message: string, suggestion?: string, cause?: unknown): UserError {
  return new UserError('config', message, {
    exitCode: EXIT.usage,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(cause === undefined ? {} : { cause }),
  })
}

function holdsSecret(value: unknown, secret = false): boolean {
  if (typeof value === 'string') return (secret && !value.startsWith('${')) || URL_WITH_PASSWORD.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => holdsSecret(inner, secret || SECRET_KEY.test(key)))
}

function readCached(file: string): ParsedFile | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ParsedFile
  } catch {
    return undefined
  }
}

function writeCached(file: string, parsed: ParsedFile): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(parsed), { mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    // Without a cache the next start parses again.
  }
}
