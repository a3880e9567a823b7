// The configuration as `@config` gives it to a model that is to change it: every key, its type, what holds now, what it means.
import { valueAt } from '../config/explain.ts'
import { allKeys } from '../config/key-path.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { typeText } from '../config/schema-words.ts'

/** `file`: the user's own, to be named; addresses and keys of servers are left out, their names are not. */
export function configText({ config }: Pick<LoadedConfig, 'config'>, file: string): string {
  const lines = allKeys().map(({ key, schema }) => {
    const path = key.split('.')
    // Below a name the user chose there is a value for each.
    const value = path.includes('NAME') ? undefined : valueAt(config, path)
    const now = value === undefined ? '' : ` = ${JSON.stringify(value)}`
    const meaning = schema.description === undefined ? '' : `  # ${schema.description}`
    return `${key}: ${typeText(schema)}${now}${meaning}`
  })
  return [
    `Files: ${file} (the user's), .codehound/config.yaml (this project's). YAML, keys nested at the dots. \`codehound config set KEY VALUE\` checks and writes one.`,
    `Backends now: ${Object.keys(config.backends).join(', ')}`,
    '',
    'KEY: TYPE = VALUE NOW  # MEANING',
    ...lines,
  ].join('\n')
}
