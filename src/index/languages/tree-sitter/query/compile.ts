// Makes patterns ready to be matched: names become the ids of a grammar, and children become steps that know what comes next.
import type { Language } from 'web-tree-sitter'
import {
  parseQuery,
  queryError,
  type ChildShape,
  type FieldName,
  type NodeShape,
  type PatternShape,
  type QuerySource,
} from './parse-query.ts'
import { compilePredicates, type TextTest } from './predicates.ts'

/** Type ids of wildcards. */
export const ANY_NAMED = -1
export const ANY = -2
/** Type id of an error in tree-sitter; flat trees have `nodeTypeCount` in its place. */
export const ERROR_TYPE = 0xffff

/** The name of a capture, and its parts before and behind the first dot. */
export interface CaptureName {
  name: string
  role: string
  detail: string
}

/** A node as the matcher looks at it. */
export interface Shape {
  /** Id of its type, ANY_NAMED or ANY. */
  type: number
  /** Id of its field, 0 where that does not matter. */
  field: number
  /** Ids of the fields it must not have. */
  negated: number[] | undefined
  /** Indexes into Query.captures. */
  captures: number[]
  /** The step of its first child that matters. */
  first: Step | undefined
}

/** A child in the order of its siblings. */
export interface Step {
  shapes: Shape[]
  anchored: boolean
  last: boolean
  optional: boolean
  repeated: boolean
  /** Where it fits first is as good as anywhere: it has no captures, no children, and nothing behind it is bound to its place. */
  firstOnly: boolean
  /** Its next sibling, or nothing behind the last one: then it goes on with what comes behind the parent. */
  next: Step | undefined
  parent: Step | undefined
}

export interface Pattern {
  /** Place among all patterns of the language. */
  index: number
  /** What `#set!` says. */
  settings: Partial<Record<string, string>>
  tests: TextTest[]
  /** It can match one node several times with the same captures, or with some of them. */
  repeats: boolean
}

/** A pattern, and the shape of it that can begin at a type of node. */
export interface Entry {
  pattern: Pattern
  step: Step
  shape: Shape
}

/** What a walk must read of a node: all else is left out of flat trees, since each reading is a call into the runtime. */
export interface Wanted {
  /** By type, by field, and by the type of the parent: spans that a pattern captures. */
  spanOfType: Uint8Array
  spanOfField: Uint8Array
  spanUnder: Uint8Array
  /** By the type of the parent: children whose field matters; in `anyFieldUnder` those that are anonymous, too. */
  fieldUnder: Uint8Array
  anyFieldUnder: Uint8Array
}

export interface Query {
  captures: CaptureName[]
  /** The patterns that begin at a type of node, by its id; ERROR is at `errorType`. */
  entries: (Entry[] | undefined)[]
  errorType: number
  /** By type: whether it is a named one. */
  isNamed: Uint8Array
  wanted: Wanted
}

/** Compiles the query files of a language as one. @throws Error that names the file and place of what is not understood */
export function compileQuery(grammar: Language, sources: QuerySource[]): Query {
  return new Compiler(grammar).compile(sources)
}

class Compiler {
  private readonly grammar: Language
  private readonly errorType: number
  private readonly captures: CaptureName[] = []
  private readonly captureIds = new Map<string, number>()
  private readonly wanted: Wanted
  private source!: QuerySource

  constructor(grammar: Language) {
    this.grammar = grammar
    this.errorType = grammar.nodeTypeCount
    const types = this.errorType + 1
    this.wanted = {
      spanOfType: new Uint8Array(types),
      spanOfField: new Uint8Array(grammar.fieldCount + 1),
      spanUnder: new Uint8Array(types),
      fieldUnder: new Uint8Array(types),
      anyFieldUnder: new Uint8Array(types),
    }
  }

  compile(sources: QuerySource[]): Query {
    const { errorType, grammar, captures, wanted } = this
    const entries: Query['entries'] = Array.from({ length: errorType + 1 })
    const isNamed = Uint8Array.from(entries, (_, type) => Number(type === errorType || grammar.nodeTypeIsNamed(type)))
    let index = 0
    for (const source of sources) {
      this.source = source
      for (const pattern of parseQuery(source))
        for (const entry of this.pattern(pattern, index++)) (entries[entry.shape.type] ??= []).push(entry)
    }
    return { captures, entries, errorType, isNamed, wanted }
  }

  private pattern(from: PatternShape, index: number): Entry[] {
    const { shapes } = from
    const step = this.step({ at: from.at, shapes, quantifier: '', anchored: false, last: false }, undefined)
    const names = new Set<string>()
    for (const shape of shapes) gatherCaptures(shape, names)
    const { settings, tests } = compilePredicates(from, names)
    const pattern: Pattern = { index, settings, tests, repeats: mayRepeat(step) }
    for (const [i, shape] of step.shapes.entries()) {
      const { at } = shapes[i]!
      if (shape.type < 0) throw queryError(this.source, at, 'a pattern begins with the type of a node, not with `_`')
      if (shape.field > 0) throw queryError(this.source, at, 'the first node of a pattern has no field')
    }
    return step.shapes.map((shape) => ({ pattern, step, shape }))
  }

  private step(child: ChildShape, parent: Step | undefined): Step {
    const { quantifier } = child
    const step: Step = {
      shapes: [],
      anchored: child.anchored,
      last: child.last,
      optional: quantifier === '?' || quantifier === '*',
      repeated: quantifier === '*' || quantifier === '+',
      firstOnly: false,
      next: undefined,
      parent,
    }
    step.shapes = child.shapes.map((shape) => this.shape(shape, step))
    if (step.repeated && (isCapturing(step) || step.shapes.some(({ first }) => first)))
      throw queryError(this.source, child.at, `what \`${quantifier}\` repeats has no captures and no children`)
    return step
  }

