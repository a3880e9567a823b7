import {
  BINDING,
  BINDING_FLAG,
  EXPORT,
  FILE_FLAG,
  HEAD,
  HERITAGE,
  HINT,
  IMPORT,
  MEMBER,
  MEMBER_NAME,
  sectionStart,
  STRIDE,
  SYMBOL,
  TODO,
  TODO_TAGS,
  type Section,
} from '../../src/index/facts.ts'
import { FactsWriter } from '../../src/index/facts-writer.ts'
import {
  EXPORT_KIND,
  HINT_KIND,
  IMPORT_KIND,
  POSITION_BITS,
  SYMBOL_FLAG,
  SYMBOL_KINDS,
  USE_FLAG,
} from '../../src/index/kinds.ts'
import type { Extract } from '../../src/index/language.ts'

/** Runs an extractor over one file and writes its facts as lines that a person can check against the file. */
export function factsText(extract: Extract, path: string, text: string): string {
  const out = new FactsWriter()
  extract({ path, bytes: Buffer.from(text), text }, out)
  out.endFile()
  const { facts } = out.takeBatch()
  return new FactsPrinter(facts, out, text).print()
}

class FactsPrinter {
  private readonly lineStarts: number[] = [0]
  private readonly facts: Int32Array
  private readonly out: FactsWriter
  private readonly text: string
  constructor(facts: Int32Array, out: FactsWriter, text: string) {
    this.facts = facts
    this.out = out
    this.text = text
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.lineStarts.push(at + 1)
  }

  print(): string {
    const flags = this.facts[HEAD.flags]!
    const words = Object.entries(FILE_FLAG).filter(([, bit]) => flags & bit)
    const lines = [`file: ${['nesting', this.facts[HEAD.nesting], ...words.map(([word]) => word)].join(' ')}`]
    for (let row = 0; row < this.count('symbols'); row++) lines.push(this.symbol(row))
    for (let row = 0; row < this.count('heritage'); row++)
      lines.push(
        `heritage: ${this.symbolName(this.cell('heritage', row, HERITAGE.symbol))}` +
          ` ${this.cell('heritage', row, HERITAGE.implements) ? 'implements' : 'extends'}` +
          ` ${this.hint(this.cell('heritage', row, HERITAGE.hint))}`,
      )
    for (let row = 0; row < this.count('imports'); row++) lines.push(this.import(row))
    for (let row = 0; row < this.count('exports'); row++) lines.push(this.export(row))
    lines.push(...this.todos(), ...this.uses())
    return `${lines.filter((line) => line !== '').join('\n')}\n`
  }

  private symbol(row: number): string {
    const at = (column: keyof typeof SYMBOL): number => this.cell('symbols', row, SYMBOL[column])
    const kind = at('kind')
    const flags = Object.entries(SYMBOL_FLAG).filter(([, bit]) => (kind >> 8) & bit)
    const signature = this.text.slice(at('start'), at('bodyStart')).replace(/\s+/gu, ' ').trim()
    const doc = at('docStart') < 0 ? '' : this.text.slice(at('docStart')).split('\n')[0]!.trim()
    const parts = [
      `${SYMBOL_KINDS[kind & 255]} ${this.symbolName(row)}`,
      `${this.line(at('start'))}-${this.line(Math.max(at('start'), at('end') - 1))}@${this.line(at('nameStart'))}`,
      ...flags.map(([word]) => word),
      at('nesting') > 0 ? `nesting=${at('nesting')}` : '',
      at('hint') < 0 ? '' : `:${this.hint(at('hint'))}`,
    ]
    const head = parts.filter((part) => part !== '').join(' ')
    return `${head} | ${signature.slice(0, 100)}${doc === '' ? '' : ` | ${doc}`}`
  }

  private symbolName(row: number): string {
    const container = this.cell('symbols', row, SYMBOL.container)
    const name = this.name(this.cell('symbols', row, SYMBOL.name))
    return container < 0 ? name : `${this.symbolName(container)} > ${name}`
  }

