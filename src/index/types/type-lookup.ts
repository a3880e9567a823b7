// Where the member at a place is declared, found through the types of its receiver.
import { TypeChecker } from './checker.ts'
import { discriminated, nameType, propsOf, setsParameter } from './context.ts'
import { EMPTY, UNKNOWN, type Property, type Type } from './model.ts'
import type { Links } from '../links.ts'
import { keyOf, keyText, nameOffset } from './scope.ts'
import type { Node } from './syntax.ts'
import type { Tables } from '../tables.ts'
import type { Texts } from '../texts.ts'
import { qualified } from './type-nodes.ts'
import { World } from './world.ts'

/** A declaration by file and the offset of its name. */
export interface Declared {
  file: number
  offset: number
  name: string
}

/** Declarations of a member; `isKnown`: the receiver's type was found, so that a member without declarations has none here. */
export interface FoundMember {
  declared: Declared[]
  isKnown: boolean
  /** It is the key of an object literal, which declares a property itself unless a type is expected of it, or an attribute. */
  isKey: boolean
}

/** Answers about one state of the tables. */
export class TypeLookup {
  private world: World
  private checker: TypeChecker

  constructor(world: World) {
    this.world = world
    this.checker = new TypeChecker(world)
  }

  /** Reads the parser and the standard library; files are read when they are needed. */
  static async open(tables: Tables, links: Links, texts: Texts): Promise<TypeLookup> {
    return new TypeLookup(await World.open(tables, links, texts))
  }

  /** Whether so much is kept that another should take its place. */
  get isFull(): boolean {
    return this.world.isFull
  }

  /** Steps that questions took since this was made ready. */
  get spent(): number {
    return this.checker.spent
  }

  /** The member whose name stands at an offset; undefined where none does. */
  memberAt(file: number, offset: number): FoundMember | undefined {
    const { checker } = this
    const node = checker.tree(file)?.at(offset)
    if (!node) return undefined
    checker.begin()
    const asked = receiverOf(checker, node)
    if (!asked) return undefined
    const properties = asked.properties ?? checker.members(asked.type, asked.name)
    const declared: Declared[] = []
    for (const { node: found } of properties)
      if (found && found.tree.file >= 0)
        declared.push({ file: found.tree.file, offset: nameOffset(found), name: asked.name })
    return {
      declared,
      isKnown: !checker.isTired && (asked.type.kind !== 'unknown' || properties.length > 0),
      isKey: node.parent?.kind === 'ObjectProperty' || node.parent?.kind === 'JSXAttribute',
    }
  }
}

interface Asked {
  type: Type
  name: string
  properties?: Property[]
}

/** What a name is a member of. */
function receiverOf(c: TypeChecker, node: Node): Asked | undefined {
  const parent = node.parent
  switch (parent?.kind) {
    case 'StaticMemberExpression':
    case 'PrivateFieldExpression':
      if (parent.get('property') !== node) return undefined
      return { type: c.expression(parent.get('object')!), name: keyText(node) }
    case 'ComputedMemberExpression':
      return node.kind === 'StringLiteral' && parent.get('property') === node
        ? { type: c.expression(parent.get('object')!), name: node.text('value') }
        : undefined
    case 'BindingProperty':
      return { type: c.bound(parent.parent!), name: keyOf(parent) }
    case 'ObjectProperty': {
      const literal = parent.parent!
      if (setsParameter(c, literal)) return { type: UNKNOWN, name: keyOf(parent) }
      return { type: discriminated(c, c.contextual(literal), literal), name: keyOf(parent) }
    }
    case 'JSXAttribute':
      return { type: propsOf(c, parent.parent!), name: keyText(node) }
    case 'JSXMemberExpression':
      return { type: nameType(c, parent.get('object')!), name: keyText(node) }
    case 'AssignmentTargetPropertyProperty':
    case 'AssignmentTargetPropertyIdentifier': {
      const assignment = parent.parent?.parent
      if (assignment?.kind !== 'AssignmentExpression') return undefined
      return { type: c.expression(assignment.get('right')!), name: keyOf(parent) || keyText(node) }
    }
    case 'TSLiteralType': {
      const access = parent.parent
      if (access?.kind !== 'TSIndexedAccessType' || access.get('indexType') !== parent) return undefined
      return { type: c.typed(access.get('objectType'), EMPTY), name: keyText(node) }
    }
    case 'TSQualifiedName': {
      const nodes = qualified(c, parent, parent.parent?.kind === 'TSTypeQuery' ? 'value' : 'type').nodes
      const properties = nodes.map((found) => ({ node: found, env: EMPTY }))
      return { type: { kind: 'unknown' }, name: keyText(node), properties }
    }
    default:
      return undefined
  }
}
