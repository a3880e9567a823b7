// A worker thread of the index: reads files, runs their language's extractor, sends the facts back in batches.
// It holds no state between files but the name table and the loaded parsers.
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { FactsWriter } from './facts-writer.ts'
import { FileReader } from './file-reader.ts'
import { HASH_BYTES } from './file-state.ts'
import { shrinkRoom } from './read-file.ts'
import type { ReadAnswer, ReadJob, WorkerSetup } from './worker-protocol.ts'

// Grammars in WebAssembly hold one very large function each; optimizing it took 400 MB and a second of the build for a gain
// that only thousands of files of one language would win back.
setFlagsFromString('--no-wasm-dynamic-tiering')
setFlagsFromString('--no-wasm-tier-up')

const port = parentPort!
const { heartbeat } = workerData as WorkerSetup
const out = new FactsWriter()
const reader = new FileReader(out)

// One after the other: the reader's buffer and the writer serve one file at a time.
let last = Promise.resolve()
port.on('message', (job: ReadJob) => {
  last = last.then(() => run(job))
})

async function run(job: ReadJob): Promise<void> {
  const count = job.paths.length
  const states = new Uint8Array(count)
  const sizes = new Float64Array(count)
  const times = new Float64Array(count)
  const hashes = new Uint8Array(count * HASH_BYTES)
  for (let i = 0; i < count; i++) {
    Atomics.store(heartbeat, 0, i + 1)
    Atomics.add(heartbeat, 1, 1)
    const read = await reader.read(job.paths[i]!, job.names[i]!, job.textOnly[i] === 1)
    states[i] = read.state
    sizes[i] = read.size
    times[i] = read.mtimeMs
    hashes.set(read.hash, i * HASH_BYTES)
  }
  Atomics.store(heartbeat, 0, 0)
  shrinkRoom()
  const batch = out.takeBatch()
  const answer: ReadAnswer = { id: job.id, batch, states, sizes, times, hashes, faults: reader.takeFaults() }
  port.postMessage(answer, [
    batch.facts.buffer,
    batch.ends.buffer,
    batch.names.bytes.buffer,
    batch.names.ends.buffer,
    states.buffer,
    sizes.buffer,
    times.buffer,
    hashes.buffer,
  ])
}
