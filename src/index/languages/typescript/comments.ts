// Comments of a parsed file: doc comments by the declaration they stand before, and TODO marks.
import { TODO_TAGS } from '../../facts.ts'
import type { FactsWriter } from '../../facts-writer.ts'
import { DATA_COMMENTS, COMMENT_KIND_OFFSET, COMMENT_SIZE } from './layout.ts'

/** Offset in a comment of the start of the token it stands before. */
const ATTACHED_OFFSET = 12
/** Offset of its position, after its kind: 0 when it stands before a token, 1 when it trails one. */
const POSITION_OFFSET = COMMENT_KIND_OFFSET + 1
const SPACE = 32
const BLOCK_KINDS = new Set([1, 2])
const MARK = /\b(TODO|FIXME|HACK|XXX)\b[^\n]*/g

/** Where the comments of one parse stand. */
export interface CommentTable {
  bytes: Uint8Array
  words: Int32Array
  first: number
  count: number
}

export function commentTable(bytes: Uint8Array, words: Int32Array, program: number): CommentTable {
  const at = (program + DATA_COMMENTS) >> 2
  return { bytes, words, first: words[at]!, count: words[at + 2]! }
}

/**
 * Fills `docs`: by the start of a declaration, where its doc comment begins, which is the last block before it, else the first
 * of the line comments before it. `text` is given when the file is not ASCII.
 */
export function readDocs(table: CommentTable, text: string | undefined, docs: Map<number, number>): void {
  docs.clear()
  const { bytes, words, first, count } = table
  const attached = text === undefined ? undefined : attachments(table, text)
  for (let i = 0; i < count; i++) {
    const comment = first + i * COMMENT_SIZE
    if (bytes[comment + POSITION_OFFSET] !== 0) continue
    const token = attached ? attached[i]! : words[(comment + ATTACHED_OFFSET) >> 2]!
    const isBlock = BLOCK_KINDS.has(bytes[comment + COMMENT_KIND_OFFSET]!)
    if (isBlock || !docs.has(token)) docs.set(token, words[comment >> 2]!)
  }
}

/**
 * The token each comment stands before, in UTF-16 offsets: oxc 0.158 turns the spans of comments into these but leaves the
 * token's place in bytes.
 */
function attachments({ words, first, count }: CommentTable, text: string): Int32Array {
  const tokens = new Int32Array(count)
  for (let i = count - 1; i >= 0; i--) {
    const comment = first + i * COMMENT_SIZE
    let at = words[(comment >> 2) + 1]!
    while (at < text.length && text.charCodeAt(at) <= SPACE) at++
    const next = i + 1 < count ? words[(comment + COMMENT_SIZE) >> 2]! : -1
    tokens[i] = at === next ? tokens[i + 1]! : at
  }
  return tokens
}

/** Writes the TODO marks that stand in comments. */
export function readTodos({ words, first, count }: CommentTable, text: string, out: FactsWriter): void {
  for (let i = 0; i < count; i++) {
    const comment = (first + i * COMMENT_SIZE) >> 2
    marks(text, words[comment]!, words[comment + 1]!, out)
  }
}

function marks(text: string, start: number, end: number, out: FactsWriter): void {
  const slice = text.slice(start, end)
  for (const match of slice.matchAll(MARK)) {
    const from = start + match.index
    let length = match[0].length
    if (start + slice.length === from + length && slice.endsWith('*/')) length -= 2
    out.todo(TODO_TAGS.indexOf(match[1] as (typeof TODO_TAGS)[number]), from, from + length)
  }
}
