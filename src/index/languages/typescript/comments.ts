// Comments of a parsed file: doc comments by the declaration they stand before, and TODO marks.
import { TODO_TAGS } from '../../facts.ts'
import type { FactsWriter } from '../../facts-writer.ts'
import type { SyntaxReader } from './syntax-reader.ts'
import { field } from './tree.ts'

const COMMENTS = field('RawTransferData', 'comments')
const START = field('Comment', 'start')
const END = field('Comment', 'end')
/** Start of the token it stands before. */
const ATTACHED = field('Comment', 'attachedTo')
/** 0 when it stands before a token, 1 when it trails one. */
const POSITION = field('Comment', 'position')
const KIND = field('Comment', 'type')
const SPACE = 32
const BLOCK_KINDS = new Set([1, 2])
const MARK = /\b(TODO|FIXME|HACK|XXX)\b[^\n]*/g

/** A comment of a parsed file; offsets in UTF-16 code units but for `attachedTo`. */
export interface Comment {
  start: number
  end: number
  isBlock: boolean
  /** Stands before a token, and does not trail one. */
  isLeading: boolean
  attachedTo: number
}

export function commentsOf(tree: SyntaxReader): Comment[] {
  const comments: Comment[] = []
  tree.each(tree.program, COMMENTS, (comment) => {
    comments.push({
      start: tree.number(comment, START),
      end: tree.number(comment, END),
      isBlock: BLOCK_KINDS.has(tree.byte(comment, KIND)),
      isLeading: tree.byte(comment, POSITION) === 0,
      attachedTo: tree.number(comment, ATTACHED),
    })
  })
  return comments
}

/**
 * Fills `docs`: by the start of a declaration, where its doc comment begins, which is the last block before it, else the first
 * of the line comments before it. `text` is given when the file is not ASCII.
 */
export function readDocs(comments: readonly Comment[], text: string | undefined, docs: Map<number, number>): void {
  docs.clear()
  const attached = text === undefined ? undefined : attachments(comments, text)
  comments.forEach(({ start, isBlock, isLeading, attachedTo }, i) => {
    if (!isLeading) return
    const token = attached ? attached[i]! : attachedTo
    if (isBlock || !docs.has(token)) docs.set(token, start)
  })
}

/**
 * The token each comment stands before, in UTF-16 offsets: oxc 0.158 turns the spans of comments into these but leaves the
 * token's place in bytes.
 */
function attachments(comments: readonly Comment[], text: string): Int32Array {
  const tokens = new Int32Array(comments.length)
  for (let i = comments.length - 1; i >= 0; i--) {
    let at = comments[i]!.end
    while (at < text.length && text.charCodeAt(at) <= SPACE) at++
    tokens[i] = at === comments[i + 1]?.start ? tokens[i + 1]! : at
  }
  return tokens
}

/** Writes the TODO marks that stand in comments. */
export function readTodos(comments: readonly Comment[], text: string, out: FactsWriter): void {
  for (const { start, end } of comments) marks(text, start, end, out)
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
