// A number for all that stands in a syntax tree: types, places, flags, words and texts of every node, in the order of the tree.
import type { SyntaxReader } from '../../src/index/languages/typescript/syntax-reader.ts'
import {
  fieldOf,
  fieldNames,
  hasPlace,
  HOLDS,
  TYPE_NAMES,
  type,
  type Field,
} from '../../src/index/languages/typescript/tree.ts'

const T_DATA = type('RawTransferData')
/** Numbers of eight bytes, which nobody reads. */
const UNREAD = new Set(['NumericLiteral.value'])
const FIELDS: Field[][] = TYPE_NAMES.map((name, kind) =>
  fieldNames(kind)
    .filter((field) => !UNREAD.has(`${name}.${field}`))
    .map((field) => fieldOf(kind, field)!),
)

/** The types that have a field, by the field itself; those with the same one at the same place. */
const OWNERS = new Map<Field, Set<string>>()
FIELDS.forEach((fields, kind) => {
  for (const field of fields) OWNERS.set(field, new Set([TYPE_NAMES[kind]!]))
})
const IDENTIFIERS = TYPE_NAMES.filter((name) => fieldOf(type(name), 'name')?.holds === HOLDS.text)
for (const name of IDENTIFIERS) OWNERS.set(fieldOf(type(name), 'name')!, new Set(IDENTIFIERS))

/**
 * Has a reader tell when a field is read of a node that has no such field. `kinds` has the types of the nodes by their position,
 * as `digestOf` finds them.
 */
export function watchTypes(tree: SyntaxReader, kinds: Map<number, Set<string>>, misread: (what: string) => void): void {
  const has = tree.has.bind(tree)
  const seen = (node: number, what: string, isRight: (kind: string) => boolean): void => {
    const found = [...(kinds.get(node) ?? [])]
    if (kinds.size > 0 && !found.some(isRight)) misread(`${what} of ${found.join(' or ') || 'no node'}`)
  }
  tree.has = (node, field) => {
    const owners = OWNERS.get(field)
    if (owners) seen(node, `a field of ${[...owners][0]}`, (kind) => owners.has(kind))
    return has(node, field)
  }
  for (const end of ['start', 'end'] as const) {
    const place = tree[end].bind(tree)
    tree[end] = (node) => {
      seen(node, `the ${end}`, (kind) => hasPlace(type(kind)))
      return place(node)
    }
  }
}

/** FNV-1a over all fields. `kinds` is filled with the types of the nodes by their position. */
export function digestOf(tree: SyntaxReader, kinds: Map<number, Set<string>>): number {
  kinds.clear()

  const found = new Map<number, Set<string>>()
  let hash = 0x811c9dc5
  const add = (value: number): void => {
    hash = Math.imul(hash ^ value, 0x01000193)
  }
  const visit = (kind: number, node: number): void => {
    add(kind)
    if (kind === 0) return
    const before = found.get(node)
    if (before) before.add(TYPE_NAMES[kind]!)
    else found.set(node, new Set([TYPE_NAMES[kind]!]))
    if (hasPlace(kind)) {
      add(tree.start(node))
      add(tree.end(node))
    }
    for (const field of FIELDS[kind]!) {
      if (!tree.has(node, field)) add(-1)
      else if (field.holds === HOLDS.list) {
        add(tree.count(node, field))
        tree.each(node, field, (item, itemKind) => visit(itemKind, item))
      } else if (field.holds === HOLDS.text) {
        for (const char of tree.string(node, field)) add(char.codePointAt(0)!)
      } else if (field.holds === HOLDS.byte) add(tree.byte(node, field))
      else if (field.holds === HOLDS.number) add(tree.number(node, field))
      else visit(tree.kind(node, field), tree.child(node, field))
    }
  }
  visit(T_DATA, tree.program)
  for (const [node, own] of found) kinds.set(node, own)
  return hash
}
