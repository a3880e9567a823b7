// The syntax tree in oxc's buffer, as tables: which children a node has, where, and how to reach them.
import { PLACELESS, SHAPES, STRUCTS } from './layout.ts'

/** How a child is reached from its byte position. */
export const REACH = { skip: 0, node: 1, box: 2, list: 3, some32: 4, some8: 5, choice: 6 } as const

interface Shape {
  reach: number
  /** node: its type. list: stride. some32: word offset. some8: byte offset, which may be that of a field before. */
  a: number
  /** some8: the byte that stands for none. */
  b: number
  /** Shape behind it. */
  inner: number
  /** choice: type by the leading byte; the node is boxed at +8, or stands there where `inline` is set. */
  table: Uint8Array | undefined
  inline?: boolean
}

const structFields = new Map<string, { name: string; offset: number; shape: string }[]>()
for (const line of STRUCTS.trim().split('\n')) {
  const [name, ...fields] = line.split(' ')
  structFields.set(
    name!,
    fields.map((field) => {
      const [, fieldName, offset, shape] = /^(\w+)@(\d+):(\w+)$/.exec(field)!
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

/** Byte offset of a field in its node. */
export function field(struct: string, name: string): number {
  const found = structFields.get(struct)?.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`layout.ts has no field ${struct}.${name}`)
  return found.offset
}

/** Where a field stands and the number of its shape (0 when no node stands behind it); undefined where a type has no such field. */
export function fieldOf(typeNumber: number, name: string): { offset: number; shape: number } | undefined {
  const known = fieldsOf[typeNumber]?.get(name)
  if (known) return known
  const found = structFields.get(TYPE_NAMES[typeNumber]!)?.find((candidate) => candidate.name === name)
  if (!found) return undefined
  const made = { offset: found.offset, shape: shape(found.shape) }
  ;(fieldsOf[typeNumber] ??= new Map<string, { offset: number; shape: number }>()).set(name, made)
  return made
}
const fieldsOf: (Map<string, { offset: number; shape: number }> | undefined)[] = []

/** Shapes by number; 0 is nothing to visit. */
export const shapes: Shape[] = [{ reach: REACH.skip, a: 0, b: 0, inner: 0, table: undefined }]
const shapeNumbers = new Map<string, number>()

/** Number of a shape by its name in layout.ts; 0 when no node stands behind it. */
export function shape(name: string): number {
  const known = shapeNumbers.get(name)
  if (known !== undefined) return known
  const text = shapeTexts.get(name)
  if (text === undefined) {
    if (!structFields.has(name)) return 0
    return addShape(name, { reach: REACH.node, a: type(name), b: 0, inner: 0, table: undefined })
  }
  const [word, ...rest] = text.split(' ')
  if (word === 'box') return wrap(name, REACH.box, 0, 0, rest[0]!)
  if (word === 'vec') return wrap(name, REACH.list, Number(rest[0]), 0, rest[1]!)
  if (word === 'some32') return wrap(name, REACH.some32, Number(rest[0]), 0, rest[1]!)
  if (word === 'some8') return wrap(name, REACH.some8, Number(rest[0]), Number(rest[1]), rest[2]!)
  if (word !== 'enum') return 0
  const inline = !rest[0]!.includes('=Box')
  return addShape(name, { reach: REACH.choice, a: 0, b: 0, inner: 0, table: choiceTable(rest), inline })
}

/** Bytes from one item of a list to the next, by the name of the list's shape. */
export function stride(name: string): number {
  return shapes[shape(name)]!.a
}

function wrap(name: string, reach: number, a: number, b: number, innerName: string): number {
  // Entered before its inner shape: shapes are recursive.
  const number = addShape(name, { reach, a, b, inner: 0, table: undefined })
  shapes[number]!.inner = shape(innerName)
  return number
}

function addShape(name: string, value: Shape): number {
  shapeNumbers.set(name, shapes.length)
  return shapes.push(value) - 1
}

function choiceTable(cases: string[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const entry of cases) {
    const [key, target] = entry.split('=')
    const boxed = target!.startsWith('Box') ? target!.slice(3) : target!
    if (structFields.has(boxed)) table[Number(key)] = type(boxed)
  }
  return table
}

/** Type by leading byte of an enum of layout.ts, e.g. `Expression`; the node is boxed at +8. */
export function choices(name: string): Uint8Array {
  return shapes[shape(name)]!.table!
}

/** Children of each type: pairs of byte offset and shape number, in the order of the tree. */
export const children: Int32Array[] = TYPE_NAMES.map((name) => {
  const fields = structFields.get(name) ?? []
  return Int32Array.from(
    fields
      .map((f) => [f.offset, shape(f.shape)])
      .filter(([, s]) => s !== 0 && s !== undefined)
      .flat(),
  )
})
