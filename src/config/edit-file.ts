// Promises that one key of a configuration file is set or taken out while every comment and the order of the rest stay, and
// that nothing is written that the schema refuses. A link is written through; a new file is readable by its owner alone.
import { UserError } from '../protocol/user-error.ts'
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Document, isMap, isScalar, parse, parseDocument, type YAMLMap } from 'yaml'
import { setInText, unsetInText } from './edit-text.ts'
import { expandVariables } from './expand.ts'
import type { KnownKey } from './key-path.ts'
import { parseYaml, withinDepth } from './parse-yaml.ts'
import { configError } from './read-file.ts'
import { knownKey, validate } from './validate.ts'

/** Files that codehound makes may hold keys. */
const NEW_FILE_MODE = 0o600

/**
 * Sets a key. The value is read as YAML, so `true`, `5`, `[a, b]` and plain words mean what they mean in the file.
 *
 * @returns the value as it was written
 * @throws UserError `config` when the schema refuses the value, or the file is not YAML or cannot be written
 */
export function setInFile(file: string, key: KnownKey, text: string): unknown {
  const value = readValue(key, text)
  change(file, (before, document) => setInText(before, writtenPath(document, key.path), value))
  return value
}

/** Takes a key out; false when the file does not have it. */
export function unsetInFile(file: string, key: KnownKey): boolean {
  return change(file, (before, document) => unsetInText(before, writtenPath(document, key.path)))
}

function readValue({ path, schema }: KnownKey, text: string): unknown {
  let value: unknown
  try {
    value = withinDepth(path.join('.'), () => parse(text) as unknown)
  } catch (error) {
    if (error instanceof UserError) throw error
    // Not YAML as it stands, so it is meant as the words it is.
    value = text
  }
  // A word list given as one word is the likeliest slip: `config set fallback a/b`.
  const wanted = schema.type === 'array' && typeof value === 'string' ? [value] : value
  const asText = schema.type === 'string' && typeof wanted !== 'string' ? text : wanted
  const { expanded, value: full } = expandVariables(asText, process.env)
  const { issues } = validate(full, schema, () => expanded.size > 0)
  // A variable may be set only where the program runs later.
  if (issues.length > 0 && expanded.size === 0)
    throw configError(`${path.join('.')}: ${issues[0]!.message}`, 'Nothing was changed.')
  return asText
}

/** The path as the file spells it: a key that stands there in snake_case keeps its spelling. */
function writtenPath(document: Document, path: readonly string[]): string[] {
  const written: string[] = []
  for (const [at, key] of path.entries()) {
    const group = at === 0 ? document.contents : document.getIn(written)
    const parent = path.slice(0, at)
    written.push(isMap(group) ? (spelling(group, key, parent) ?? key) : key)
  }
  return written
}

function spelling(group: YAMLMap, key: string, parent: readonly string[]): string | undefined {
  const names = group.items.map((item) => (isScalar(item.key) ? String(item.key.value) : ''))
  // Only names of the schema have other spellings; a free name is what it is.
  return names.find((name) => name === key) ?? names.find((name) => isOtherSpelling(name, key, parent))
}

function isOtherSpelling(name: string, key: string, parent: readonly string[]): boolean {
  return knownKey(name, { properties: { [key]: {} } }, parent) === key
}

/** Writes what `edit` makes of the file's text, at once and as a whole; nothing, and false, when it makes nothing. */
function change(file: string, edit: (text: string, document: Document) => string | undefined): boolean {
  const target = realTarget(file)
  const before = read(target)
  // Says file and line when the file is broken as it stands.
  if (before !== undefined) parseYaml(before, file)
  const document = parseDocument(before ?? '')
  if (document.contents !== null && !isMap(document.contents))
    throw configError(`${file} is not a group of keys`, 'Mend it by hand first.')
  let after: string | undefined
  try {
    after = edit(before ?? '', document)
  } catch (error) {
    throw configError(`${file}: ${(error as Error).message}`, 'Change it by hand.', error)
  }
  if (after === undefined) return false
  const temporary = `${target}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    const mode = before === undefined ? NEW_FILE_MODE : statSync(target).mode & 0o777
    writeFileSync(temporary, after, { mode })
    renameSync(temporary, target)
    return true
  } catch (error) {
    rmSync(temporary, { force: true })
    throw configError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
      'Make it and its folder writable.',
      error,
    )
  }
}

function realTarget(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw configError(`${file} cannot be read (${code ?? String(error)})`, 'Make it a readable file.', error)
  }
}
