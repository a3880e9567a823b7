// Opens the index of a folder in a process of its own: node index-process.ts ROOT SNAPSHOT. Says `ready`, saves, says `saved`,
// and stays until it is ended.
import { openIndex } from '../../src/index/code-index.ts'

const [, , root, snapshotPath] = process.argv
const index = await openIndex({ root: root!, snapshotPath: snapshotPath!, watch: false, workers: 1 })
process.stdout.write('open\n')
await index.ready()
process.stdout.write('ready\n')
await index.save()
process.stdout.write(`saved ${index.status().warnings.join(' ')}\n`)
setInterval(() => undefined, 1000)
