// Words for a call that cannot be run as written: which field, what was expected, what was found, and a right form.
import type { z } from 'zod'
import { editDistance } from '../lib/edit-distance.ts'
import type { ToolEntry } from './registry.ts'

/** Faults of one call that are listed; the rest are counted. */
const LISTED = 5
/** Names within this edit distance are offered. */
const NEAR = 3

interface Property {
  type?: string
  enum?: unknown[]
  items?: Property
  properties?: Record<string, Property>
  required?: string[]
}

/** The text for arguments that do not fit the schema. */
export function argumentsFault(entry: ToolEntry, args: Record<string, unknown>, error: z.ZodError): string {
  const faults = error.issues.map((issue) => {
    const field = issue.path.join('.') || '(arguments)'
    const found = valueAt(args, issue.path)
    const shown = found === undefined ? 'nothing' : shorten(JSON.stringify(found))
    return `- ${field}: ${issue.message}; found ${shown}`
  })
  const more = faults.length > LISTED ? [`- and ${faults.length - LISTED} more`] : []
  return [
    `The arguments of ${entry.name} are not right, so it was not run.`,
    ...faults.slice(0, LISTED),
    ...more,
    `A right call: ${entry.name} ${JSON.stringify(exampleFor(entry, args))}`,
  ].join('\n')
}

/** The text for a name that is no tool. */
export function unknownTool(name: string, known: readonly string[]): string {
  const near = known
    .map((each) => ({ each, distance: editDistance(plain(each), plain(name)) }))
    .filter(({ each, distance }) => distance <= NEAR || plain(each).includes(plain(name)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ each }) => each)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return `There is no tool ${JSON.stringify(name)}.${hint} The tools are: ${known.join(', ')}.`
}

/** The call's own values where they fit, `<type>` where a required one is missing or wrong. Values are never invented. */
function exampleFor(entry: ToolEntry, args: Record<string, unknown>): Record<string, unknown> {
  const schema = entry.parameters as Property
  const example: Record<string, unknown> = {}
  const shown = new Set([
    ...(schema.required ?? []),
    ...(Object.values(args).some(Array.isArray) ? [] : (entry.usual ?? [])),
  ])
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const given = args[name]
    if (given !== undefined && fits(given, property)) {
      example[name] = typeof given === 'string' ? shorten(given) : given
    } else if (shown.has(name) || given !== undefined) example[name] = placeholder(property)
  }
  return example
}

function fits(value: unknown, property: Property): boolean {
  if (property.enum) return property.enum.includes(value)
  switch (property.type) {
    case 'string':
    case 'boolean':
      return typeof value === property.type
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    case 'array':
      return Array.isArray(value) && value.every((item) => !property.items || fits(item, property.items))
    case 'object':
      return (
        typeof value === 'object' &&
        value !== null &&
        (property.required ?? []).every((name) => name in value) &&
        Object.entries(value).every(([name, item]) => fits(item, property.properties?.[name] ?? {}))
      )
    default:
      return true
  }
}

function placeholder(property: Property): unknown {
  if (property.enum) return property.enum.join(' | ')
  if (property.type === 'array') return [placeholder(property.items ?? {})]
  if (property.type === 'object') {
    return Object.fromEntries(
      Object.entries(property.properties ?? {})
        .filter(([name]) => property.required?.includes(name))
        .map(([name, item]) => [name, placeholder(item)]),
    )
  }
  return `<${property.type ?? 'value'}>`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  )
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
