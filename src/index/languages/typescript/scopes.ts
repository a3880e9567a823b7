// Names and scopes of one file: uses wait on a stack until the scope that declares them closes.
// A use that no inner scope declares reaches the top level, where it becomes a use of the file's own name, an import or a global.
// Values, types and namespaces are told apart, as a parameter may be named like the type it has.
import { BINDING_FLAG } from '../../facts.ts'
import type { FactsWriter } from '../../facts-writer.ts'
import { Words } from '../../facts-grouping.ts'
import { HINT_KIND } from '../../kinds.ts'

/** What a name can mean (bits). */
export const MEANING = { value: 1, type: 2, namespace: 4, all: 7 } as const

/** Words of a waiting use: name, position, use flags, meaning, hint slot. */
const USE = 5
/** Words of a declaration: name, meaning, symbol, hint, position, binding (or -1). */
const DECLARATION = 6

export class Scopes {
  private uses = new Words()
  private declarations = new Words()
  /** Declarations of the open scopes, innermost last. */
  private open: number[] = []
  /** `var` declarations of the open functions, innermost last. */
  private hoisted: number[] = []
  private marked = new Int32Array(1 << 12)
  /** Frames: first use, first open declaration, first hoisted one (or -1 in a block), whether a function. */
  private frames: number[] = []
  /** Open function scopes. */
  private functions = 0
  /** Open scopes that collect `var`. */
  private collecting = 0
  private keepLocals = false
  private out: FactsWriter

  constructor(out: FactsWriter) {
    this.out = out
  }

  /** Starts a file. With `keepLocals`, parameters and local variables get bindings of their own. */
  begin(keepLocals: boolean): void {
    this.uses.length = 0
    this.declarations.length = 0
    this.open.length = 0
    this.hoisted.length = 0
    this.frames.length = 0
    this.functions = 0
    this.collecting = 0
    this.keepLocals = keepLocals
  }

  /** Opens a scope; a function scope also collects `var`, and so does a namespace, which is none. */
  enter(collectsVar: boolean, isFunction = collectsVar): void {
    if (isFunction) this.functions++
    if (collectsVar) this.collecting++
    this.frames.push(this.uses.length, this.open.length, collectsVar ? this.hoisted.length : -1, isFunction ? 1 : 0)
  }

  /** Whether an inner scope is open. */
  get depth(): number {
    return this.frames.length / 4
  }

  /** Declares a name in the innermost scope, or at the top level when none is open. `hint` is its type, -1 unknown. */
  declare(name: number, meaning: number, symbol: number, hint: number, position: number, isVar = false): void {
    if (this.frames.length === 0 || (isVar && this.collecting === 0)) {
      this.out.bind(name, symbol, -1, position, hint)
      return
    }
    const at = this.declarations.reserve(DECLARATION)
    const { data } = this.declarations
    data[at] = name
    data[at + 1] = meaning
    data[at + 2] = symbol
    data[at + 3] = hint
    data[at + 4] = position
    data[at + 5] = -1
    this.open.push(at)
    if (isVar) this.hoisted.push(at)
  }

  /** A use of a name. `hint` is a slot to be told what the name is, or -1. */
  use(name: number, position: number, flags: number, meaning: number, hint: number): void {
    const at = this.uses.reserve(USE)
    const { data } = this.uses
    data[at] = name
    data[at + 1] = position
    data[at + 2] = flags
    data[at + 3] = meaning
    data[at + 4] = hint
  }

  /** Closes the innermost scope: its names' uses are settled, the others wait on. */
  leave(): void {
    if (this.frames.pop() === 1) this.functions--
    const hoistedFrom = this.frames.pop()!
    const openFrom = this.frames.pop()!
    const usesFrom = this.frames.pop()!
    const own = this.open.splice(openFrom)
    if (hoistedFrom >= 0) this.collecting--
    if (hoistedFrom >= 0 && this.hoisted.length > hoistedFrom) own.push(...this.hoisted.splice(hoistedFrom))
    if (own.length > 0 && this.uses.length > usesFrom) this.settle(own, usesFrom)
  }

  /** Whether a function scope is open. */
  get inFunction(): boolean {
    return this.functions > 0
  }

  /** Ends the file: what still waits are uses of top-level names. */
  end(): void {
    const { data, length } = this.uses
    for (let at = 0; at < length; at += USE) {
      const binding = this.out.binding(data[at]!)
      this.out.ref(binding, data[at + 1]!, data[at + 2]!)
      const hint = data[at + 4]!
      if (hint >= 0)
        this.out.setHint(hint, data[at + 3] === MEANING.value ? HINT_KIND.binding : HINT_KIND.typed, binding)
    }
  }

  private settle(own: number[], usesFrom: number): void {
    const declared = this.declarations.data
    if (this.marked.length < this.out.names.count) this.marked = new Int32Array(this.out.names.count * 2)
    const { marked } = this
    // Later declarations of a name win; chains are not needed: same names of one scope merge in what they mean.
    for (const at of own) {
      const name = declared[at]!
      const before = marked[name]! - 1
      if (before >= 0 && before !== at) declared[at + 1]! |= this.merge(before, at)
      marked[name] = at + 1
    }
    const { data, length } = this.uses
    let kept = usesFrom
    for (let at = usesFrom; at < length; at += USE) {
      const declaration = marked[data[at]!]! - 1
      if (declaration >= 0 && (declared[declaration + 1]! & data[at + 3]!) !== 0) this.resolve(declaration, at)
      else {
        if (kept !== at) data.copyWithin(kept, at, at + USE)
        kept += USE
      }
    }
    this.uses.length = kept
    for (const at of own) marked[declared[at]!] = 0
  }

  /** Two declarations of one name in one scope are one thing: overloads, a class and its interface, `var` twice. */
  private merge(before: number, at: number): number {
    const { data } = this.declarations
    if (data[at + 2] === -1) data[at + 2] = data[before + 2]!
    else if (data[before + 2] !== -1) data[at + 2] = data[before + 2]!
    if (data[at + 3] === -1) data[at + 3] = data[before + 3]!
    if (data[at + 5] === -1) data[at + 5] = data[before + 5]!
    return data[before + 1]!
  }

  private resolve(declaration: number, use: number): void {
    const { data } = this.declarations
    const uses = this.uses.data
    const symbol = data[declaration + 2]!
    if (symbol >= 0 || this.keepLocals) {
      if (data[declaration + 5] === -1)
        data[declaration + 5] = this.out.nestedBinding(
          data[declaration]!,
          symbol,
          data[declaration + 4]!,
          BINDING_FLAG.nested,
        )
      this.out.ref(data[declaration + 5]!, uses[use + 1]!, uses[use + 2]!)
    }
    const slot = uses[use + 4]!
    if (slot < 0) return
    const isType = uses[use + 3] !== MEANING.value
    if (symbol >= 0) this.out.setHint(slot, isType ? HINT_KIND.self : HINT_KIND.symbol, symbol)
    else if (data[declaration + 3]! >= 0) this.out.setHint(slot, HINT_KIND.alias, data[declaration + 3]!)
  }
}
