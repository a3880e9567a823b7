// The text that tells a model of its tools when calls are written as text: every tool in a line or a few, and the one
// form we ask for. That form is JSON in <tool_call> tags, the one most small models were trained on.
// Not here: the server's own tool format, and what is accepted (far more than what is asked for).
import type { Tier } from '../window.ts'
import { dereference, describe } from './coerce.ts'
import type { JsonSchema, KnownTool } from './types.ts'

const FORM = `To use a tool, write this and nothing after it:
<tool_call>
{"name": "NAME", "arguments": {"KEY": VALUE}}
</tool_call>
One object in each pair of tags; escape quotes and line breaks in JSON. The result comes in the next message. Without a tool call your answer is final.`

/** How much is said of each tool. */
const DETAIL: Record<Tier, { types: boolean; descriptions: boolean }> = {
  small: { types: false, descriptions: false },
  medium: { types: true, descriptions: false },
  large: { types: true, descriptions: true },
}

/**
 * Describes tools and the form of a call. `small`: a line for each tool, only types other than text named;
 * `medium`: all types and choices; `large`: also what each argument means. Empty without tools.
 */
export function textToolInstructions(tools: readonly KnownTool[], tier: Tier): string {
  return tools.length === 0 ? '' : `${textToolList(tools, tier)}\n\n${FORM}`
}

/** The tools alone, without the form of a call. */
export function textToolList(tools: readonly KnownTool[], tier: Tier): string {
  return `Tools (? = optional):\n${tools.map((tool) => describeTool(tool, tier)).join('\n')}`
}

function describeTool(tool: KnownTool, tier: Tier): string {
  const { schema, name, description } = tool
  const properties = Object.entries(schema.properties ?? {})
  const shown = properties.map(([key, property]) => {
    const mark = schema.required?.includes(key) ? '' : '?'
    const type = typeText(dereference(property, schema), schema, DETAIL[tier].types)
    return `${key}${mark}${type && `: ${type}`}`
  })
  const head = `- ${name}(${shown.join(', ')})${description ? ` ${description}` : ''}`
  if (!DETAIL[tier].descriptions) return head
  const meanings = properties.flatMap(([key, property]) => {
    const text = dereference(property, schema).description
    return text ? [`  ${key}: ${text}`] : []
  })
  return [head, ...meanings].join('\n')
}

/** The type of an argument in a word; nothing for a plain text unless `all`. */
function typeText(schema: JsonSchema, root: JsonSchema, all: boolean): string {
  if (schema.enum) return schema.enum.map(String).join('|')
  if (schema.type === 'string') return all ? 'string' : ''
  const items = schema.type === 'array' && schema.items && !Array.isArray(schema.items) ? schema.items : undefined
  const item = items && dereference(items, root)
  if (!item) return describe(schema, root)
  const fields = Object.entries(item.properties ?? {}).map(([key, field]) => {
    const type = typeText(dereference(field, root), root, false)
    return `${key}${item.required?.includes(key) ? '' : '?'}${type && `: ${type}`}`
  })
  return fields.length > 0 ? `[{${fields.join(', ')}}]` : `[${typeText(item, root, true)}]`
}
