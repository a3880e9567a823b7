// Reads the part of tree-sitter's query language that the index understands (docs/languages.md lists it) into patterns. What is
// not understood is an error that names the file and the place. Does not know any grammar: see compile.ts.

/** What a query is read from; `name` is for error messages. */
export interface QuerySource {
  name: string
  text: string
}

export interface FieldName {
  name: string
  at: number
}

/** A node of the tree as a pattern describes it. */
export interface NodeShape {
  at: number
  /** `named` is `(type)`, `anonymous` `"type"`, `any-named` `(_)`, `any` `_`. */
  kind: 'named' | 'anonymous' | 'any-named' | 'any'
  type: string
  field: FieldName | undefined
  /** Fields the node must not have. */
  negated: FieldName[]
  captures: string[]
  children: ChildShape[]
}

/** One child of a node: any of several shapes. */
export interface ChildShape {
  at: number
  shapes: NodeShape[]
  quantifier: '' | '?' | '*' | '+'
  /** No named node may stand between the child before, or the start of the node, and this one. */
  anchored: boolean
  /** No named node may stand behind it. */
  last: boolean
}

/** `(#match? @name "^--")`: the operator without its `#`. */
export interface PredicateShape {
  at: number
  operator: string
  words: { text: string; capture: boolean }[]
}

/** A pattern: any of several shapes of one node, and what must hold of the texts it captures. */
export interface PatternShape {
  source: QuerySource
  at: number
  shapes: NodeShape[]
  predicates: PredicateShape[]
}

/** Reads all patterns of a query file. @throws Error that names the file, the line and the offset of what is not understood */
export function parseQuery(source: QuerySource): PatternShape[] {
  return new QueryReader(source).read()
}

/** An error in a query file, with the place in words: `symbols.scm:3:14 (offset 97): …`. */
export function queryError(source: QuerySource, at: number, what: string): Error {
  const before = source.text.slice(0, at).split('\n')
  return new Error(`${source.name}:${before.length}:${before.at(-1)!.length + 1} (offset ${at}): ${what}`)
}

const WORD = /[\p{L}\p{N}_.-]+/uy
const SPACE = /(?:\s|;[^\n]*)*/uy
const ESCAPES: Partial<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0' }

class QueryReader {
  private readonly source: QuerySource
  private at = 0
  private predicates: PredicateShape[] = []

  constructor(source: QuerySource) {
    this.source = source
  }

  read(): PatternShape[] {
    const patterns: PatternShape[] = []
    for (this.space(); this.at < this.source.text.length; this.space()) {
      const { at } = this
      this.predicates = []
      const { shapes, quantifier } = this.child()
      if (quantifier !== '') this.fail(at, `a whole pattern cannot have \`${quantifier}\``)
      patterns.push({ source: this.source, at, shapes, predicates: this.predicates })
    }
    return patterns
  }

  /** A node, a list of alternatives or a group of one, with its field before and its quantifier and captures behind. */
  private child(): ChildShape {
    const { at } = this
    const field = this.field()
    const found: ChildShape = { at, shapes: this.shapes(), quantifier: '', anchored: false, last: false }
    if (field)
      for (const shape of found.shapes) {
        if (shape.field) this.fail(at, `a node has one field, not \`${field.name}\` and \`${shape.field.name}\``)
        shape.field = field
      }
    for (this.space(); ; this.space()) {
      const mark = this.source.text[this.at]
      if (mark === '?' || mark === '*' || mark === '+') {
        if (found.quantifier !== '') this.fail(this.at, 'one quantifier is enough')
        found.quantifier = mark
        this.at++
      } else if (mark === '@') {
        this.at++
        const capture = this.word('the name of a capture')
        for (const shape of found.shapes) shape.captures.push(capture)
      } else return found
    }
  }

  private field(): FieldName | undefined {
    const { at } = this
    const name = this.wordIfThere()
    if (name === undefined) return undefined
    this.space()
    if (this.source.text[this.at] === ':') {
      this.at++
      this.space()
      return { name, at }
    }
    this.at = at
    return undefined
  }

