// What the types part knows of a value: as much of TypeScript's types as it takes to find the declaration of a member.
// Nothing is checked; where types are wrong, or computed in ways not followed here, the answer is `unknown`.
import type { Node } from './syntax.ts'

/** What type parameters stand for; `this` is the receiver's own type. */
export type Env = ReadonlyMap<Node | 'this', Type>

export type Type =
  | { kind: 'unknown' }
  | { kind: 'primitive'; name: string }
  | { kind: 'literal'; of: 'string' | 'number'; value: string }
  /** An instance of a class or interface; `nodes` are all its declarations. */
  | { kind: 'instance'; nodes: Node[]; env: Env }
  /** A class, function, enum or namespace itself: all declarations of the name. */
  | { kind: 'value'; nodes: Node[]; env: Env }
  | { kind: 'module'; file: number }
  /** A type literal, mapped type or object literal. */
  | { kind: 'shape'; node: Node; env: Env }
  | { kind: 'function'; node: Node; env: Env }
  | { kind: 'union' | 'intersection'; types: Type[] }
  | { kind: 'tuple'; types: Type[] }
  | { kind: 'parameter'; node: Node }
  | { kind: 'keyof'; of: Type }
  /** The members of a type with (or without) some names. */
  | { kind: 'picked'; of: Type; names: Set<string>; without: boolean }

/** A declaration of a member and what its type is seen in. */
export interface Property {
  /** The declaration; undefined for a name that only a computed type knows. */
  node: Node | undefined
  env: Env
  /** Its type where that is not the declaration's own. */
  type?: () => Type
}

/** A function's declaration, or type, and what it is seen in. */
export interface Signature {
  node: Node
  env: Env
}

/** What a name means: its declarations, or a whole module. */
export interface Referent {
  nodes: Node[]
  module?: number
}

export const UNKNOWN: Type = { kind: 'unknown' }
export const EMPTY: Env = new Map()

export function primitive(name: string): Type {
  return { kind: 'primitive', name }
}

export function union(types: Type[]): Type {
  const parts = flat(types, 'union')
  return parts.length === 1 ? parts[0]! : parts.length === 0 ? UNKNOWN : { kind: 'union', types: parts }
}

export function intersection(types: Type[]): Type {
  const parts = flat(types, 'intersection')
  return parts.length === 1 ? parts[0]! : parts.length === 0 ? UNKNOWN : { kind: 'intersection', types: parts }
}

function flat(types: Type[], kind: 'union' | 'intersection'): Type[] {
  const parts = new Set<Type>()
  for (const type of types) {
    if (type.kind === kind) for (const part of type.types) parts.add(part)
    else if (type.kind !== 'unknown') parts.add(type)
  }
  return [...parts]
}

/** The parts of a union, or the type alone; without null, undefined and the like. */
export function parts(type: Type): Type[] {
  return (type.kind === 'union' ? type.types : [type]).filter(
    (part) => part.kind !== 'unknown' && !(part.kind === 'primitive' && VOID.has(part.name)),
  )
}
const VOID = new Set(['null', 'undefined', 'void', 'never'])

export function extended(env: Env, entries: Iterable<[Node | 'this', Type]>): Env {
  const made = new Map(env)
  for (const [key, value] of entries) made.set(key, value)
  return made
}

/** The parts of the evaluator, which call each other. */
export interface Checker {
  /** Type of an expression. */
  expression(node: Node): Type
  /** Type that an expression is expected to have, from where it stands. */
  contextual(node: Node): Type
  /** Type that a type node means. */
  typed(node: Node | undefined, env: Env): Type
  /** Type of the value that declarations of one name stand for. */
  valueOf(referent: Referent): Type
  /** Instance of the type that declarations of one name stand for. */
  instanceOf(referent: Referent, args: Type[], env: Env): Type
  /** What a pattern, or a name in one, is given. */
  bound(pattern: Node): Type
  members(type: Type, name: string): Property[]
  memberType(type: Type, name: string): Type
  /** Names of all members, as far as they are known. */
  names(type: Type): string[]
  signatures(type: Type, construct?: boolean): Signature[]
  /** What a call or `new` gives. */
  called(node: Node): Type
  /** Type of a call's argument by its parameter. */
  argument(call: Node, index: number): Type
  parameter(signature: Signature, index: number): Type
  returned(signature: Signature): Type
  /** What a function without a declared type gives back. */
  inferred(node: Node): Type
  /** What stands in a list, set, map or other iterable. */
  iterated(type: Type): Type
  element(type: Type, index: Type): Type
  awaited(type: Type): Type
  /** An instance of a type of the standard library. */
  library(name: string, args: Type[]): Type
  resolve(from: Node, name: string, space: 'value' | 'type' | 'namespace'): Referent
  exported(file: number, name: string): Referent
  moduleOf(file: number, spec: string): number
}
