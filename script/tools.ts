// Writes src/tools/catalogue.json from the built-in tools: names, words and JSON Schemas, so that a start needs neither the
// tools nor zod. With --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtInTools } from '../src/tools/built-in.ts'
import { describeTool } from '../src/tools/describe-tool.ts'

const file = join(import.meta.dirname, '../src/tools/catalogue.json')
const entries = builtInTools.map((tool) => describeTool(tool))
if (process.argv.includes('--check')) {
  const written: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (JSON.stringify(written) !== JSON.stringify(entries)) {
    console.error('src/tools/catalogue.json is stale: run node script/tools.ts')
    process.exitCode = 1
  }
} else writeFileSync(file, `${JSON.stringify(entries, null, 2)}\n`)
