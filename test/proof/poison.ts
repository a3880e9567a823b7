// Proves that no fact about a TypeScript or JavaScript file comes from memory its parse did not write: before each parse the
// buffer is filled with poison, and every field of the tree and every fact must be those of a buffer of zeros. What is imported and
// exported is compared with the parser's own record of the module, which another reader makes.
// node test/proof/poison.ts [--count 2000] [--seed 1] [--folder DIR]...   (default: the packages and the sources of this checkout)
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { extractorOf, langOf } from '../../src/index/languages/typescript/extract.ts'
import { loadRawParser, type BeforeParse } from '../../src/index/languages/typescript/raw-parser.ts'
import { isShallow } from '../../src/index/shallow.ts'
import { FactsWriter } from '../../src/index/facts-writer.ts'
import { moduleDifference } from './module-record.ts'
import { digestOf, watchTypes } from './tree-digest.ts'

const ENDINGS = new Set(['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts'])
/** Larger files take their time and hold nothing new. */
const MAX_BYTES = 2_000_000
/** A tree takes some ten times its text, of a file that is read again and again with faults more. */
const POISONED_PER_BYTE = 96
const POISONED_MIN = 256 * 1024
const POISONED_MOST = 512 * 1024 * 1024

/** What stands in the buffer before a parse. `previous`: whatever the file before this one left. */
const POISONS = ['0xff', '0x01', 'random', 'previous'] as const

export interface PoisonResult {
  files: number
  parses: number
  /** Files of which the parser gave nothing, whatever the poison. */
  failed: number
  /** Files whose imports and exports were compared with the module's record. */
  modules: number
  /** Files that took more of the buffer than was poisoned. */
  outgrown: number
  differences: string[]
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }
}

/** Reads each file once with a buffer of zeros and once with each poison. */
export async function proveNoPoison(paths: readonly string[], seed: number): Promise<PoisonResult> {
  const random = randomFrom(seed)
  const noise = new Uint32Array(1 << 16).map(() => random())
  const noiseBytes = new Uint8Array(noise.buffer)
  let fill: (typeof POISONS)[number] | 'zeros' = 'zeros'
  let poisoned = 0
  let most = false
  let forms = 0
  const beforeParse: BeforeParse = (memory, textStart) => {
    forms++
    if (fill === 'previous') return
    poisoned = most ? POISONED_MOST : POISONED_MIN + (memory.length - textStart) * POISONED_PER_BYTE
    const from = textStart - poisoned
    if (fill !== 'random') memory.fill(fill === 'zeros' ? 0 : Number(fill), from, textStart)
    else
      for (let at = from; at < textStart; at += noiseBytes.length)
        memory.set(noiseBytes.subarray(0, Math.min(noiseBytes.length, textStart - at)), at)
  }
  const parser = await loadRawParser(beforeParse)
  const { extract } = extractorOf(parser)
  const kinds = new Map<number, Set<string>>()
  const misread = new Set<string>()
  watchTypes(parser.tree, kinds, (what) => misread.add(what))
  const result: PoisonResult = { files: 0, parses: 0, failed: 0, modules: 0, outgrown: 0, differences: [] }
  let previous: { path: string; bytes: Uint8Array } | undefined
  for (const path of paths) {
    const bytes = readFileSync(path)
    const source = { path, bytes, text: bytes.toString('utf8') }
    const read = (): string => {
      result.parses++
      const out = new FactsWriter()
      try {
        forms = 0
        const { errors } = parser.parse(path, bytes, langOf(path))
        const isSound = errors === 0 && forms === 1
        if (parser.tree.size - bytes.length > poisoned && fill !== 'previous') {
          if (most) result.outgrown++
          else {
            most = true
            return read()
          }
        }
        const digest = digestOf(parser.tree, kinds)
        // A file with faults is parsed in several forms, whose trees are not this one.
        if (!isSound) kinds.clear()
        extract(source, out)
        kinds.clear()
        out.endFile()
        const batch = out.takeBatch()
        const names = Buffer.from(batch.names.bytes).toString('latin1')
        return `${digest} ${batch.facts.join(' ')} ${batch.names.ends.join(' ')} ${names}`
      } catch (error) {
        return String(error)
      }
    }
    fill = 'zeros'
    most = false
    kinds.clear()
    misread.clear()
    const clean = read()
    result.files++
    if (/^\w*(?:Error|DamagedTree)/.test(clean)) {
      result.failed++
      result.differences.push(`${path}: ${clean.slice(0, 200)}`)
    }
    for (const poison of POISONS) {
      fill = poison
      if (poison === 'previous' && previous) parser.parse(previous.path, previous.bytes, langOf(previous.path))
      if (read() !== clean) result.differences.push(`${path}: other facts with ${poison}`)
    }
    fill = 'zeros'
    const wrong = moduleDifference(source, extract)
    for (const what of misread) result.differences.push(`${path}: read ${what}`)
    if (wrong !== undefined) result.modules++
    if (wrong) result.differences.push(`${path}: ${wrong}`)
    previous = { path, bytes }
  }
  return result
}

/** At most `count` files of folders, chosen by the seed. */
export function filesOf(folders: readonly string[], count: number, seed: number, maxBytes = MAX_BYTES): string[] {
  const random = randomFrom(seed)
  const all: string[] = []
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && ENDINGS.has(extname(entry.name))) all.push(join(entry.parentPath, entry.name))
  all.sort()
  for (let at = all.length - 1; at > 0; at--) {
    const other = random() % (at + 1)
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  const chosen: string[] = []
  for (const path of all) {
    if (chosen.length === count) break
    const bytes = readFileSync(path)
    if (bytes.length <= maxBytes && isShallow(bytes)) chosen.push(path)
  }
  return chosen
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      folder: { type: 'string', multiple: true },
    },
  })
  const root = resolve(import.meta.dirname, '../..')
  const folders = values.folder ?? [join(root, 'src'), join(root, 'node_modules')]
  const seed = Number(values.seed)
  const result = await proveNoPoison(filesOf(folders, Number(values.count), seed), seed)
  for (const difference of result.differences.slice(0, 50)) console.log(difference)
  const { files, parses, failed, modules, outgrown, differences } = result
  console.log(
    `${files} files, ${parses} parses, ${failed} not readable, ${modules} modules compared, ${outgrown} outgrew the poison, ${differences.length} differ`,
  )
  process.exitCode = differences.length > 0 || outgrown > 0 || files === 0 ? 1 : 0
}
