import { configJsonSchema, type JsonSchema, keyAliases } from '../../src/config/json-schema.ts'
import { limitPresets, type RunKind } from '../../src/config/limits.ts'
import { code, generated, table } from './markdown.ts'
import { typeText } from '../../src/config/schema-words.ts'

/** The table of all keys, with what a reader needs to write the file. */
export function configPage(): string {
  const sections = Object.entries(configJsonSchema.properties ?? {})
  const single = sections.filter(([, schema]) => !isGroup(schema))
  const groups = sections.filter(([, schema]) => isGroup(schema))
  return `${generated('src/config/schema.ts')}
# Configuration

\`~/.config/codehound/config.yaml\` (\`$XDG_CONFIG_HOME\`), or the file after \`--config\`. YAML; JSON is YAML too.

\`\`\`yaml
backends:
  local: { type: ollama, url: "http://127.0.0.1:11434" }
  cloud: { type: openai-compatible, url: "https://your-provider/v1", api_key: "\${YOUR_KEY}", context_max_tokens: 128000 }
model: local/qwen2.5-coder:7b-instruct # backend/model
fallback: [cloud/the-model]
\`\`\`

- What is stronger wins: defaults < your file < the workspace's \`.codehound/config.yaml\` < variables < options of the command line.
  \`codehound config --explain KEY\` shows each of them with file and line.
- Keys are camelCase; snake_case is the same key. ${Object.entries(keyAliases)
    .map(([alias, key]) => `${code(alias)} means ${code([...alias.split('.').slice(0, -1), key].join('.'))}`)
    .join(', ')}.
- \`\${VAR}\` and \`\${VAR:-value}\` are put in; \`$\${\` is a plain \`\${\`. A variable that is missing is an error; one that a backend needs is
  an error only when that backend is used.
- Variables: \`CODEHOUND_MODEL=a/b\`, \`CODEHOUND_CONTEXT__MAP_TOKENS=2000\`, \`CODEHOUND_FALLBACK=a/b,c/d\`; \`__\` stands between levels.
- A workspace's file may set how things look and how much is sent. Whatever could widen permissions, name commands or send code to
  another server holds only after \`codehound config trust\`; \`commands.block\` it can only add to.
- An unknown key is an error that names the nearest one, the file and the line. For editors: \`codehound config schema\`.

## Keys on their own

${keyTable('', Object.fromEntries(single))}

${groups.map(([name, schema]) => groupText(name, schema)).join('\n\n')}

## Limits by preset

Turns; 0 would be no limit.

${limitsTable()}
`
}

function isGroup(schema: JsonSchema): boolean {
  return schema.properties !== undefined || typeof schema.additionalProperties === 'object'
}

function groupText(name: string, schema: JsonSchema): string {
  const record = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const prefix = record === undefined ? `${name}.` : `${name}.NAME.`
  const defaults = record === undefined ? '' : ` Default: ${code(JSON.stringify(schema.default))}.`
  return `## ${name}

${schema.description ?? ''}${defaults}

${keyTable(prefix, (record ?? schema).properties ?? {})}`
}

function keyTable(prefix: string, properties: Readonly<Record<string, JsonSchema>>): string {
  return table(
    ['key', 'type', 'default', 'meaning'],
    Object.entries(properties).map(([key, schema]) => [
      code(prefix + key),
      code(typeText(schema)),
      schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
      schema.description ?? '',
    ]),
  )
}

function limitsTable(): string {
  const kinds: RunKind[] = ['interactive', 'headless', 'automation']
  const columns = (Object.keys(limitPresets) as (keyof typeof limitPresets)[]).flatMap((preset) =>
    kinds.map((kind) => ({ title: `${preset}, ${kind}`, counters: limitPresets[preset][kind] })),
  )
  const counters = Object.keys(limitPresets.default.interactive) as (keyof typeof limitPresets.default.interactive)[]
  return table(
    ['counter', ...columns.map((column) => column.title)],
    counters.map((counter) =>
      [code(`limits.${counter}`)].concat(columns.map((column) => String(column.counters[counter]))),
    ),
  )
}