  private shape(from: NodeShape, step: Step): Shape {
    const type = this.type(from)
    const field = from.field ? this.field(from.field) : 0
    const negated = from.negated.map((one) => this.field(one))
    const shape: Shape = {
      type,
      field,
      negated: negated.length > 0 ? negated : undefined,
      captures: from.captures.map((name) => this.capture(name)),
      first: undefined,
    }
    const steps = from.children.map((child) => this.step(child, step))
    shape.first = steps[0]
    for (const [i, one] of steps.entries()) {
      one.next = steps[i + 1]
      one.firstOnly = !isCapturing(one) && !one.shapes.some(({ first }) => first) && !isFollowedClosely(steps, i)
      if (one.next?.anchored && one.shapes.some((sibling) => sibling.type === ANY))
        throw queryError(this.source, from.at, 'an anchor `.` behind `_` is not understood')
    }
    this.want(shape, steps)
    return shape
  }

  /** Notes what a walk must read for this shape. */
  private want(shape: Shape, steps: Step[]): void {
    const { spanOfType, spanOfField, spanUnder, fieldUnder, anyFieldUnder } = this.wanted
    const mark = (types: Uint8Array): void => {
      if (shape.type < 0) types.fill(1)
      else types[shape.type] = 1
    }
    const children = steps.flatMap(({ shapes }) => shapes)
    if (shape.negated || children.some(({ field }) => field > 0)) mark(fieldUnder)
    if (shape.negated || children.some(({ type, field }) => field > 0 && this.canBeAnonymous(type))) mark(anyFieldUnder)
    if (shape.captures.length > 0 && shape.type >= 0) spanOfType[shape.type] = 1
    for (const { type, field, captures } of children)
      if (type < 0 && captures.length > 0) {
        if (field > 0) spanOfField[field] = 1
        else mark(spanUnder)
      }
  }

  private canBeAnonymous(type: number): boolean {
    return type === ANY || (type >= 0 && type !== this.errorType && !this.grammar.nodeTypeIsNamed(type))
  }

  private type({ kind, type, at }: NodeShape): number {
    if (kind === 'any') return ANY
    if (kind === 'any-named') return ANY_NAMED
    const id = this.grammar.idForNodeType(type, kind === 'named')
    if (id === ERROR_TYPE) return this.errorType
    const known = id !== null && this.grammar.nodeTypeIsVisible(id)
    if (known) return id
    const what = kind === 'named' ? `\`(${type})\`` : `\`"${type}"\``
    throw queryError(
      this.source,
      at,
      `the grammar has no node ${what}${id === null ? '' : ' but as a name for several'}`,
    )
  }

  private field({ name, at }: FieldName): number {
    const id = this.grammar.fieldIdForName(name)
    if (id === null) throw queryError(this.source, at, `the grammar has no field \`${name}\``)
    return id
  }

  private capture(name: string): number {
    let id = this.captureIds.get(name)
    if (id === undefined) {
      const dot = name.indexOf('.')
      id = this.captures.length
      this.captures.push({
        name,
        role: dot < 0 ? name : name.slice(0, dot),
        detail: dot < 0 ? '' : name.slice(dot + 1),
      })
      this.captureIds.set(name, id)
    }
    return id
  }
}

function gatherCaptures(shape: NodeShape, names: Set<string>): void {
  for (const name of shape.captures) names.add(name)
  for (const child of shape.children) for (const one of child.shapes) gatherCaptures(one, names)
}

function isCapturing(step: Step): boolean {
  return step.shapes.some((shape) => shape.captures.length > 0 || stepsOf(shape).some(isCapturing))
}

/** Whether a step behind this one is bound to the place this one takes. */
function isFollowedClosely(steps: Step[], from: number): boolean {
  for (const step of steps.slice(from + 1)) {
    if (step.anchored) return true
    if (!step.optional) return false
  }
  return false
}

/**
 * Whether two ways to match a node can capture the same, or one less than the other. Not so where each step captures something
 * that says which node it took, or takes the first that fits.
 */
function mayRepeat(step: Step): boolean {
  if (step.optional) return true
  if (step.firstOnly) return false
  if (!step.shapes.every(isTelling)) return true
  const [one, ...others] = step.shapes
  const overlap = step.shapes.some((a, i) => step.shapes.some((b, j) => i < j && areAlike(a, b)))
  if (overlap || others.some((shape) => captureCount(shape) !== captureCount(one!))) return true
  return step.shapes.some((shape) => stepsOf(shape).some(mayRepeat))
}

/** Whether the captures of a match tell which node this shape took. */
function isTelling(shape: Shape): boolean {
  return shape.captures.length > 0 || stepsOf(shape).some((step) => !step.optional && step.shapes.every(isTelling))
}

/** Whether one node can fit both. */
function areAlike(a: Shape, b: Shape): boolean {
  return (a.type < 0 || b.type < 0 || a.type === b.type) && (a.field === 0 || b.field === 0 || a.field === b.field)
}

function captureCount(shape: Shape): number {
  let count = shape.captures.length
  for (const step of stepsOf(shape)) count += captureCount(step.shapes[0]!)
  return count
}

function stepsOf(shape: Shape): Step[] {
  const steps: Step[] = []
  for (let step = shape.first; step; step = step.next) steps.push(step)
  return steps
}
