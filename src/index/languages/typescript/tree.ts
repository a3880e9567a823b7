// The syntax tree in oxc's buffer, as tables: which fields a node has, where each stands, how it is told that there is one, and
// what it holds. A field is opaque to those who walk the tree: only SyntaxReader (syntax-reader.ts) reads it, and only after it
// has asked whether there is one, because the parser writes nothing where an optional field is absent.
import { PLACELESS, SHAPES, STRUCTS } from './layout.ts'

/** What stands in a field. */
export const HOLDS = {
  /** A node, in place. */
  node: 0,
  /** The position of a node. */
  box: 1,
  /** A byte for the node's type, and at +8 its position. */
  choice: 2,
  /** A byte for the node's type, and at +8 the node. */
  inlineChoice: 3,
  /** The position of a `choice`. */
  boxedChoice: 4,
  /** Position and number of items. */
  list: 5,
  /** Position and length of UTF-8 bytes. */
  text: 6,
  /** A flag (1 is true) or a word of an enumeration. */
  byte: 7,
  /** A number of four bytes. */
  number: 8,
} as const

/** Stands for no place in `Field.wordAt` and `Field.byteAt`. */
export const NOWHERE = -(2 ** 30)

/** A field of a node type. All places are bytes from the node's begin. */
export interface Field {
  readonly offset: number
  /** The field is absent when the 8 bytes there are 0; NOWHERE when that is not how it is told. */
  readonly wordAt: number
  /** The field is absent when the byte there is `none`; it may be that of a field before. */
  readonly byteAt: number
  readonly none: number
  readonly holds: number
  /** node, box: the type. */
  readonly type: number
  /** Choices: type by the leading byte, 0 for bytes that stand for nothing. */
  readonly table: Uint8Array
  /** list: bytes from one item to the next, and what an item is, as a field at its begin. */
  readonly stride: number
  readonly item: Field | undefined
}

const NO_TABLE = new Uint8Array(256)
const structFields = new Map<string, { name: string; offset: number; shape: string }[]>()
for (const line of STRUCTS.trim().split('\n')) {
  const [name, ...fields] = line.split(' ')
  structFields.set(
    name!,
    fields.map((text) => {
      const [, fieldName, offset, shape] = /^(\w+)@(\d+):(\w+)$/.exec(text)!
      return { name: fieldName!, offset: Number(offset), shape: shape! }
    }),
  )
}
const shapeTexts = new Map<string, string>()
for (const line of SHAPES.trim().split('\n')) {
  const space = line.indexOf(' ')
  shapeTexts.set(line.slice(0, space), line.slice(space + 1))
}

/** Names of the node types; a type's number is its place. 0 is no node. */
export const TYPE_NAMES = ['', ...structFields.keys()]
const typeNumbers = new Map(TYPE_NAMES.map((name, at) => [name, at]))

/** Number of a node type. */
export function type(name: string): number {
  const number = typeNumbers.get(name)
  if (number === undefined) throw new Error(`layout.ts has no node type ${name}`)
  return number
}

const placeless = new Set(PLACELESS.trim().split('\n').map(type))

/** Whether a node of this type begins with its offsets in the text; what stands there in others is something else. */
export function hasPlace(typeNumber: number): boolean {
  return !placeless.has(typeNumber)
}

/** A field by its name; throws where the type has none of that name. */
export function field(struct: string, name: string): Field {
  const found = fieldOf(type(struct), name)
  if (!found) throw new Error(`layout.ts has no field ${struct}.${name}`)
  return found
}

const fieldsOf: Map<string, Field>[] = []

/** A field by its name; undefined where a type has no such field. */
export function fieldOf(typeNumber: number, name: string): Field | undefined {
  let known = fieldsOf[typeNumber]
  if (!known) {
    const own = structFields.get(TYPE_NAMES[typeNumber]!) ?? []
    fieldsOf[typeNumber] = known = new Map(own.map((one) => [one.name, made(one.offset, one.shape)]))
  }
  return known.get(name)
}

/** Names of the fields of a type. */
export function fieldNames(typeNumber: number): string[] {
  return (structFields.get(TYPE_NAMES[typeNumber]!) ?? []).map(({ name }) => name)
}

/** The fields of each type behind which nodes stand, in the order of the tree. */
export const children: readonly (readonly Field[])[] = TYPE_NAMES.map((name, at) =>
  (structFields.get(name) ?? []).map((one) => fieldOf(at, one.name)!).filter(leadsToNodes),
)

function leadsToNodes({ holds, item }: Field): boolean {
  return holds === HOLDS.list ? leadsToNodes(item!) : holds <= HOLDS.boxedChoice
}

/** Makes a field of a shape of layout.ts. */
function made(offset: number, shape: string): Field {
  let [wordAt, byteAt, none] = [NOWHERE, NOWHERE, 0]
  let boxed = false
  // One literal makes all, so that they are of one hidden class: every byte of a tree is read through them.
  const end = (holds: number, typeNumber = 0, table: Uint8Array = NO_TABLE, stride = 0, item?: Field): Field => ({
    offset,
    wordAt,
    byteAt,
    none,
    holds,
    type: typeNumber,
    table,
    stride,
    item,
  })
  for (let name = shape; ;) {
    const [word = '', ...rest] = shapeTexts.get(name)?.split(' ') ?? []
    switch (word) {
      case 'is':
        name = rest[0]!
        continue
      case 'some32':
        wordAt = offset + 4 * Number(rest[0])
        name = rest[1]!
        continue
      case 'some8':
        byteAt = offset + Number(rest[0])
        none = Number(rest[1])
        name = rest[2]!
        continue
      case 'box':
        boxed = true
        name = rest[0]!
        continue
      case 'vec':
        return end(HOLDS.list, 0, NO_TABLE, Number(rest[0]), made(0, rest[1]!))
      case 'enum': {
        const inline = rest.filter((entry) => !entry.includes('=Box')).length
        if (inline > 0 && (boxed || inline < rest.length)) throw new Error(`layout.ts has ${name} partly in place`)
        return end(inline > 0 ? HOLDS.inlineChoice : boxed ? HOLDS.boxedChoice : HOLDS.choice, 0, choiceTable(rest))
      }
      default:
        if (structFields.has(name)) return end(boxed ? HOLDS.box : HOLDS.node, type(name))
        return end(name === 'Str' ? HOLDS.text : name === 'I32' ? HOLDS.number : HOLDS.byte)
    }
  }
}

function choiceTable(cases: string[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const entry of cases) {
    const [key, target] = entry.split('=')
    table[Number(key)] = type(target!.replace(/^Box/, ''))
  }
  return table
}
