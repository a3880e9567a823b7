import schema from './config-schema.json' with { type: 'json' }

/** The part of JSON Schema that configSchema uses. */
export interface JsonSchema {
  type?: string
  description?: string
  default?: unknown
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly JsonSchema[]
  properties?: Readonly<Record<string, JsonSchema>>
  additionalProperties?: boolean | JsonSchema
  required?: readonly string[]
  items?: JsonSchema
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

/** JSON Schema of a configuration file, made from schema.ts by `node script/docs.ts`. */
export const configJsonSchema = schema as JsonSchema

/** Other names of keys, by path; what other programs and older designs call them. */
export const keyAliases: Readonly<Record<string, string>> = {
  watchdog: 'watcher',
  'hooks.SessionStart': 'session-start',
  'hooks.UserPromptSubmit': 'user-prompt',
  'hooks.PreToolUse': 'before-tool',
  'hooks.PostToolUse': 'after-tool',
  'hooks.Stop': 'before-stop',
  'hooks.Notification': 'notification',
}

/** Groups that may be written as one value, which is that of the key named here: `sandbox: strict` is `sandbox.mode`. */
export const shortForms: Readonly<Record<string, string>> = { sandbox: 'mode' }

/** Finds the schema of a key by its path; undefined when there is no such key. */
export function schemaAt(path: readonly string[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = configJsonSchema
  for (const key of path) {
    if (at === undefined) return undefined
    at = at.properties?.[key] ?? (typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined)
  }
  return at
}

/** Values that hold when nobody sets a key. */
export function defaultsOf(schema: JsonSchema): unknown {
  if (schema.properties === undefined) return structuredClone(schema.default)
  const values: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(schema.properties)) {
    const value = defaultsOf(inner)
    if (value !== undefined) values[key] = value
  }
  return values
}
