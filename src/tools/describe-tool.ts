import { z } from 'zod'
import type { ToolEntry } from './registry.ts'
import type { Tool } from './tool.ts'

/** The entry of a tool, with its JSON Schema made from its zod schema unless one is given. */
export function describeTool(tool: Tool, parameters?: Record<string, unknown>): ToolEntry {
  const { name, description, effect, aliases = [], synonyms, usual } = tool
  const schema = parameters ?? (slim(z.toJSONSchema(tool.input, { io: 'input' })) as Record<string, unknown>)
  const more = { ...(synonyms ? { synonyms } : {}), ...(usual ? { usual } : {}) }
  return { name, description, effect, aliases, ...more, parameters: schema }
}

const LEFT_OUT = new Set(['$schema', 'additionalProperties', 'default', 'minLength'])

/** Leaves out what a model does not need to make a call; each word is sent with every request. */
function slim(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(slim)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key, value]) => {
    if (LEFT_OUT.has(key)) return false
    // Bounds of every safe integer, put there by zod's int().
    return !((key === 'minimum' || key === 'maximum' || key === 'exclusiveMinimum') && typeof value === 'number')
  })
  return Object.fromEntries(entries.map(([key, value]) => [key, slim(value)]))
}
