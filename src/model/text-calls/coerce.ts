import { readJson } from './read-json.ts'
import { readWhole } from './reader.ts'
import type { JsonSchema, Repair } from './types.ts'

/** A value that does not fit: where, what would, what stands there. */
export interface Misfit {
  field: string
  expected: string
  found: string
}

export interface Coercion {
  /** The tool's whole schema, for `$ref`. */
  root: JsonSchema
  /** Every scalar came as text: reading `3` as a number is no repair. */
  textual: boolean
  repairs: Repair[]
}

type Result = { value: unknown } | { misfit: Misfit }

/** Schemas that refer to themselves end here. */
const MAX_DEPTH = 40
const MAX_SHOWN = 60

/** Fits a value to a schema, changing only its type where that loses nothing; notes each change. */
export function coerce(value: unknown, schema: JsonSchema, field: string, how: Coercion, depth = 0): Result {
  if (depth > MAX_DEPTH) return { value }
  const resolved = dereference(schema, how.root)
  const choices = resolved.anyOf ?? resolved.oneOf
  if (choices) return choose(value, choices, field, how, depth)
  if (resolved.allOf?.length === 1) return coerce(value, resolved.allOf[0]!, field, how, depth + 1)
  if (resolved.const !== undefined || resolved.enum) return coerceEnum(value, resolved, field, how)
  const types = typesOf(resolved)
  if (types.length === 0) return { value }
  const own = types.find((type) => isType(value, type))
  if (own) {
    if (own === 'array') return coerceItems(value as unknown[], resolved, field, how, depth)
    if (own === 'object') return coerceFields(value as Record<string, unknown>, resolved, field, how, depth)
    return bounded(value, resolved, field)
  }
  for (const type of types) {
    const changed = convert(value, type)
    if (changed === undefined) continue
    const before = how.repairs.length
    const inner = coerce(changed.value, { ...resolved, type }, field, how, depth + 1)
    if ('misfit' in inner) {
      how.repairs.length = before
      continue
    }
    note(how, field, value, type, changed.repair)
    return inner
  }
  return { misfit: { field, expected: describe(resolved, how.root), found: show(value) } }
}

function choose(value: unknown, choices: JsonSchema[], field: string, how: Coercion, depth: number): Result {
  const before = how.repairs.length
  let best: { result: Result; repairs: Repair[] } | undefined
  for (const choice of choices) {
    how.repairs.length = before
    const result = coerce(value, choice, field, how, depth + 1)
    const repairs = how.repairs.slice(before)
    if ('value' in result && (!best || repairs.length < best.repairs.length)) best = { result, repairs }
  }
  how.repairs.length = before
  if (!best) {
    const expected = choices.map((choice) => describe(dereference(choice, how.root), how.root)).join(' or ')
    return { misfit: { field, expected, found: show(value) } }
  }
  how.repairs.push(...best.repairs)
  return best.result
}

function coerceEnum(value: unknown, schema: JsonSchema, field: string, how: Coercion): Result {
  const allowed = schema.enum ?? [schema.const]
  if (allowed.some((each) => each === value)) return { value }
  const loose = String(value).trim().toLowerCase()
  const same = allowed.filter((each) => typeof value !== 'object' && String(each).toLowerCase() === loose)
  if (same.length === 1) {
    note(how, field, value, show(same[0]), 'coerced')
    return { value: same[0] }
  }
  return {
    misfit: { field, expected: `one of ${allowed.map((each) => JSON.stringify(each)).join(', ')}`, found: show(value) },
  }
}

function coerceItems(list: unknown[], schema: JsonSchema, field: string, how: Coercion, depth: number): Result {
  if (schema.minItems !== undefined && list.length < schema.minItems)
    return { misfit: { field, expected: `a list of at least ${schema.minItems}`, found: `${list.length} items` } }
  const { items } = schema
  if (!items || Array.isArray(items)) return { value: list }
  const values: unknown[] = []
  for (const [index, item] of list.entries()) {
    const result = coerce(item, items, `${field}[${index}]`, how, depth + 1)
    if ('misfit' in result) return result
    values.push(result.value)
  }
  return { value: values }
}

