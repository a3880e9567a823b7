import type { IndexStatus } from './answers.ts'
import { FILE_FLAG, HEAD } from './facts.ts'
import { FILE_STATE, MAX_TEXT_BYTES } from './file-state.ts'
import { BINARY_EXTENSIONS, extensionOf } from './scan.ts'
import type { Tables } from './tables.ts'

type Counts = Omit<IndexStatus, 'state' | 'generation' | 'watcher' | 'warnings' | 'source' | 'scope'>

/** Counts the files of the tables by what became of them. */
export function countStatus(tables: Tables): Counts {
  const counts: Counts = {
    files: 0,
    indexed: 0,
    parsed: 0,
    textOnly: 0,
    binary: 0,
    notUtf8: 0,
    symlinks: 0,
    parseErrors: 0,
    symbols: 0,
    references: 0,
  }
  for (let file = 0; file < tables.count; file++) {
    const state = tables.states[file]!
    if (state === FILE_STATE.gone) continue
    counts.files++
    if (state !== FILE_STATE.pending) counts.indexed++
    if (state === FILE_STATE.parsed) counts.parsed++
    else if (state === FILE_STATE.text) counts.textOnly++
    else if (state === FILE_STATE.binary) counts.binary++
    else if (state === FILE_STATE.notUtf8) counts.notUtf8++
    else if (state === FILE_STATE.symlink) counts.symlinks++
    const facts = tables.facts[file]
    if (!facts) continue
    counts.symbols += facts[HEAD.symbols]!
    counts.references += facts[HEAD.refs]! + facts[HEAD.members]!
    if (facts[HEAD.flags]! & FILE_FLAG.parseError) counts.parseErrors++
  }
  return counts
}

/** Files that may be text and are too large to be looked into; undefined when there are none. */
export function tooLargeWarning(tables: Tables, binary: readonly string[] = BINARY_EXTENSIONS): string | undefined {
  const large: string[] = []
  for (let file = 0; file < tables.count; file++) {
    if (tables.states[file] !== FILE_STATE.binary || tables.sizes[file]! <= MAX_TEXT_BYTES) continue
    const path = tables.paths[file]!
    if (!binary.includes(extensionOf(path))) large.push(path)
  }
  if (large.length === 0) return undefined
  const more = large.length > 1 ? ` and ${large.length - 1} more` : ''
  return `Files over ${MAX_TEXT_BYTES / 1024 ** 2} MB are known by name only, to keep memory bounded: ${large[0]}${more}.`
}
