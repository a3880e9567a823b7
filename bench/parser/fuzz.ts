// Fuzzes the text tool-call parser: texts of the corpus cut, spliced and sprinkled; each scanned whole and in random
// chunks. Stops with exit code 1 at the first text for which something does not hold, or that takes too long.
// nice node bench/parser/fuzz.ts [--minutes N] [--seed S]
import { check, mutate, random } from '../../test/corpora/text-calls/fuzz.ts'

const argument = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at > 0 ? Number(process.argv[at + 1]) : otherwise
}

const MINUTE_MS = 60_000
/** Processor time one text of a few hundred characters may take, whole and in chunks; a hang is far above it. */
const SLOW_MS = 500

const minutes = argument('minutes', 1)
const seed = argument('seed', Date.now() % 1_000_000)
const next = random(seed)
const end = Date.now() + minutes * MINUTE_MS
let count = 0
let characters = 0
let slowest = 0
console.log(`seed ${seed}, ${minutes} min`)
while (Date.now() < end && process.exitCode === undefined) {
  const text = mutate(next)
  const before = process.threadCpuUsage()
  let fault: string | undefined
  try {
    fault = check(text, next)
  } catch (error) {
    fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const used = process.threadCpuUsage(before)
  const time = (used.user + used.system) / 1000
  if (time > SLOW_MS) fault ??= `took ${time.toFixed(0)} ms`
  slowest = Math.max(slowest, time)
  count++
  characters += text.length
  if (fault) {
    console.error(`text ${count} of seed ${seed}: ${fault}\n${JSON.stringify(text)}`)
    process.exitCode = 1
  }
}
console.log(`${count} texts, ${characters} characters, slowest ${slowest.toFixed(1)} ms, seed ${seed}`)