function coerceFields(
  fields: Record<string, unknown>,
  schema: JsonSchema,
  field: string,
  how: Coercion,
  depth: number,
): Result {
  const values: [string, unknown][] = []
  for (const [key, value] of Object.entries(fields)) {
    const inner = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties![key] : undefined
    if (!inner) {
      values.push([key, value])
      continue
    }
    const result = coerce(value, inner, `${field}.${key}`, how, depth + 1)
    if ('misfit' in result) return result
    values.push([key, result.value])
  }
  const missing = schema.required?.find((key) => !Object.hasOwn(fields, key))
  if (missing) return { misfit: { field: `${field}.${missing}`, expected: 'a value', found: 'nothing' } }
  return { value: Object.fromEntries(values) }
}

function bounded(value: unknown, schema: JsonSchema, field: string): Result {
  const misfit = (expected: string): Result => ({ misfit: { field, expected, found: show(value) } })
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) return misfit(`a number ≥ ${schema.minimum}`)
    if (schema.maximum !== undefined && value > schema.maximum) return misfit(`a number ≤ ${schema.maximum}`)
  }
  if (typeof value === 'string' && schema.minLength !== undefined && value.length < schema.minLength)
    return misfit(`a text of at least ${schema.minLength} characters`)
  return { value }
}

/** The value as another type, where nothing of it is lost and nothing is added. */
function convert(value: unknown, type: string): { value: unknown; repair: 'coerced' | 'double-encoded' } | undefined {
  const text = typeof value === 'string' ? value.trim() : undefined
  const repair = 'coerced'
  switch (type) {
    case 'integer':
      return text !== undefined && /^[-+]?\d{1,15}(\.0+)?$/.test(text) ? { value: Number(text), repair } : undefined
    case 'number':
      return text !== undefined && /^[-+]?(\d{1,300}(\.\d{0,300})?|\.\d{1,300})([eE][-+]?\d{1,3})?$/.test(text)
        ? { value: Number(text), repair }
        : undefined
    case 'boolean':
      return text !== undefined && /^(true|false)$/i.test(text)
        ? { value: text.toLowerCase() === 'true', repair }
        : undefined
    case 'null':
      return text !== undefined && /^(null|none)$/i.test(text) ? { value: null, repair } : undefined
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? { value: String(value), repair } : undefined
    case 'array':
    case 'object': {
      const inner =
        text !== undefined && (type === 'array' ? text.startsWith('[') : text.startsWith('{')) ? whole(text) : undefined
      if (inner !== undefined && isType(inner, type)) return { value: inner, repair: 'double-encoded' }
      return type === 'array' && value !== null && value !== undefined ? { value: [value], repair } : undefined
    }
    default:
      return undefined
  }
}

/** The JSON value a text holds, and nothing beside it. */
function whole(text: string): unknown {
  const read = readWhole(text, function* (reader) {
    const json = yield* readJson(reader)
    return json.state === 'closed' && (yield* reader.space()) < 0 ? json.value : undefined
  })
  return read
}

function note(how: Coercion, field: string, value: unknown, to: string, kind: 'coerced' | 'double-encoded'): void {
  // In text everything is text: only a lone value that becomes a list is more than reading it.
  if (how.textual && typeof value === 'string' && (to !== 'array' || kind === 'double-encoded')) return
  how.repairs.push({ kind, field, text: `${field}: ${show(value)} was read as ${to}.` })
}

const isType = (value: unknown, type: string): boolean => {
  switch (type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

const typesOf = (schema: JsonSchema): string[] => {
  if (Array.isArray(schema.type)) return schema.type
  if (schema.type) return [schema.type]
  return schema.properties ? ['object'] : []
}

export function dereference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = schema.$ref && /^#\/(?:\$defs|definitions)\/(.+)$/.exec(schema.$ref)?.[1]
  return (name && (root.$defs?.[name] ?? root.definitions?.[name])) || schema
}

/** What a schema asks for, in a few words. */
export function describe(schema: JsonSchema, root: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((each) => JSON.stringify(each)).join(', ')}`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((choice) => describe(dereference(choice, root), root)).join(' or ')
  const types = typesOf(schema)
  if (types[0] === 'array' && schema.items && !Array.isArray(schema.items))
    return `a list of ${describe(dereference(schema.items, root), root)}`
  return types.join(' or ') || 'any value'
}

/** A value for a message: JSON, cut. */
export function show(value: unknown): string {
  // A value can be as long as the message: no more of a text is written than is shown.
  const start = typeof value === 'string' ? value.slice(0, MAX_SHOWN) : value
  const text = start === undefined ? 'nothing' : JSON.stringify(start)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
