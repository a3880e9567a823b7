import { expandVariables, type MissingVariable } from './expand.ts'
import { configJsonSchema } from './json-schema.ts'
import type { ParsedFile } from './parsed-file.ts'
import { CONFIG_VERSION } from './version.ts'
import { narrowing, needsTrust } from './trust.ts'
import { validate } from './validate.ts'

/** From lowest to highest: what comes later wins. */
export type LayerName = 'default' | 'user' | 'workspace' | 'environment' | 'flag'

/** One source of the configuration, checked, with keys as the schema names them. */
export interface Layer {
  name: LayerName
  file?: string
  value: Record<string, unknown>
  /** Where a key stands: file and line, or the variable, or nothing. */
  place: (path: readonly string[]) => string | undefined
  line: (path: readonly string[]) => number | undefined
}

export interface LayerFaults {
  errors: string[]
  warnings: string[]
  /** Variables that backends need and that are not set; an error only for the backend that is used. */
  missing: Map<string, string>
}

/** Makes a layer of a file's content. Faults are added to `faults`, each with file and line. */
export function fileLayer(
  name: 'user' | 'workspace',
  file: string,
  parsed: ParsedFile,
  env: NodeJS.ProcessEnv,
  trusted: () => boolean,
  faults: LayerFaults,
): Layer {
  const at = (written: readonly string[]): number | undefined => lineOf(parsed, written)
  const say = (written: readonly string[], message: string): string =>
    `${file}${at(written) === undefined ? '' : `:${at(written)}`}: ${written.join('.')}: ${message}`

  const open = name === 'user' || !hasUntrusted(parsed.value) || trusted()
  // Variables of the user's shell are not shown to a file that nobody has looked at.
  const {
    value: full,
    missing,
    expanded,
  } = open ? expandVariables(parsed.value, env) : { value: parsed.value, missing: [], expanded: new Set<string>() }
  noteMissing(missing, say, faults)

  const unset = new Set(missing.map(({ path }) => path.join('\0')))
  const checked = validate(full, configJsonSchema, (path) => expanded.has(path.join('\0')))
  const value = (checked.value ?? {}) as Record<string, unknown>
  // Nobody has agreed to what stands there, so it can stop nobody either.
  const errors: string[] = []
  const newer = Number(value['configVersion'] ?? 0) > CONFIG_VERSION
  for (const { path, message, kind } of checked.issues) {
    if (unset.has(path.join('\0'))) continue
    if (path.length === 0) errors.push(`${file}: ${message}; a configuration is a group of keys`)
    else if (newer && kind === 'unknown-key')
      faults.warnings.push(`${say(path, 'unknown key')} (the file is for a newer codehound); it is ignored`)
    else errors.push(say(path, message))
  }
  if (errors.length > 0 && name === 'workspace' && !trusted())
    faults.warnings.push(...errors.map((error) => `${error}; it is left out, since this folder is not trusted`))
  else faults.errors.push(...errors)
  const writtenPath = (path: readonly string[]): string[] => {
    for (let length = path.length; length > 0; length--) {
      const written = checked.written.get(path.slice(0, length).join('\0'))
      if (written !== undefined) return [...written.split('\0'), ...path.slice(length)]
    }
    return [...path]
  }
  return {
    name,
    file,
    value: open
      ? value
      : withoutUntrusted(value, [], (path, partly) => {
          const what = `${partly ? 'what of it widens is ' : ''}ignored until you trust this folder`
          faults.warnings.push(`${say(writtenPath(path), what)} (codehound config trust)`)
        }),
    line: (path) => at(writtenPath(path)),
    place: (path) => {
      const line = at(writtenPath(path))
      return line === undefined ? file : `${file}:${line}`
    },
  }
}

/** Makes a layer of values that are no file. */
export function valueLayer(
  name: 'environment' | 'flag',
  given: Record<string, unknown>,
  describe: (path: readonly string[]) => string | undefined,
  faults: LayerFaults,
): Layer {
  const checked = validate(given, configJsonSchema, () => name === 'environment')
  for (const { path, message } of checked.issues) faults.errors.push(`${describe(path) ?? path.join('.')}: ${message}`)
  return { name, value: checked.value as Record<string, unknown>, line: () => undefined, place: describe }
}

/** Line of a key, or of the nearest one around it. */
function lineOf(parsed: ParsedFile, written: readonly string[]): number | undefined {
  for (let length = written.length; length > 0; length--) {
    const line = parsed.lines[written.slice(0, length).join('\0')]
    if (line !== undefined) return line
  }
  return undefined
}

function noteMissing(
  missing: readonly MissingVariable[],
  say: (path: readonly string[], message: string) => string,
  faults: LayerFaults,
): void {
  for (const { path, name } of missing) {
    const message = say(path, `the variable ${name} is not set. Set it, or write \${${name}:-value}`)
    if (path[0] === 'backends' && path.length > 2) faults.missing.set(path[1]!, message)
    else faults.errors.push(message)
  }
}

function hasUntrusted(value: unknown): boolean {
  const checked = validate(value, configJsonSchema).value
  let found = false
  withoutUntrusted((checked ?? {}) as Record<string, unknown>, [], () => (found = true))
  return found
}

/** Leaves out the keys that need trust and reports each, also those of which a part holds. */
function withoutUntrusted(
  value: Record<string, unknown>,
  path: string[],
  report: (path: string[], partly: boolean) => void,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, key]
    const narrowed = narrowing(here, inner)
    if (narrowed) {
      kept[key] = narrowed.value
      if (!narrowed.all) report(here, true)
    } else if (!needsTrust(here)) kept[key] = inner
    else if (here.length === 1 && isSection(inner, here)) kept[key] = withoutUntrusted(inner, here, report)
    else report(here, false)
  }
  return kept
}

function isSection(value: unknown, [key]: string[]): value is Record<string, unknown> {
  return typeof value === 'object' && configJsonSchema.properties?.[key!]?.properties !== undefined
}
