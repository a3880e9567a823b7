// What the index holds in memory: one row per file in flat columns, and each file's facts. No logic but keeping rows together.
// File ids are never reused while the process lives: a deleted file's row stays and is taken up again if the path comes back.
import { HEAD, HEAD_WORDS, sectionStarts, SECTIONS, STRIDE } from './facts.ts'
import { HINT_KIND } from './kinds.ts'
import { NameTable } from './names.ts'
import { FILE_STATE, HASH_BYTES } from './file-state.ts'

export class Tables {
  names: NameTable
  paths: string[] = []
  ids = new Map<string, number>()
  states = new Uint8Array(1024)
  sizes = new Float64Array(1024)
  /** Modification times in milliseconds, with fractions. */
  times = new Float64Array(1024)
  hashes = new Uint8Array(1024 * HASH_BYTES)
  facts: (Int32Array | undefined)[] = []
  /** sectionStarts of each file's facts. */
  starts: (Int32Array | undefined)[] = []
  /** Targets of symlinks, by file id. */
  links = new Map<number, string>()
  /** Folders that were listed, with their times: see ScanOptions. */
  folders = new Map<string, number>()
  /** Stamps of the ignore files they were listed by, by absolute path. */
  ignoreStamps = new Map<string, string>()
  /** Raised with each change. */
  generation = 0

  constructor(names = new NameTable()) {
    this.names = names
  }

  get count(): number {
    return this.paths.length
  }

  /** Id of a path, whose row is added when it is new. */
  add(path: string): number {
    const known = this.ids.get(path)
    if (known !== undefined) return known
    const id = this.paths.length
    this.paths.push(path)
    this.ids.set(path, id)
    this.facts.push(undefined)
    this.starts.push(undefined)
    if (id >= this.states.length) this.grow(id * 2)
    return id
  }

  /** Id of a path that is there now. */
  find(path: string): number | undefined {
    const id = this.ids.get(path)
    return id === undefined || this.states[id] === FILE_STATE.gone ? undefined : id
  }

  alive(id: number): boolean {
    return this.states[id] !== FILE_STATE.gone
  }

  setFacts(id: number, facts: Int32Array | undefined): void {
    this.facts[id] = facts
    this.starts[id] = facts && sectionStarts(facts)
  }

  remove(id: number): void {
    this.states[id] = FILE_STATE.gone
    this.setFacts(id, undefined)
    this.links.delete(id)
  }

  setStat(id: number, state: number, size: number, time: number): void {
    this.states[id] = state
    this.sizes[id] = size
    this.times[id] = time
  }

  hash(id: number): Uint8Array {
    return this.hashes.subarray(id * HASH_BYTES, (id + 1) * HASH_BYTES)
  }

  private grow(length: number): void {
    const larger = <T extends Uint8Array | Float64Array>(old: T, made: T): T => {
      made.set(old)
      return made
    }
    this.states = larger(this.states, new Uint8Array(length))
    this.sizes = larger(this.sizes, new Float64Array(length))
    this.times = larger(this.times, new Float64Array(length))
    this.hashes = larger(this.hashes, new Uint8Array(length * HASH_BYTES))
  }
}

/** Columns of each section that hold name ids. */
export const NAME_COLUMNS: Readonly<Record<string, readonly number[]>> = {
  symbols: [0],
  imports: [0, 1, 2],
  exports: [0, 1, 2],
  bindings: [0],
  memberNames: [0],
}

/** Turns the name ids in one file's facts into those of another table, in place. */
export function remapNames(facts: Int32Array, remap: ArrayLike<number>): void {
  if (facts.length < HEAD_WORDS) return
  const starts = sectionStarts(facts)
  for (let i = 0; i < SECTIONS.length; i++) {
    const section = SECTIONS[i]!
    const columns = NAME_COLUMNS[section]
    const stride = STRIDE[section]
    if (columns) {
      for (let at = starts[i]!; at < starts[i + 1]!; at += stride)
        for (const column of columns) facts[at + column] = remap[facts[at + column]!]!
    } else if (i === HEAD.hints) {
      for (let at = starts[i]!; at < starts[i + 1]!; at += stride)
        if (facts[at] === HINT_KIND.member) facts[at + 2] = remap[facts[at + 2]!]!
    }
  }
}
