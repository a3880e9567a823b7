import { isWordStart } from './reader.ts'
import { CALL_TAGS, MAX_TAG_NAME, QUOTE_TAGS, THINK_TAGS, WEAK_WRAPPERS, WRAPPERS } from './tags.ts'
import { simplify, type ToolIndex } from './tool-index.ts'

const SIZE = 4096
const COLON = 58
const BAR = 124
const UNDERSCORE = 95

/** What a character of a name counts for: nothing where spellings differ, its lower case else. */
const COUNTS = new Int16Array(128).fill(-1)
for (let code = 48; code <= 57; code++) COUNTS[code] = code
for (let code = 97; code <= 122; code++) COUNTS[code] = COUNTS[code - 32] = code
for (const code of [45, 46, 95]) COUNTS[code] = 0

/** Tells the names of most tags that mean nothing from the others, without a string for each: a text can be full of them. */
export class TagFilter {
  private readonly known = new Uint8Array(SIZE)

  constructor(index: ToolIndex) {
    const own = [WRAPPERS, WEAK_WRAPPERS, CALL_TAGS, THINK_TAGS, QUOTE_TAGS, index.exact.keys(), index.alias.keys()]
    const names = own.flatMap((each) => Array.from(each, simplify))
    for (const name of [...names, ...index.simple.keys(), ...index.simpleAlias.keys(), 's', 'startfunctioncall']) {
      let hash = 0
      for (let at = 0; at < name.length; at++) hash = step(hash, name.charCodeAt(at))
      this.known[hash % SIZE] = 1
    }
  }

  /**
   * Where the tag's name that begins at `from` ends, if all of it is there and it is nothing: neither a tag that may
   * open or close a call, thinking or a quotation, nor a tool. -1: it may be one.
   */
  nothingUntil(text: string, from: number): number {
    const most = Math.min(text.length, from + MAX_TAG_NAME + 1)
    if (from >= most || !isWordStart(text.charCodeAt(from))) return -1
    let hash = 0
    // The same from the first underscore on: what stands before it may be a vendor's prefix.
    let tail = -1
    let end = from
    while (end < most) {
      const code = text.charCodeAt(end)
      // What stands before a colon or a bar is dropped from a name.
      if (code === COLON || code === BAR) return -1
      const counts = code < 128 ? COUNTS[code]! : -1
      if (counts < 0) break
      if (counts > 0) {
        hash = step(hash, counts)
        if (tail >= 0) tail = step(tail, counts)
      } else if (code === UNDERSCORE && tail < 0) tail = 0
      end++
    }
    if (end === text.length || end === most || this.known[hash % SIZE] === 1) return -1
    return tail > 0 && this.known[tail % SIZE] === 1 ? -1 : end
  }
}

const built = new WeakMap<ToolIndex, TagFilter>()

/** Returns the filter for the tools of `index`. */
export function tagFilter(index: ToolIndex): TagFilter {
  let filter = built.get(index)
  if (!filter) built.set(index, (filter = new TagFilter(index)))
  return filter
}

const step = (hash: number, code: number): number => (Math.imul(hash, 31) + code) >>> 0
