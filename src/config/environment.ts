import { parseForeignJson } from '../lib/foreign-json.ts'
import { nearestName } from '../lib/edit-distance.ts'
import { configJsonSchema, type JsonSchema, shortForms } from './json-schema.ts'

const PREFIX = 'CODEHOUND_'

export interface EnvironmentValues {
  value: Record<string, unknown>
  /** Variable by the path of its key, joined by NUL. */
  names: Map<string, string>
  /** Variables that look like a key and are none. */
  warnings: string[]
}

/**
 * Reads keys from variables: `CODEHOUND_MODEL`, `CODEHOUND_SESSION__TITLES`, `CODEHOUND_CONTEXT__MAP_TOKENS`; `__` stands
 * between levels, case and single underscores do not count. A list is written with commas or as JSON. The name of a backend
 * is matched against `backends` the same way, else taken in lower case.
 */
export function readEnvironment(env: NodeJS.ProcessEnv, backends: readonly string[]): EnvironmentValues {
  const result: EnvironmentValues = { value: {}, names: new Map(), warnings: [] }
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || text === undefined) continue
    const found = findKey(name.slice(PREFIX.length).split('__'), backends)
    if (found === undefined) warnUnknown(name, result.warnings)
    else {
      put(result.value, found.path, fromText(text, found.schema))
      result.names.set(found.path.join('\0'), name)
    }
  }
  return result
}

function findKey(
  segments: readonly string[],
  backends: readonly string[],
): { path: string[]; schema: JsonSchema } | undefined {
  let schema: JsonSchema = configJsonSchema
  const path: string[] = []
  for (const segment of segments) {
    if (schema.properties !== undefined) {
      const key = Object.keys(schema.properties).find((each) => fold(each) === fold(segment))
      if (key === undefined) return undefined
      path.push(key)
      schema = schema.properties[key]!
    } else if (typeof schema.additionalProperties === 'object' && segment !== '') {
      const known = path.length === 1 && path[0] === 'backends' ? backends : []
      path.push(known.find((each) => fold(each) === fold(segment)) ?? segment.toLowerCase())
      schema = schema.additionalProperties
    } else return undefined
  }
  const short = shortForms[path.join('.')]
  if (short !== undefined && schema.properties?.[short] !== undefined)
    return { path: [...path, short], schema: schema.properties[short] }
  // A whole section is not one value.
  return schema.properties === undefined ? { path, schema } : undefined
}

function fold(name: string): string {
  return name.replaceAll(/[_\-.]/g, '').toLowerCase()
}

function fromText(text: string, schema: JsonSchema): unknown {
  const isList = schema.items !== undefined || schema.anyOf?.some((option) => option.items !== undefined) === true
  const isRecord = typeof schema.additionalProperties === 'object'
  if ((isList || isRecord) && /^\s*[[{]/.test(text)) {
    try {
      return parseForeignJson(text)
    } catch {
      // Shown as a wrong value with what is expected.
      return text
    }
  }
  const oneWord = schema.anyOf?.some((option) => option.enum?.includes(text) === true) === true
  return isList && !oneWord ? text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()])) : text
}

function put(value: Record<string, unknown>, path: readonly string[], leaf: unknown): void {
  let at = value
  for (const key of path.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>
  at[path.at(-1)!] = leaf
}

/** Other programs and our own tests use the prefix too: only what is meant as a key is spoken of. */
function warnUnknown(name: string, warnings: string[]): void {
  const [first = ''] = name.slice(PREFIX.length).split('__')
  const near = nearestName(fold(first), Object.keys(configJsonSchema.properties ?? {}))
  if (!name.includes('__') && near === undefined) return
  const hint = near === undefined || fold(near) === fold(first) ? '' : `; did you mean ${near}?`
  warnings.push(`the variable ${name} names no key and is ignored${hint}`)
}
