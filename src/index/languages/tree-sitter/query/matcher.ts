// Matches the patterns of a query over a flat tree. Every way a pattern fits a node is a match, but for those that say the same as
// another, or less: so tree-sitter's own queries do it, against which matcher.test.ts compares.
import { ANY_NAMED, type CaptureName, type Pattern, type Query, type Shape, type Step } from './compile.ts'
import { NODES_PER_LOOK, type FlatTree } from './flat-tree.ts'

/** A node under the name it was captured by; offsets are UTF-16. */
export interface Capture {
  is: CaptureName
  start: number
  end: number
}

export interface Match {
  pattern: Pattern
  /** At least one; in the order of the text, what is outside before what is in it. */
  captures: Capture[]
}

/** Room for captures on the way to one match; patterns are far from it. */
const MAX_CAPTURES = 256

/** Finds the matches of one query in trees of its language. */
export class Matcher {
  private readonly query: Query
  /** Captures of the way that is tried: pairs of an index into `query.captures` and a node. */
  private readonly way = new Int32Array(2 * MAX_CAPTURES)
  private length = 0
  /** The ways that fit the node at hand, one behind the other, each with its length before. */
  private readonly found: number[] = []
  private looks = 0
  private late = false
  private tree!: FlatTree
  private isLate!: () => boolean

  constructor(query: Query) {
    this.query = query
  }

  /**
   * Gives all matches to `take`: from top to bottom by the node a pattern begins at, then by pattern. Gives false when `isLate`
   * stopped it before the end.
   *
   * @param text what the tree was parsed from
   */
  run(tree: FlatTree, text: string, isLate: () => boolean, take: (match: Match) => void): boolean {
    const { entries } = this.query
    const { count, type } = tree
    this.tree = tree
    this.isLate = isLate
    this.looks = 0
    this.late = false
    for (let node = 0; node < count; node++) {
      this.look()
      if (this.late) return false
      const begins = entries[type[node]!]
      if (begins === undefined) continue
      for (const { pattern, step, shape } of begins) {
        if (shape.negated !== undefined && this.hasField(node, shape.negated)) continue
        // Most matches are of one node, whatever is in it.
        if (shape.first === undefined) {
          const captures = shape.captures.map((capture) => this.capture(capture, node))
          if (captures.length > 0 && holds(pattern, captures, text)) take({ pattern, captures })
          continue
        }
        this.found.length = 0
        this.length = 0
        this.enter(shape, step, node)
        if (this.found.length > 0) this.give(pattern, text, take)
      }
    }
    return !this.late
  }

  private look(): void {
    if (++this.looks % NODES_PER_LOOK === 0 && this.isLate()) this.late = true
  }

  /** A node fits the shape, but for its children. */
  private enter(shape: Shape, step: Step, node: number): void {
    const { length } = this
    for (const capture of shape.captures) {
      this.way[this.length++] = capture
      this.way[this.length++] = node
    }
    if (shape.first === undefined) this.leave(step, node)
    else {
      const child = node + 1
      const has = child < this.tree.count && this.tree.parent[child] === node
      this.search(shape.first, node, has ? child : -1)
    }
    this.length = length
  }

  /** A node fits a step with all its children: goes on behind it. */
  private leave(step: Step, node: number): void {
    let at = node
    let done: Step | undefined = step
    while (done !== undefined) {
      if (done.next !== undefined) {
        this.search(done.next, this.tree.parent[at]!, this.tree.next[at]!)
        return
      }
      at = this.tree.parent[at]!
      done = done.parent
    }
    this.found.push(this.length)
    for (let i = 0; i < this.length; i++) this.found.push(this.way[i]!)
  }

