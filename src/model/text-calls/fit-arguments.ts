import { coerce, dereference, describe, show, type Misfit } from './coerce.ts'
import { editDistance } from './resolve-name.ts'
import { simplify } from './tool-index.ts'
import type { JsonSchema, KnownTool, Repair } from './types.ts'

export type Fit = { args: Record<string, unknown>; repairs: Repair[] } | { misfit: Misfit }

/** Arguments that only speak about a call: dropping one changes nothing of what it does. */
const REMARKS = new Set([
  'explanation',
  'description',
  'reason',
  'reasoning',
  'thought',
  'thoughts',
  'comment',
  'title',
  'rationale',
  'justification',
  'purpose',
  'intent',
  'goal',
  'why',
  'note',
  'confidence',
])
const MAX_DISTANCE = 2
const MIN_LENGTH = 4
const PATH_LIKE = /(^|_)(path|file|dir|cwd|folder|url)$/

/**
 * Fits arguments to a tool's schema: names by the alias's map, by case, dashes and underscores, by the only
 * near name that is missing; values by `coerce`. An argument the tool does not have is dropped where the
 * call is the same without it, else it is a misfit.
 */
export function fitArguments(
  tool: KnownTool,
  given: Record<string, unknown>,
  alias: string | undefined,
  textual: boolean,
): Fit {
  const { schema } = tool
  const properties = schema.properties ?? {}
  const repairs: Repair[] = []
  const values = new Map<string, unknown>()
  const unknown: [string, unknown][] = []
  const map = tool.aliases.find((each) => each.name === alias)?.map ?? {}
  for (const [key, value] of Object.entries(given)) {
    const target = Object.hasOwn(map, key) ? map[key]! : Object.hasOwn(properties, key) ? key : undefined
    if (target === undefined) unknown.push([key, value])
    else values.set(target, value)
  }
  for (const [key, value] of unknown) {
    const other = otherName(tool, key, values)
    if (other !== undefined) {
      const { name, kind } = other
      values.set(name, value)
      repairs.push({ kind, field: name, text: `The argument "${key}" was read as "${name}".` })
    } else if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
      values.set(key, value)
    else if (saysNothing(tool, key, value)) {
      repairs.push({
        kind: 'argument-dropped',
        field: key,
        text: `${tool.name} has no argument "${key}"; it was left out.`,
      })
    } else {
      const names = Object.keys(properties).join(', ') || 'no arguments'
      return { misfit: { field: key, expected: `only the arguments ${tool.name} has: ${names}`, found: show(key) } }
    }
  }
  return fitValues(schema, values, repairs, textual)
}

/**
 * Whether a call without this argument is the same call: it only speaks about the call, or for a read asks for what is
 * done without it. An argument that narrows or moves a read makes it another one.
 */
function saysNothing(tool: KnownTool, key: string, value: unknown): boolean {
  if (value === null || REMARKS.has(key.toLowerCase())) return true
  if (tool.effect !== 'read' && tool.effect !== 'ask') return false
  if (value === false || value === '' || (Array.isArray(value) && value.length === 0)) return true
  return key.toLowerCase() === 'encoding' && /^utf-?8$/i.test(typeof value === 'string' ? value : '')
}

function fitValues(schema: JsonSchema, values: Map<string, unknown>, repairs: Repair[], textual: boolean): Fit {
  const properties = schema.properties ?? {}
  const args: [string, unknown][] = []
  for (const [key, written] of values) {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined
    const required = schema.required?.includes(key) ?? false
    let value = written
    if (inner && !required && isNothing(value, dereference(inner, schema))) {
      repairs.push({
        kind: 'argument-dropped',
        field: key,
        text: `${key}: ${JSON.stringify(value)} was read as not given.`,
      })
      continue
    }
    if (typeof value === 'string' && PATH_LIKE.test(key)) {
      const plain = plainPath(value)
      if (plain !== (textual ? value.trim() : value))
        repairs.push({ kind: 'coerced', field: key, text: `${key}: ${show(value)} was read as ${show(plain)}.` })
      value = plain
    }
    const result = inner ? coerce(value, inner, key, { root: schema, textual, repairs }) : { value }
    if ('misfit' in result) return { misfit: result.misfit }
    args.push([key, result.value])
  }
  for (const key of schema.required ?? []) {
    if (values.has(key)) continue
    const inner = properties[key]
    return {
      misfit: {
        field: key,
        expected: inner ? describe(dereference(inner, schema), schema) : 'a value',
        found: 'nothing',
      },
    }
  }
  return { args: Object.fromEntries(args), repairs }
}

/** A path without what models put around it: white space, quotes, the separators of Windows. */
function plainPath(written: string): string {
  const path = written.trim().replace(/^(["'`])(.+)\1$/s, '$2')
  return path.includes('/') || /^[a-z]:/i.test(path) ? path : path.replaceAll('\\', '/')
}

/** `null`, or an empty text for a number: a model's way to leave out what it may leave out. */
function isNothing(value: unknown, schema: JsonSchema): boolean {
  const types = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])].flatMap((each) => each.type ?? [])
  if (types.length === 0) return false
  if (value === null) return !types.includes('null')
  return value === '' && !types.includes('string')
}

type OtherName = { name: string; kind: 'argument-name' | 'argument-spelling' }

/** The argument a foreign name stands for, if it is still free. */
function otherName(tool: KnownTool, key: string, taken: Map<string, unknown>): OtherName | undefined {
  const free = Object.keys(tool.schema.properties ?? {}).filter((name) => !taken.has(name))
  const simple = simplify(key)
  const same = free.find((name) => simplify(name) === simple)
  if (same) return { name: same, kind: 'argument-name' }
  for (const alias of tool.aliases) {
    const name = alias.map && Object.hasOwn(alias.map, key) ? alias.map[key] : undefined
    if (name && free.includes(name)) return { name, kind: 'argument-name' }
  }
  const missing = free.filter((name) => tool.schema.required?.includes(name))
  const near = missing.filter(
    (name) => name.length >= MIN_LENGTH && editDistance(simplify(name), simple, MAX_DISTANCE) <= MAX_DISTANCE,
  )
  return near.length === 1 ? { name: near[0]!, kind: 'argument-spelling' } : undefined
}
