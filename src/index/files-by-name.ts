// In which files a name stands, of one section of their facts.
import { HEAD, STRIDE } from './facts.ts'
import type { Tables } from './tables.ts'

const NONE = new Int32Array(0)

/** Sections whose rows begin with a name. */
export type NamedSection = 'symbols' | 'exports' | 'bindings' | 'memberNames'

export class FilesByName {
  /** The files of name `i` are `files[starts[i], starts[i + 1])`, in order. */
  private starts: Int32Array
  private files: Int32Array

  /** Turns the names of a section, which stand in its first column, around by counting them. */
  constructor(tables: Tables, section: NamedSection) {
    const names = tables.names.count
    const stride = STRIDE[section]
    const starts = new Int32Array(names + 1)
    const last = new Int32Array(names).fill(-1)
    const eachName = (visit: (name: number, file: number) => void) => {
      for (let file = 0; file < tables.count; file++) {
        const facts = tables.facts[file]
        if (!facts) continue
        const start = tables.starts[file]![HEAD[section]]!
        const end = start + facts[HEAD[section]]! * stride
        for (let at = start; at < end; at += stride) {
          const name = facts[at]!
          if (last[name] === file) continue
          last[name] = file
          visit(name, file)
        }
      }
    }
    eachName((name) => starts[name + 1]!++)
    for (let name = 0; name < names; name++) starts[name + 1]! += starts[name]!
    const files = new Int32Array(starts[names]!)
    const ends = starts.slice()
    last.fill(-1)
    eachName((name, file) => (files[ends[name]!++] = file))
    this.starts = starts
    this.files = files
  }

  /** Ids of the files, ascending. */
  of(name: number): Int32Array {
    // A name that came after this was made stands in no file it knows.
    return name + 1 < this.starts.length ? this.files.subarray(this.starts[name], this.starts[name + 1]) : NONE
  }
}
