// What the benchmarks time as a process: `build` a whole index (everything queryable), or `warm`-start one and answer.
// node child.js build|warm|save|search CORPUS SNAPSHOT QUERY, or list CORPUS FILE: the files with text, for a peer; prints the
// name to ask for.
import { writeFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { openIndex } from '../../src/index/code-index.ts'
import { usualName } from './usual-name.ts'

const [, , mode, root, snapshotPath, query] = process.argv
// As the program does.
enableCompileCache()
const started = performance.now()
if (mode === 'search') {
  // As `codehound search` does.
  const { searchSaved } = await import('../../src/index/search/saved-search.ts')
  const found = await searchSaved({ root: root!, snapshotPath: snapshotPath! }, { query: query!, caseSensitive: true })
  if (found) {
    process.stdout.write(String(found.total))
    process.exit(0)
  }
}
const index = await openIndex({
  root: root!,
  watch: false,
  ...(mode !== 'build' && mode !== 'list' && { snapshotPath: snapshotPath! }),
})
if (mode === 'list') {
  await index.ready()
  const view = index.view()
  const parsed = index.files().filter((path) => view.facts(view.fileId(path)!) !== undefined)
  writeFileSync(snapshotPath!, parsed.join('\n'))
  process.stdout.write(usualName(view))
} else if (mode === 'search') {
  await index.ready()
  const { total } = await index.searchText({ query: query!, caseSensitive: true })
  process.stdout.write(String(total))
} else {
  await index.ready()
  const definitions = await index.definitions({ name: query! })
  const answered = performance.now() - started
  const { references } = await index.references({ name: query! })
  if (mode === 'build') await index.ranked()
  if (mode === 'save') await index.save()
  process.stdout.write(
    JSON.stringify({
      answered,
      ms: performance.now() - started,
      cpu: process.cpuUsage(),
      ...index.status(),
      definitions: definitions.length,
      references: references.length,
      rss: process.resourceUsage().maxRSS / 1024,
    }),
  )
}
process.exit(0)
