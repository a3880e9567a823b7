// Parses with oxc into its raw buffer: bytes in, syntax tree as bytes out, no JavaScript object per node.
// It uses the same entry as oxc-parser's own raw transfer (0.158.0, pinned; layout.ts is made from that version), because the
// shipped ways cost 3 to 5 times as much: see docs/decisions/2026-11-20-index-parsing.md.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ACTIVE_SIZE, BLOCK_ALIGN, BLOCK_SIZE, BUFFER_SIZE, DATA_POINTER_POS_32, OXC_VERSION } from './layout.ts'
import { DamagedTree, SyntaxReader } from './syntax-reader.ts'
import { field } from './tree.ts'

interface Bindings {
  getBufferOffset(buffer: Uint8Array): number
  parseRawSync(name: string, block: Uint8Array, sourceStart: number, sourceLength: number, options: object): void
}

export interface RawParser {
  /** Reads the tree of the last parse. */
  readonly tree: SyntaxReader
  /** Parses UTF-8, and turns `tree` to what came of it. Throws DamagedTree when the parser left nothing that can be read. */
  parse(name: string, source: Uint8Array, lang: 'js' | 'jsx' | 'ts' | 'tsx' | 'dts'): Parsed
}

export interface Parsed {
  /** Number of syntax errors. */
  errors: number
  /** Where the parser gave up, in UTF-16 code units, in a file of which it gives nothing. */
  fault?: number
}

/** Called before each parse with the memory and where the text will stand in it: everything before that may be written over. */
export type BeforeParse = (memory: Uint8Array, textStart: number) => void

const PROGRAM_BODY = field('Program', 'body')
const ERRORS = field('RawTransferData', 'errors')
const ERROR_LABELS = field('Error', 'labels')
const LABEL_START = field('ErrorLabel', 'start')

/**
 * Most import statements of a file that is parsed. oxc 0.158 takes 96 bytes for every pair of them (97 MB for 1,000), and where its
 * 2 GiB are full, at some 4,700, it ends the whole process.
 */
const MAX_IMPORTS = 2_000
const IMPORT = 'import'
/** What begins an import statement behind the word; `import(` and `import.` are expressions. */
const IMPORT_GOES_ON = /[\s'"{*/]/

/** Whether a text has more import statements than the parser can take. Counts the word, comments and strings too. */
function hasTooManyImports(source: Uint8Array): boolean {
  const text = Buffer.from(source.buffer, source.byteOffset, source.length)
  if (text.length < MAX_IMPORTS * (IMPORT.length + 1)) return false
  let count = 0
  for (let at = text.indexOf(IMPORT); at >= 0; at = text.indexOf(IMPORT, at + IMPORT.length))
    if (IMPORT_GOES_ON.test(String.fromCharCode(text[at + IMPORT.length] ?? 0)) && ++count > MAX_IMPORTS) return true
  return false
}

/** Where the first error of a program without statements stands. */
function faultOf(tree: SyntaxReader): number | undefined {
  if (tree.count(tree.program, PROGRAM_BODY) > 0) return undefined
  let fault = 0
  tree.each(tree.program, ERRORS, (error, _kind, index) => {
    if (index > 0) return
    tree.each(error, ERROR_LABELS, (label, _labelKind, place) => {
      if (place === 0) fault = tree.number(label, LABEL_START)
    })
  })
  return fault
}

/** Loads the native parser and reserves its buffer: 6 GiB of addresses, of which only what is written takes memory. */
export async function loadRawParser(beforeParse?: BeforeParse): Promise<RawParser> {
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
  const tree = new SyntaxReader(bytes, words)
  const run = (name: string, source: Uint8Array): Parsed => {
    // The source ends where the buffer's active part ends; the tree grows away from it, towards the begin.
    const textStart = ACTIVE_SIZE - source.length
    beforeParse?.(bytes, textStart)
    bytes.set(source, textStart)
    bindings.parseRawSync(name, block, textStart, source.length, options)
    tree.turnTo({ program: words[DATA_POINTER_POS_32]!, textStart, textEnd: ACTIVE_SIZE })
    const errors = tree.count(tree.program, ERRORS)
    const fault = errors === 0 ? undefined : faultOf(tree)
    return { errors, ...(fault === undefined ? {} : { fault }) }
  }
  return {
    tree,
    parse(name, source, lang) {
      if (hasTooManyImports(source)) throw new DamagedTree(`it would have more than ${MAX_IMPORTS} import statements`)
      options.lang = lang
      delete options.sourceType
      const first = run(name, source)
      if (first.errors === 0 || (lang !== 'js' && lang !== 'jsx')) return first
      // A script of old may return at its top level.
      options.sourceType = 'commonjs'
      const second = run(name, source)
      if (second.errors <= first.errors) return second
      delete options.sourceType
      return run(name, source)
    },
  }
}
