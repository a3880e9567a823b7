// Promises that a value from outside comes back in the shape of the schema, with the names of its keys as the schema writes
// them, or as a list of what is wrong and where. Checks what configSchema can say and nothing more; a test holds both together.
import { nearestName } from '../lib/edit-distance.ts'
import { type JsonSchema, keyAliases, shortForms } from './json-schema.ts'

export interface Issue {
  /** Keys as written, from the top. */
  path: string[]
  message: string
  kind: 'unknown-key' | 'wrong-value'
}

interface Context {
  issues: Issue[]
  /** Path as written by path in the schema, both joined by NUL. */
  written: Map<string, string>
  /** Whether a text may stand for a number or a truth value: it came from a variable or the environment. */
  loose: (path: readonly string[]) => boolean
}

/** Checks a value against a schema. Unknown keys and wrong values are left out of the result and listed. */
export function validate(
  value: unknown,
  schema: JsonSchema,
  loose: Context['loose'] = () => false,
): { value: unknown; issues: Issue[]; written: Map<string, string> } {
  const context: Context = { issues: [], written: new Map(), loose }
  const checked = check(value, schema, [], [], context)
  return { value: checked, issues: context.issues, written: context.written }
}

/** `written` is the path as the file has it, `path` as the schema has it. */
function check(value: unknown, schema: JsonSchema, written: string[], path: string[], context: Context): unknown {
  if (schema.properties !== undefined || typeof schema.additionalProperties === 'object') {
    // A key with nothing behind it says nothing.
    if (value === null) return {}
    if (isObject(value)) return checkObject(value, schema, written, path, context)
    const short = shortForms[path.join('.')]
    if (short !== undefined) {
      const checked = check(value, schema.properties![short]!, written, [...path, short], context)
      context.written.set([...path, short].join('\0'), written.join('\0'))
      return checked === undefined ? undefined : { [short]: checked }
    }
  } else if (schema.items !== undefined && Array.isArray(value)) {
    return value.map((item, at) => check(item, schema.items!, [...written, String(at)], [...path, String(at)], context))
  } else if (schema.anyOf !== undefined) {
    for (const option of schema.anyOf) {
      const attempt: Context = { ...context, issues: [] }
      const result = check(value, option, written, path, attempt)
      for (const key of option.required ?? []) {
        if (isObject(result) && Object.hasOwn(result, key)) continue
        attempt.issues.push({ path: written, message: `${key} is missing`, kind: 'wrong-value' })
      }
      if (attempt.issues.length === 0) return result
      // What is wrong inside a group says more than that it is no text.
      if (isObject(value) && option.type === 'object') {
        context.issues.push(...attempt.issues)
        return undefined
      }
    }
  } else {
    const scalar = typeof value === 'string' && context.loose(written) ? fromText(value, schema) : value
    if (fits(scalar, schema)) return scalar
  }
  const message = `expected ${expectation(schema)}, found ${shown(value)}`
  context.issues.push({ path: written, message, kind: 'wrong-value' })
  return undefined
}

function checkObject(
  value: Record<string, unknown>,
  schema: JsonSchema,
  written: string[],
  path: string[],
  context: Context,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const writtenAs = new Map<string, string>()
  for (const [name, inner] of Object.entries(value)) {
    const key = knownKey(name, schema, path)
    const here = [...written, name]
    if (key === undefined) {
      const known = Object.keys(schema.properties ?? {})
      const near = nearestName(camelCase(name), known)
      const hint = near === undefined ? `The keys here are ${known.join(', ')}.` : `Did you mean ${near}?`
      context.issues.push({ path: here, message: `unknown key. ${hint}`, kind: 'unknown-key' })
    } else if (writtenAs.has(key)) {
      const message = `the same key as ${writtenAs.get(key)}; keep one of them`
      context.issues.push({ path: here, message, kind: 'wrong-value' })
    } else {
      writtenAs.set(key, name)
      context.written.set([...path, key].join('\0'), here.join('\0'))
      const wanted = schema.properties?.[key] ?? (schema.additionalProperties as JsonSchema)
      const checked = check(inner, wanted, here, [...path, key], context)
      if (checked !== undefined) Object.defineProperty(result, key, { value: checked, ...plainProperty })
    }
  }
  return result
}

/** A key called `__proto__` is a key like any other. */
const plainProperty = { enumerable: true, writable: true, configurable: true }

/** The schema's name for a key: as it stands, by alias, or from snake_case. Names of a record are free. */
export function knownKey(name: string, schema: JsonSchema, path: readonly string[]): string | undefined {
  if (schema.properties === undefined) return name
  for (const candidate of [name, keyAliases[[...path, name].join('.')], camelCase(name)])
    if (candidate !== undefined && Object.hasOwn(schema.properties, candidate)) return candidate
  return undefined
}

function camelCase(name: string): string {
  return name.replaceAll(/_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase())
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fits(value: unknown, schema: JsonSchema): boolean {
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum !== undefined) return schema.enum.includes(value)
  switch (schema.type) {
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (schema.type === 'number' || Number.isSafeInteger(value)) &&
        value >= (schema.minimum ?? -Infinity) &&
        value <= (schema.maximum ?? Infinity) &&
        value > (schema.exclusiveMinimum ?? -Infinity)
      )
    default:
      return false
  }
}

function fromText(value: string, schema: JsonSchema): unknown {
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (schema.type === 'null' && value === 'null') return null
  if ((schema.type === 'integer' || schema.type === 'number') && value.trim() !== '') return Number(value)
  return value
}

/** What a schema accepts, in words. */
export function expectation(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(expectation).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`
  switch (schema.type) {
    case 'integer':
      return `a whole number${bounds(schema)}`
    case 'number':
      return `a number${bounds(schema)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return 'a text'
    case 'array':
      return `a list (each ${expectation(schema.items ?? {})})`
    case 'object':
      return 'a group of keys'
    default:
      return schema.type ?? 'another value'
  }
}

function bounds({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const low = exclusiveMinimum === undefined ? minimum : exclusiveMinimum
  const from = low === undefined ? '' : exclusiveMinimum === undefined ? ` from ${low}` : ` above ${low}`
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? from : `${from} to ${maximum}`
}

/** Long enough to be recognised in the file. */
const SHOWN_LENGTH = 60

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a group of keys'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}