  private shapes(): NodeShape[] {
    const { at } = this
    switch (this.source.text[at]) {
      case '[':
        return this.alternatives()
      case '"':
        return [this.shape('anonymous', this.string(), at)]
      case '(':
        this.at++
        this.space()
        return /^[(["]/u.test(this.source.text.slice(this.at, this.at + 1)) ? this.group(at) : [this.node(at)]
      default:
        if (this.wordIfThere() === '_') return [this.shape('any', '_', at)]
        return this.fail(at, 'expected a node: `(type)`, `"text"`, `_`, `[…]`')
    }
  }

  private shape(kind: NodeShape['kind'], type: string, at: number): NodeShape {
    return { at, kind, type, field: undefined, negated: [], captures: [], children: [] }
  }

  private alternatives(): NodeShape[] {
    const shapes: NodeShape[] = []
    this.at++
    for (this.space(); !this.took(']'); this.space()) {
      const one = this.child()
      if (one.quantifier !== '') this.fail(one.at, 'a quantifier belongs behind the `]`, not inside')
      shapes.push(...one.shapes)
    }
    return shapes
  }

  /** Behind its `(`: a pattern and its predicates. */
  private group(at: number): NodeShape[] {
    const { shapes, quantifier } = this.child()
    if (quantifier !== '') this.fail(at, `\`${quantifier}\` belongs behind the group`)
    for (this.space(); !this.took(')'); this.space())
      if (!this.predicate()) this.fail(this.at, 'a group holds one node and its predicates')
    return shapes
  }

  /** Behind its `(`. */
  private node(at: number): NodeShape {
    const type = this.word('the type of a node')
    if (type === 'MISSING') this.fail(at, '`MISSING` is not understood')
    const shape = this.shape(type === '_' ? 'any-named' : 'named', type, at)
    let anchored = false
    for (this.space(); !this.took(')'); this.space()) {
      const begin = this.at
      if (this.predicate()) continue
      if (this.took('!')) shape.negated.push({ name: this.word('the name of a field'), at: begin })
      else if (this.took('.')) anchored = true
      else if (this.took('/')) this.fail(begin, 'subtypes (`(a/b)`) are not understood')
      else {
        const child = this.child()
        child.anchored = anchored
        anchored = false
        shape.children.push(child)
      }
    }
    const last = shape.children.at(-1)
    if (anchored && !last) this.fail(at, 'an anchor `.` needs a child')
    if (anchored && last) last.last = true
    return shape
  }

  /** `(#operator word…)`, if it stands here. */
  private predicate(): boolean {
    const { text } = this.source
    const { at } = this
    const head = /\(\s*#/uy
    head.lastIndex = at
    const open = head.exec(text)
    if (!open) return false
    this.at += open[0].length
    let operator = this.word('the name of a predicate')
    if (text[this.at] === '?' || text[this.at] === '!') operator += text[this.at++]
    const words: PredicateShape['words'] = []
    for (this.space(); !this.took(')'); this.space()) {
      const capture = this.took('@')
      words.push({ text: text[this.at] === '"' ? this.string() : this.word('a word or a string'), capture })
    }
    this.predicates.push({ at, operator, words })
    return true
  }

  private string(): string {
    const { text } = this.source
    const begin = this.at++
    let value = ''
    for (;;) {
      const character = text[this.at++]
      if (character === undefined || character === '\n') return this.fail(begin, 'a string without its end')
      if (character === '"') return value
      if (character === '\\') {
        const escaped = text[this.at++] ?? ''
        value += ESCAPES[escaped] ?? escaped
      } else value += character
    }
  }

  private word(expected: string): string {
    return this.wordIfThere() ?? this.fail(this.at, `expected ${expected}`)
  }

  private wordIfThere(): string | undefined {
    WORD.lastIndex = this.at
    const word = WORD.exec(this.source.text)?.[0]
    // A dot begins no word: it is an anchor.
    if (word === undefined || word.startsWith('.')) return undefined
    this.at += word.length
    return word
  }

  private took(mark: string): boolean {
    if (this.source.text[this.at] !== mark) {
      if (this.at >= this.source.text.length) this.fail(this.at, `\`${mark}\` is missing`)
      return false
    }
    this.at++
    return true
  }

  private space(): void {
    SPACE.lastIndex = this.at
    SPACE.test(this.source.text)
    this.at = SPACE.lastIndex
  }

  private fail(at: number, what: string): never {
    throw queryError(this.source, at, what)
  }
}
