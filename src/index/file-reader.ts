// From a path to facts: reads the file, chooses its language, guards the parser against what it cannot take.
// Used by the workers, and in the main thread for questions about one place.
import { FILE_FLAG } from './facts.ts'
import type { FactsWriter } from './facts-writer.ts'
import { MAX_PARSED_BYTES } from './kinds.ts'
import type { Extract, Source } from './language.ts'
import { isHeavy, LANGUAGES, languageOf } from './languages.ts'
import { FILE_STATE } from './file-state.ts'
import { readForIndex, type ReadResult } from './read-file.ts'
import { scanBytes } from './search/grams.ts'
import { isShallow } from './shallow.ts'

/** A longer line, in bytes, is not written by hand: the file is indexed as text only. */
const MAX_LINE_BYTES = 50_000
/**
 * The same bounds for files read by a grammar in WebAssembly, whose memory grows with the tree and is never given back: a page of
 * 156 kB with inlined data took 240 MB.
 */
const MAX_GRAMMAR_LINE_BYTES = 5_000
const MAX_GRAMMAR_BYTES = 1024 * 1024
/** Average line length of a minified file, in bytes. */
const MINIFIED_AVERAGE = 500
const MINIFIED_SIZE = 20_000
/** A file of fewer bytes cannot be deep enough to matter: the stack takes some 1,300 bytes a level. */
const SAFE_BYTES = 40_000

const decoder = new TextDecoder()

export class FileReader {
  private out: FactsWriter
  private extractors: (Extract | Promise<Extract | undefined> | undefined | null)[] = LANGUAGES.map(() => null)
  private faults: string[] = []

  constructor(out: FactsWriter) {
    this.out = out
  }

  /** Reads a file and closes its facts in the writer, whatever became of it. */
  async read(path: string, name: string, textOnly: boolean): Promise<ReadResult> {
    const result = readForIndex(path)
    if (result.state !== FILE_STATE.text) {
      this.out.endFile()
      return result
    }
    const { bytes } = result
    const scanned = scanBytes(bytes)
    this.out.setLoc(bytes.length === 0 ? 0 : scanned.lines - (bytes[bytes.length - 1] === 10 ? 1 : 0))
    const at = languageOf(name)
    const extract =
      at < 0 || textOnly || !parsable(bytes, scanned.lines, scanned.lineStarts, isHeavy(name))
        ? undefined
        : await this.extractor(at)
    if (extract) {
      const source = new LazySource(name, bytes)
      try {
        extract(source, this.out)
      } catch {
        this.out.flag(FILE_FLAG.parseError)
      }
      this.out.lines(scanned.lineStarts, scanned.lines)
      result.state = FILE_STATE.parsed
    } else this.out.flag(FILE_FLAG.textOnly)
    this.out.grams(scanned.filter)
    this.out.endFile()
    return result
  }

  takeFaults(): string[] {
    const { faults } = this
    this.faults = []
    return faults
  }

  private async extractor(at: number): Promise<Extract | undefined> {
    const known = this.extractors[at]
    if (known !== null) return known
    const language = LANGUAGES[at]!
    const loading = language.load().catch((error: unknown) => {
      this.faults.push(`${language.id}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    })
    this.extractors[at] = loading
    const loaded = await loading
    this.extractors[at] = loaded
    return loaded
  }
}

class LazySource implements Source {
  readonly path: string
  readonly bytes: Uint8Array
  private decoded: string | undefined

  constructor(path: string, bytes: Uint8Array) {
    this.path = path
    this.bytes = bytes
  }

  get text(): string {
    this.decoded ??= decoder.decode(this.bytes)
    return this.decoded
  }
}

/** Whether a file is worth parsing and safe to parse. */
function parsable(bytes: Uint8Array, lines: number, starts: Int32Array, heavy: boolean): boolean {
  if (bytes.length > (heavy ? MAX_GRAMMAR_BYTES : MAX_PARSED_BYTES)) return false
  const maxLine = heavy ? MAX_GRAMMAR_LINE_BYTES : MAX_LINE_BYTES
  if (bytes.length > MINIFIED_SIZE && bytes.length / lines > MINIFIED_AVERAGE) return false
  if (bytes.length > maxLine) {
    for (let i = 1; i < lines; i++) if (starts[i]! - starts[i - 1]! > maxLine) return false
    if (bytes.length - starts[lines - 1]! > maxLine) return false
  }
  return bytes.length < SAFE_BYTES || isShallow(bytes)
}
