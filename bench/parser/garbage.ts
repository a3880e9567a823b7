// Time to scan 1 MB of each kind of garbage, whole and in chunks of 16 characters; fails above the limit.
// node bench/parser/garbage.ts [--limit MS]
import { tools } from '../../src/model/text-calls/corpus/tools.ts'
import { createTextCallScanner } from '../../src/model/text-calls/scanner.ts'
import { garbageKinds, garbageOf, MEGABYTE } from './garbage-kinds.ts'

/** What issue 5 asks for, in ms per MB. */
const LIMIT_MS = 100
const CHUNK = 16
const ROUNDS = 3

const limitAt = process.argv.indexOf('--limit')
const limit = limitAt > 0 ? Number(process.argv[limitAt + 1]) : LIMIT_MS

function scan(text: string, chunk: number): number {
  const scanner = createTextCallScanner({ tools, dialect: 'tagged-json' })
  const start = performance.now()
  for (let at = 0; at < text.length; at += chunk) scanner.feed(text.slice(at, at + chunk))
  scanner.end()
  return performance.now() - start
}

const best = (text: string, chunk: number): number =>
  Math.min(...Array.from({ length: ROUNDS }, () => scan(text, chunk)))

let worst = { id: '', whole: 0, chunks: 0 }
for (const kind of garbageKinds) {
  const text = garbageOf(kind, MEGABYTE)
  const whole = best(text, text.length)
  const chunks = best(text, CHUNK)
  if (whole > worst.whole) worst = { id: kind.id, whole, chunks }
  console.log(
    `${kind.id.padEnd(34)} ${whole.toFixed(1).padStart(8)} ms whole ${chunks.toFixed(1).padStart(8)} ms in chunks of ${CHUNK}`,
  )
}
console.log(`worst: ${worst.id}, ${worst.whole.toFixed(1)} ms for 1 MB (limit ${limit})`)
if (worst.whole > limit) process.exitCode = 1