  private import(row: number): string {
    const cell = (column: keyof typeof IMPORT): number => this.cell('imports', row, IMPORT[column])
    const names = [this.name(cell('imported')), this.name(cell('local'))].filter((name) => name !== '')
    const kind = keyOf(IMPORT_KIND, cell('kind') & 255)
    return `import ${kind} ${this.line(cell('specStart'))}: ${this.name(cell('spec'))} ${names.join(' as ')}`.trim()
  }

  private export(row: number): string {
    const cell = (column: keyof typeof EXPORT): number => this.cell('exports', row, EXPORT[column])
    const kind = keyOf(EXPORT_KIND, cell('kind') & 255)
    // What is declared here is marked at the symbol already.
    if (kind === 'local') return ''
    return `export ${kind}: ${this.name(cell('name'))} ${this.name(cell('local'))} ${this.name(cell('spec'))}`
  }

  private todos(): string[] {
    return Array.from({ length: this.count('todos') }, (_, row) => {
      const start = this.cell('todos', row, TODO.start)
      const tag = TODO_TAGS[this.cell('todos', row, TODO.tag)]
      return `todo ${tag} ${this.line(start)}: ${this.text.slice(start, this.cell('todos', row, TODO.end))}`
    })
  }

  /** One line per name: `use` for what other files may declare, `local` for the rest, `member` with what its receiver is. */
  private uses(): string[] {
    const lines: string[] = []
    for (let row = 0; row < this.count('bindings'); row++) {
      const flags = this.cell('bindings', row, BINDING.flags)
      const first = this.cell('bindings', row, BINDING.refs)
      const last = row + 1 < this.count('bindings') ? this.cell('bindings', row + 1, BINDING.refs) : this.count('refs')
      if (first === last) continue
      const places = Array.from({ length: last - first }, (_, i) => this.place(this.cell('refs', first + i, 0)))
      const word = flags & BINDING_FLAG.nested ? 'local' : flags & BINDING_FLAG.free ? 'free' : 'use'
      lines.push(`${word} ${this.name(this.cell('bindings', row, BINDING.name))}: ${places.join(' ')}`)
    }
    for (let row = 0; row < this.count('memberNames'); row++) {
      const first = this.cell('memberNames', row, MEMBER_NAME.first)
      const end =
        row + 1 < this.count('memberNames')
          ? this.cell('memberNames', row + 1, MEMBER_NAME.first)
          : this.count('members')
      const places = Array.from({ length: end - first }, (_, i) => {
        const hint = this.cell('members', first + i, MEMBER.hint)
        return `${this.place(this.cell('members', first + i, MEMBER.position))}${hint < 0 ? '' : `(${this.hint(hint)})`}`
      })
      lines.push(`member ${this.name(this.cell('memberNames', row, MEMBER_NAME.name))}: ${places.join(' ')}`)
    }
    return lines.sort()
  }

  private place(position: number): string {
    const flags = position >>> POSITION_BITS
    const words = Object.entries(USE_FLAG).filter(([, bit]) => flags & bit)
    return [this.line(position & ((1 << POSITION_BITS) - 1)), ...words.map(([word]) => word)].join('/')
  }

  private hint(row: number): string {
    const kind = keyOf(HINT_KIND, this.cell('hints', row, HINT.kind))
    const a = this.cell('hints', row, HINT.a)
    if (kind === 'binding' || kind === 'typed') return `${kind} ${this.name(this.cell('bindings', a, BINDING.name))}`
    if (kind === 'member') return `${this.hint(a)}.${this.name(this.cell('hints', row, HINT.b))}`
    if (kind === 'call' || kind === 'instance') return `${kind}(${this.hint(a)})`
    return `${kind} ${this.symbolName(a)}`
  }

  private name(id: number): string {
    return this.out.names.text(id)
  }

  private line(offset: number): number {
    let line = 0
    while (line < this.lineStarts.length && this.lineStarts[line]! <= offset) line++
    return line
  }

  private count(section: Section): number {
    return this.facts[HEAD[section]]!
  }

  private cell(section: Section, row: number, column: number): number {
    return this.facts[sectionStart(this.facts, section) + row * STRIDE[section] + column]!
  }
}

function keyOf(table: Record<string, number>, value: number): string {
  return Object.entries(table).find(([, number]) => number === value)?.[0] ?? String(value)
}
