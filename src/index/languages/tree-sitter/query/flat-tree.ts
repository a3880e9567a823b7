// A syntax tree as arrays, so that patterns are matched without a call into the runtime: each costs a tenth of a microsecond or
// more, and a query looks at a node many times. One is kept per thread and used for one file after the other.
import type { Tree, TreeCursor } from 'web-tree-sitter'
import { ERROR_TYPE, type Query } from './compile.ts'

/** Room that is kept between files, in nodes (20 bytes each): a file of 500 KB or so. Larger ones make room for themselves only. */
const KEPT_NODES = 1 << 17
const FIRST_NODES = 1 << 12
/** Nodes between two looks at the clock. */
export const NODES_PER_LOOK = 4096

/**
 * The nodes of a tree from top to bottom, by their order in the text. Node 0 is the root; the first child of node `n` is `n + 1` if
 * `parent[n + 1]` is `n`. What stands in an anonymous node is left out.
 */
export class FlatTree {
  count = 0
  /** Type ids; an error has that of Query.errorType. */
  type = new Uint16Array(FIRST_NODES)
  /** Field ids, 0 for none, where the query wants them. */
  field = new Uint16Array(FIRST_NODES)
  /** UTF-16 offsets, where the query wants them. */
  start = new Int32Array(FIRST_NODES)
  end = new Int32Array(FIRST_NODES)
  /** -1 for the root. */
  parent = new Int32Array(FIRST_NODES)
  /** Next sibling, or -1. */
  next = new Int32Array(FIRST_NODES)

  /** Takes over a tree, in the place of the one before. Gives false when `isLate` stopped it: what is there then is cut off. */
  read(tree: Tree, query: Query, isLate: () => boolean): boolean {
    this.count = 0
    if (this.type.length > KEPT_NODES) this.resize(FIRST_NODES, false)
    const cursor = tree.walk()
    try {
      return this.walk(cursor, query, isLate)
    } finally {
      cursor.delete()
    }
  }

  private walk(cursor: TreeCursor, query: Query, isLate: () => boolean): boolean {
    const { isNamed, errorType, wanted } = query
    let parent = -1
    let parentType = errorType
    for (;;) {
      const node = this.count++
      if (node % NODES_PER_LOOK === 0 && isLate()) return false
      if (node === this.type.length) this.resize(2 * node, true)
      const id = cursor.nodeTypeId
      const type = id === ERROR_TYPE ? errorType : id
      const hasField = (isNamed[type] === 1 ? wanted.fieldUnder : wanted.anyFieldUnder)[parentType] === 1
      const field = hasField ? cursor.currentFieldId : 0
      this.type[node] = type
      this.field[node] = field
      this.parent[node] = parent
      this.next[node] = -1
      if (wanted.spanOfType[type] === 1 || wanted.spanOfField[field] === 1 || wanted.spanUnder[parentType] === 1) {
        this.start[node] = cursor.startIndex
        this.end[node] = cursor.endIndex
      }
      if (isNamed[type] === 1 && cursor.gotoFirstChild()) {
        parent = node
        parentType = type
        continue
      }
      let done = node
      while (!cursor.gotoNextSibling()) {
        done = parent
        if (done <= 0) return true
        cursor.gotoParent()
        parent = this.parent[done]!
        parentType = this.type[parent]!
      }
      this.next[done] = this.count
    }
  }

  private resize(length: number, keep: boolean): void {
    this.type = resized(this.type, new Uint16Array(length), keep)
    this.field = resized(this.field, new Uint16Array(length), keep)
    this.start = resized(this.start, new Int32Array(length), keep)
    this.end = resized(this.end, new Int32Array(length), keep)
    this.parent = resized(this.parent, new Int32Array(length), keep)
    this.next = resized(this.next, new Int32Array(length), keep)
  }
}

function resized<T extends Uint16Array | Int32Array>(from: T, to: T, keep: boolean): T {
  if (keep) to.set(from)
  return to
}
