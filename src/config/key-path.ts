import { nearestName } from '../lib/edit-distance.ts'
import { configJsonSchema, type JsonSchema } from './json-schema.ts'
import { configError } from './read-file.ts'
import { knownKey } from './validate.ts'

export interface KnownKey {
  /** As the schema names it. */
  path: string[]
  schema: JsonSchema
}

/**
 * Reads a key as a person writes it: `context.mapTokens`, `context.map_tokens`, `backends.local.url`; a name with a dot in
 * it stands in double quotes.
 *
 * @throws UserError `config` with the nearest key when there is none like it
 */
export function parseKey(text: string): KnownKey {
  const written = [...text.matchAll(/"([^"]*)"|[^."]+/g)].map((match) => match[1] ?? match[0])
  if (written.length === 0) throw configError(`${JSON.stringify(text)} is no key`, 'For example: context.mapTokens')
  const path: string[] = []
  let schema = configJsonSchema
  for (const name of written) {
    const key = knownKey(name, schema, path)
    const inner = key === undefined ? undefined : innerSchema(schema, key)
    if (key === undefined || inner === undefined) throw unknownKey(text, name, path, schema)
    path.push(key)
    schema = inner
  }
  return { path, schema }
}

/** Every key that holds a value, depth first, as `--explain` takes it; free names are shown as NAME. */
export function allKeys(
  schema: JsonSchema = configJsonSchema,
  path: string[] = [],
): { key: string; schema: JsonSchema }[] {
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, inner]) => allKeys(inner, [...path, name]))
  if (typeof schema.additionalProperties === 'object' && schema.additionalProperties.properties !== undefined)
    return allKeys(schema.additionalProperties, [...path, 'NAME'])
  return [{ key: path.join('.'), schema }]
}

function innerSchema(schema: JsonSchema, key: string): JsonSchema | undefined {
  return (
    schema.properties?.[key] ??
    (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
  )
}

function unknownKey(text: string, name: string, path: readonly string[], schema: JsonSchema): Error {
  const known = Object.keys(schema.properties ?? {})
  const place = path.length === 0 ? '' : ` in ${path.join('.')}`
  if (known.length === 0)
    return configError(`there is no key ${text}: ${path.join('.')} is a value, not a group`, `Use ${path.join('.')}.`)
  const inPlace = nearestName(name, known)
  // The name may be right and the group missing: `mapTokens` for `context.mapTokens`.
  const elsewhere = allKeys().find(({ key }) => key.split('.').at(-1)?.toLowerCase() === name.toLowerCase())?.key
  const near = inPlace === undefined ? elsewhere : [...path, inPlace].join('.')
  return configError(
    `there is no key ${JSON.stringify(name)}${place}`,
    near === undefined ? `The keys${place} are ${known.join(', ')}.` : `Did you mean ${near}?`,
  )
}
