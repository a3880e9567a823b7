import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE_VERSION, type ParsedFile, readCached, writeCached } from './parsed-file.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'

/** A configuration is a page of text; more is a mistake. */
const MAX_BYTES = 1_000_000
/**
 * Reads a YAML (or JSON) file. What was parsed once is kept in the cache folder under the hash of its text, because the
 * YAML library costs more than the rest of the configuration; keys and passwords in it are not kept.
 *
 * @returns undefined when there is no such file
 * @throws UserError `config` when it cannot be read or is no YAML
 */
export async function readConfigFile(file: string, cache: string | undefined): Promise<ParsedFile | undefined> {
  let text: string
  try {
    const stats = statSync(file)
    if (!stats.isFile()) throw configError(`${file} is not a file`, 'Put the configuration there, or take it away.')
    if (stats.size > MAX_BYTES)
      throw configError(`${file} has ${stats.size} bytes; a configuration has at most ${MAX_BYTES}`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof UserError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw configError(`${file} cannot be read (${code ?? String(error)})`, 'Make it a readable file.', error)
  }
  const parse = async (): Promise<ParsedFile> => (await import('./parse-yaml.ts')).parseYaml(text, file)
  if (cache === undefined) return parse()
  const folder = join(cache, 'config')
  const digest = createHash('sha256').update(`${CACHE_VERSION}\0${text}`).digest('hex')
  const cached = join(folder, `${digest}.json`)
  const known = readCached(cached, text)
  if (known !== undefined) return known
  const parsed = await parse()
  writeCached(folder, cached, parsed)
  return parsed
}

export function configError(message: string, suggestion?: string, cause?: unknown): UserError {
  return new UserError('config', message, {
    exitCode: EXIT.usage,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(cause === undefined ? {} : { cause }),
  })
}
