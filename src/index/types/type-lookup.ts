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

export class TypeLookup {
  private tables: Tables
  private links: Links
  private texts: Texts
  private world: World | undefined
  private checker: TypeChecker | undefined

  constructor(tables: Tables, links: Links, texts: Texts) {
    this.tables = tables
    this.links = links
    this.texts = texts
  }

  /** Forgets everything: a file changed. */
  reset(): void {
    this.world = undefined
    this.checker = undefined
  }

  /** Makes ready for `memberAt`. */
  async open(): Promise<void> {
    if (!this.world || this.world.isFull) {
      this.world = await World.open(this.tables, this.links, this.texts)
      this.checker = new TypeChecker(this.world)
    }
  }

  /** Steps that questions took since this was made ready. */
  get spent(): number {
    return this.checker?.spent ?? 0
  }

  /** The member whose name stands at an offset; undefined where none does. `open` must have been called for this state. */
  memberAt(file: number, offset: number): FoundMember | undefined {
    const { checker } = this
    if (!checker) return undefined
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
