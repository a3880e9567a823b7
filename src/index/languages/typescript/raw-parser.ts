// Parses with oxc into its raw buffer: bytes in, syntax tree as bytes out, no JavaScript object per node.
// It uses the same entry as oxc-parser's own raw transfer (0.158.0, pinned; layout.ts is made from that version), because the
// shipped ways cost 3 to 5 times as much: see docs/decisions/2026-11-20-index-parsing.md.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  ACTIVE_SIZE,
  BLOCK_ALIGN,
  BLOCK_SIZE,
  BUFFER_SIZE,
  DATA_ERRORS,
  DATA_POINTER_POS_32,
  OXC_VERSION,
} from './layout.ts'
import { field } from './tree.ts'

interface Bindings {
  getBufferOffset(buffer: Uint8Array): number
  parseRawSync(name: string, block: Uint8Array, sourceStart: number, sourceLength: number, options: object): void
}

export interface RawParser {
  /** The buffer, valid until the next parse. */
  readonly bytes: Uint8Array
  readonly words: Int32Array
  /**
   * Parses UTF-8; gives the byte position of the program node and the number of syntax errors. `fault`: where the parser gave
   * up, in UTF-16 code units, in a file of which it gives nothing.
   */
  parse(name: string, source: Uint8Array, lang: 'js' | 'jsx' | 'ts' | 'tsx' | 'dts'): Parsed
}

export interface Parsed {
  program: number
  errors: number
  fault?: number
}

const PROGRAM_BODY = field('Program', 'body')
const ERROR_LABELS = field('Error', 'labels')
/** Byte offset of the length in a list. */
const LENGTH = 8

/** Where the first error of a program without statements stands. */
function faultOf(words: Int32Array, program: number): number | undefined {
  if (words[(program + PROGRAM_BODY + LENGTH) >> 2] !== 0) return undefined
  const labels = words[(program + DATA_ERRORS) >> 2]! + ERROR_LABELS
  return words[(labels + LENGTH) >> 2] === 0 ? 0 : words[words[labels >> 2]! >> 2]
}

/** Loads the native parser and reserves its buffer: 6 GiB of addresses, of which only what is written takes memory. */
export async function loadRawParser(): Promise<RawParser> {
  const manifest = createRequire(import.meta.url).resolve('oxc-parser/package.json')
  const { version } = createRequire(import.meta.url)(manifest) as { version: string }
  if (version !== OXC_VERSION)
    throw new Error(
      `oxc-parser ${version} is installed, ${OXC_VERSION} is needed; run npm ci, or script/oxc-layout.mjs.`,
    )
  const path = join(dirname(manifest), 'src-js/bindings.js')
  const bindings = (await import(pathToFileURL(path).href)) as Bindings
  const whole = new ArrayBuffer(BLOCK_SIZE + BLOCK_ALIGN)
  const offset = bindings.getBufferOffset(new Uint8Array(whole))
  const bytes = new Uint8Array(whole, offset, BUFFER_SIZE)
  const words = new Int32Array(whole, offset, BUFFER_SIZE / 4)
  const block = new Uint8Array(whole, offset, BLOCK_SIZE)
  const options: { preserveParens: boolean; lang: string; sourceType?: string } = { preserveParens: false, lang: 'ts' }
  return {
    bytes,
    words,
    parse(name, source, lang) {
      // The source ends where the buffer's active part ends; the tree grows towards it.
      const start = ACTIVE_SIZE - source.length
      bytes.set(source, start)
      options.lang = lang
      const run = (): Parsed => {
        bindings.parseRawSync(name, block, start, source.length, options)
        const data = words[DATA_POINTER_POS_32]!
        const errors = words[(data + DATA_ERRORS + LENGTH) >> 2]!
        const fault = errors === 0 ? undefined : faultOf(words, data)
        return { program: data, errors, ...(fault === undefined ? {} : { fault }) }
      }
      delete options.sourceType
      const first = run()
      if (first.errors === 0 || (lang !== 'js' && lang !== 'jsx')) return first
      // A script of old may return at its top level.
      bytes.set(source, start)
      options.sourceType = 'commonjs'
      const second = run()
      if (second.errors <= first.errors) return second
      delete options.sourceType
      return run()
    },
  }
}
