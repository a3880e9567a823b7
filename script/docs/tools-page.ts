import { createToolRegistry } from '../../src/tools/registry.ts'
import { code, generated, table } from './markdown.ts'
import { type Schema, typeText } from '../../src/config/schema-words.ts'

/** Every tool with its parameters and the other names it answers to. */
export function toolsPage(): string {
  const entries = createToolRegistry({ profile: 'all' }).entries()
  return `${generated('src/tools/catalogue.json')}
# Tools the model can call

The effect decides what is asked: \`read\` and \`note\` run at once, \`write\` shows a diff, \`execute\` and \`network\` go by the rules,
\`ask\` is itself a question. Paths are relative to the workspace. \`?\` means optional.

${table(
  ['tool', 'effect', 'what it does', 'parameters'],
  entries.map((entry) => [code(entry.name), entry.effect, entry.description, parametersText(entry.parameters)]),
)}

## Other names that work

Names that models bring from elsewhere; each is the same tool, with its arguments translated.

${table(
  ['tool', 'also called'],
  entries
    .filter((entry) => entry.aliases.length > 0)
    .map((entry) => [code(entry.name), entry.aliases.map((alias) => code(alias.name)).join(', ')]),
)}
`
}

function parametersText(parameters: Schema): string {
  const { properties = {}, required = [] } = parameters
  return Object.entries(properties)
    .map(([name, schema]) => code(`${name}${required.includes(name) ? '' : '?'}: ${typeText(schema)}`))
    .join(', ')
}