  /** Tries a step at `from` and the siblings behind it. */
  private search(step: Step, parent: number, from: number): void {
    const { tree, query } = this
    if (step.optional) {
      if (step.next !== undefined) this.search(step.next, parent, from)
      else this.leave(step.parent!, parent)
    }
    for (let node = from; node !== -1; node = tree.next[node]!) {
      this.look()
      if (this.late) return
      const isNamed = query.isNamed[tree.type[node]!] === 1
      let fits = false
      for (const shape of step.shapes) {
        if (!this.fits(shape, node, isNamed) || (step.last && this.hasNamedBehind(node))) continue
        fits = true
        this.enter(shape, step, node)
      }
      if (fits && step.firstOnly) return
      if (step.anchored && isNamed && !(fits && step.repeated)) return
    }
  }

  private fits({ type, field, negated }: Shape, node: number, isNamed: boolean): boolean {
    const { tree, query } = this
    const own = tree.type[node]!
    if (type >= 0 ? type !== own : own === query.errorType || (type === ANY_NAMED && !isNamed)) return false
    if (field !== 0 && field !== tree.field[node]) return false
    return negated === undefined || !this.hasField(node, negated)
  }

  private hasField(node: number, fields: number[]): boolean {
    const { tree } = this
    let child = node + 1
    if (child >= tree.count || tree.parent[child] !== node) return false
    for (; child !== -1; child = tree.next[child]!) if (fields.includes(tree.field[child]!)) return true
    return false
  }

  private hasNamedBehind(node: number): boolean {
    const { tree, query } = this
    for (let at = tree.next[node]!; at !== -1; at = tree.next[at]!) if (query.isNamed[tree.type[at]!] === 1) return true
    return false
  }

  /** Hands on what was found at one node for one pattern. */
  private give(pattern: Pattern, text: string, take: (match: Match) => void): void {
    const { found } = this
    const superfluous = pattern.repeats ? superfluousWays(found) : undefined
    for (let at = 0; at < found.length; at += 1 + found[at]!) {
      if (found[at] === 0 || superfluous?.has(at)) continue
      const captures: Capture[] = []
      const end = at + found[at]!
      for (let i = at + 1; i <= end; i += 2) captures.push(this.capture(found[i]!, found[i + 1]!))
      if (holds(pattern, captures, text)) take({ pattern, captures })
    }
  }

  private capture(capture: number, node: number): Capture {
    const { query, tree } = this
    return { is: query.captures[capture]!, start: tree.start[node]!, end: tree.end[node]! }
  }
}

function holds({ tests }: Pattern, captures: Capture[], text: string): boolean {
  for (const { capture, fits, without } of tests) {
    let met = false
    for (const { is, start, end } of captures)
      if (is.name === capture) {
        met = true
        if (!fits(text.slice(start, end))) return false
      }
    if (!met && !without) return false
  }
  return true
}

/** Places of the ways that capture the same as an earlier one, or only a part of another. */
function superfluousWays(found: number[]): Set<number> {
  const superfluous = new Set<number>()
  const isOnly = found.length === 1 + found[0]!
  if (isOnly) return superfluous
  // A way that holds all captures of another also holds its last one.
  const holding = new Map<string, number[]>()
  const ways: { at: number; keys: string[] }[] = []
  for (let at = 0; at < found.length; at += 1 + found[at]!) {
    const keys: string[] = []
    for (let i = at + 1; i <= at + found[at]!; i += 2) keys.push(`${found[i]} ${found[i + 1]}`)
    for (const key of keys) {
      const list = holding.get(key)
      if (list) list.push(ways.length)
      else holding.set(key, [ways.length])
    }
    ways.push({ at, keys })
  }
  for (const [i, { at, keys }] of ways.entries())
    for (const j of holding.get(keys.at(-1) ?? '') ?? ways.keys()) {
      const other = ways[j]!
      const covers = i !== j && keys.every((key) => other.keys.includes(key))
      if (!covers || superfluous.has(other.at) || (other.keys.length === keys.length && j > i)) continue
      superfluous.add(at)
      break
    }
  return superfluous
}
