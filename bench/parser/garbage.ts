// Time to scan 1 MB of each kind of garbage, whole and in chunks of 16 characters; fails above the limit.
// Processor time of the scanning thread, the best of a few rounds: what else the machine does is not measured.
// node bench/parser/garbage.ts [--limit MS]
import { tools } from '../../test/corpora/text-calls/tools.ts'
import { createTextCallScanner } from '../../src/model/text-calls/scanner.ts'
import { garbageKinds, garbageOf, MEGABYTE } from './garbage-kinds.ts'

/** What issue 5 asks for, in ms per MB, for a text that arrives whole. */
const LIMIT_MS = 100
const CHUNK = 16
const ROUNDS = 5

const limitAt = process.argv.indexOf('--limit')
const limit = limitAt > 0 ? Number(process.argv[limitAt + 1]) : LIMIT_MS

function scan(text: string, chunk: number): number {
  const scanner = createTextCallScanner({ tools, dialect: 'tagged-json' })
  const before = process.threadCpuUsage()
  for (let at = 0; at < text.length; at += chunk) scanner.feed(text.slice(at, at + chunk))
  scanner.end()
  const used = process.threadCpuUsage(before)
  return (used.user + used.system) / 1000
}

const best = (text: string, chunk: number): number =>
  Math.min(...Array.from({ length: ROUNDS }, () => scan(text, chunk)))
const ms = (time: number): string => `${time.toFixed(1).padStart(7)} ms`

let worst = { id: '', whole: 0 }
let slowest = { id: '', chunks: 0 }
for (const { id, ...kind } of garbageKinds) {
  const text = garbageOf(kind, MEGABYTE)
  const whole = best(text, text.length)
  const chunks = best(text, CHUNK)
  if (whole > worst.whole) worst = { id, whole }
  if (chunks > slowest.chunks) slowest = { id, chunks }
  console.log(`${id.padEnd(34)}${ms(whole)} whole ${ms(chunks)} in chunks of ${CHUNK}`)
}
console.log(`worst whole: ${worst.id},${ms(worst.whole)} for 1 MB (limit ${limit} ms)`)
console.log(`worst in chunks: ${slowest.id},${ms(slowest.chunks)} for 1 MB`)
if (worst.whole > limit) process.exitCode = 1
