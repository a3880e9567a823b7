// Writes the reference pages that are made from the program: configuration, protocol, tools, command line, and the JSON Schema
// the program validates its configuration by. With --check it writes nothing and fails when one of them is stale.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { makeJsonSchema } from '../src/config/make-json-schema.ts'

const root = join(import.meta.dirname, '..')
const schemaFile = join(root, 'src/config/config-schema.json')
const schema: unknown = JSON.parse(JSON.stringify(makeJsonSchema()))
const check = process.argv.includes('--check')
const stale: string[] = []

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

if (!isDeepStrictEqual(JSON.parse(read(schemaFile) || 'null'), schema)) {
  stale.push('src/config/config-schema.json')
  if (!check) {
    writeFileSync(schemaFile, `${JSON.stringify(schema, null, 2)}\n`)
    execFileSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), schemaFile], { stdio: 'ignore' })
  }
}
// Read only now: the pages are made with the schema file.
const pages: Record<string, () => string | Promise<string>> = {
  'docs/config.md': (await import('./docs/config-page.ts')).configPage,
  'docs/protocol.md': (await import('./docs/protocol-page.ts')).protocolPage,
  'docs/tools.md': (await import('./docs/tools-page.ts')).toolsPage,
  'docs/cli.md': (await import('./docs/cli-page.ts')).cliPage,
  'docs/safety.md': async () => (await import('./docs/safety-part.ts')).safetyPage(read(join(root, 'docs/safety.md'))),
}
for (const [name, make] of Object.entries(pages)) {
  const file = join(root, name)
  const text = await make()
  if (read(file) === text) continue
  stale.push(name)
  if (!check) writeFileSync(file, text)
}
if (check && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}. Run: npm run docs`)
  process.exitCode = 1
} else if (!check) console.log(stale.length === 0 ? 'all pages are up to date' : `wrote ${stale.join(', ')}`)
