// Reads the words of the shell language as bash 5 does (bash(1): QUOTING, EXPANSION; parse.y of its source for what the
// manual leaves open). Promises: a text is read as bash reads it, or `Unread` is thrown. What is rare is thrown as well:
// each construct that is read here is held against bash by test/proof/shell-fuzz.ts.
import { decodeAnsi } from './ansi-string.ts'
import type { Arithmetic, ListNode, ParameterPart, Part, RedirectNode, WordNode } from './syntax.ts'

/** Thrown where bash may read the text in another way than it is read here. */
export class Unread extends Error {}

/** Constructs within one another; a person writes five or six, and each one is a few calls on the stack. */
const MAX_DEPTH = 60

const ENDS_WORD = /[ \t\n|&;()<>]/
const NAME = /[A-Za-z_]\w*/y
/** Where the text of a word is cut: a quote, an expansion, the word's end. */
const BARE_RUN = /[^ \t\n|&;()<>\\'"$`]+/y
const QUOTED_RUN = /[^"\\$`\n]+/y
const TEXT_RUN = /[^\\$`\n]+/y

interface Pending {
  node: Extract<RedirectNode, { kind: 'here-document' }> & { body?: WordNode }
  delimiter: string
  quoted: boolean
  tabs: boolean
}

/** The text, a place in it, and the words from there. */
export abstract class WordReader {
  /** Reasons why the command is asked about although it was read. */
  readonly problems: string[]
  /** True once something was read that other shells than bash read differently. */
  bashOnly = false
  protected at = 0
  protected readonly text: string
  /** Here-documents whose text starts after the line. */
  protected pending: Pending[] = []
  protected depth: number
  /** How many `$(…)` are around; bash writes those anew from what it read, and not always as it was (bash 5.2). */
  protected substitutions: number

  constructor(text: string, problems: string[], depth: number, substitutions: number) {
    this.text = text
    this.problems = problems
    this.depth = depth
    this.substitutions = substitutions
  }

  /** Reads commands up to the character given, or to the end of the text. */
  protected abstract list(): ListNode
  /** A reader of a text within this one. */
  protected abstract within(text: string): WordReader

  /** Everything in it as one list; the text must end with it. */
  abstract all(): ListNode

  protected problem(reason: string): void {
    if (!this.problems.includes(reason)) this.problems.push(reason)
  }

  protected unread(reason: string): never {
    throw new Unread(reason)
  }

  protected match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  protected next(ahead = 0): string {
    return this.text[this.at + ahead] ?? ''
  }

  /** `\` at a line's end is nothing to bash, wherever it stands outside of quotes. */
  protected skipContinuations(): void {
    while (this.next() === '\\' && this.next(1) === '\n') {
      if (this.pending.length > 0) this.unread('a line that goes on after a here-document')
      this.at += 2
    }
  }

  /** Runs a part that may be nested without end. */
  protected nested<T>(part: () => T): T {
    if (++this.depth > MAX_DEPTH) this.unread('constructs nested too deep')
    const result = part()
    this.depth--
    return result
  }

  /** Reads a word; undefined where none starts. */
  protected word(): WordNode | undefined {
    const parts: Part[] = []
    for (;;) {
      this.skipContinuations()
      const char = this.next()
      if (char === '') break
      if ((char === '<' || char === '>') && this.next(1) === '(') {
        parts.push(this.process(char))
        continue
      }
      if (ENDS_WORD.test(char)) break
      const bare = this.match(BARE_RUN)
      if (bare !== undefined) addText(parts, bare, false)
      else if (char === '\\') {
        if (this.next(1) === '') this.unread('a backslash at the end')
        addText(parts, this.character(1), true)
        this.at += 1 + this.character(1).length
      } else if (char === "'") addText(parts, this.singleQuoted(), true)
      else if (char === '"') this.doubleQuoted(parts)
      else if (char === '$') this.dollar(parts, false)
      else this.backquoted(parts, false)
    }
    return parts.length > 0 ? { parts } : undefined
  }

  /** The whole character, which may be two units of the text. */
  private character(ahead: number): string {
    return String.fromCodePoint(this.text.codePointAt(this.at + ahead)!)
  }

  /** A line's end inside a word, where a here-document is due, is read in more than one way. */
  private checkLines(text: string): void {
    if (this.pending.length > 0 && text.includes('\n')) this.unread('a here-document whose line goes on')
  }

  private singleQuoted(): string {
    const end = this.text.indexOf("'", this.at + 1)
    if (end < 0) this.unread('a quote that is not closed')
    const text = this.text.slice(this.at + 1, end)
    this.checkLines(text)
    this.at = end + 1
    return text
  }

  private doubleQuoted(parts: Part[]): void {
    this.at++
    addText(parts, '', true)
    for (;;) {
      const char = this.next()
      if (char === '') this.unread('a quote that is not closed')
      if (char === '"') break
      this.quotedPart(parts, '"', QUOTED_RUN)
    }
    this.at++
  }

  /** The text of a here-document whose delimiter is not quoted. */
  hereText(): WordNode {
    const parts: Part[] = []
    while (this.at < this.text.length) this.quotedPart(parts, '', TEXT_RUN)
    return { parts }
  }

  private quotedPart(parts: Part[], quote: string, run: RegExp): void {
    const char = this.next()
    const text = this.match(run)
    if (text !== undefined) return addText(parts, text, true)
    if (char === '$') return this.dollar(parts, true)
    if (char === '`') return this.backquoted(parts, true)
    if (char === '\n') {
      this.checkLines(char)
      this.at++
      return addText(parts, char, true)
    }
    // A backslash, which only some characters need (bash(1), Double Quotes).
    const after = this.next(1)
    this.at += 2
    if (after === '\n') return this.checkLines(after)
    if (after === '') this.unread('a backslash at the end')
    const isEscape = '$`\\'.includes(after) || after === quote
    if (isEscape) return addText(parts, after, true)
    this.at--
    addText(parts, '\\', true)
  }

  private dollar(parts: Part[], quoted: boolean): void {
    const char = this.next(1)
    if (char === '\\' && this.next(2) === '\n') this.unread('a line continuation inside an expansion')
    if (char === '(') {
      if (this.next(2) === '\\' && this.next(3) === '\n') this.unread('a line continuation inside an expansion')
      if (this.next(2) !== '(') {
        this.at += 2
        parts.push({ kind: 'commands', list: this.substitution(), quoted })
        return
      }
      this.at += 3
      parts.push({ kind: 'arithmetic', expression: this.nested(() => this.arithmetic('))')), quoted })
      return
    }
    if (char === '{') return void parts.push(this.braced(quoted))
    if (char === '[') this.unread('the old form of arithmetic, $[…]')
    if (!quoted && char === "'") return this.ansi(parts)
    if (!quoted && char === '"') this.unread('a text that is translated, $"…"')
    this.at++
    const name = this.match(NAME) ?? this.match(/[\d@*#?$!-]/y)
    if (name === undefined) return addText(parts, '$', quoted)
    if (this.next() === '\\' && this.next(1) === '\n') this.unread('a line continuation inside an expansion')
    parts.push({ kind: 'parameter', name, quoted, isLength: false, sets: false, all: name === '@' })
  }

  /** `$'…'`: a backslash keeps the next character, the closing quote included. */
  private ansi(parts: Part[]): void {
    this.bashOnly = true
    this.at += 2
    const text = this.match(/(?:[^'\\]|\\[^])*/y) ?? ''
    if (this.next() !== "'") this.unread('a quote that is not closed')
    this.checkLines(text)
    this.at++
    const decoded = decodeAnsi(text)
    if (decoded === undefined) parts.push({ kind: 'unknown' })
    else addText(parts, decoded, true)
  }

  private substitution(): ListNode {
    const { pending, at } = this
    this.pending = []
    this.substitutions++
    const list = this.nested(() => this.list())
    this.substitutions--
    if (this.next() !== ')') this.unread('a substitution that is not closed')
    if (this.pending.length > 0) this.unread('a here-document that ends with its substitution')
    this.pending = pending
    this.checkLines(this.text.slice(at, this.at))
    this.at++
    return list
  }

  private process(char: '<' | '>'): Part {
    this.bashOnly = true
    this.at += 2
    const list = this.substitution()
    if (list.items.length === 0) this.unread('a process substitution without a command')
    return { kind: 'process', list, via: `${char}(…)` }
  }

  /** Its text ends at the next backquote, whatever quotes stand in between; backslashes are read twice, so not here. */
  private backquoted(parts: Part[], quoted: boolean): void {
    const end = this.text.indexOf('`', this.at + 1)
    if (end < 0) this.unread('a quote that is not closed')
    const text = this.text.slice(this.at + 1, end)
    if (text.includes('\\') || text.includes('<<'))
      this.unread('`…` with a backslash or here-document; write $(…) instead')
    // Braces are looked for in the text as if the inner quote ended the outer one.
    if (quoted && text.includes('"')) this.unread('quotes in `…` in quotes; write $(…) instead')
    this.checkLines(text)
    const reader = this.within(text)
    const list = this.nested(() => reader.all())
    this.bashOnly ||= reader.bashOnly
    parts.push({ kind: 'commands', list, quoted })
    this.at = end + 1
  }

  /** `${…}` (bash(1), Parameter Expansion). */
  private braced(quoted: boolean): ParameterPart {
    this.at += 2
    const part: ParameterPart = { kind: 'parameter', name: '', quoted, isLength: false, sets: false, all: false }
    const length = this.match(/#(?:[A-Za-z_]\w*(?:\[[@*]\])?|\d+|[@*])?(?=\})/y)
    if (length !== undefined) {
      this.at++
      return { ...part, name: '#', isLength: true }
    }
    if (this.match(/!(?=[A-Za-z_]\w*(?:\[[@*]\]|[@*])?\})/y) !== undefined) {
      this.problem('an expansion that may run commands (${!…})')
      this.bashOnly = true
    }
    part.name = this.match(NAME) ?? this.match(/\d+|[@*#?$!-]/y) ?? this.unread('an expansion that is not understood')
    part.all = part.name === '@'
    const index = this.match(/\[[^\]\\'"`(){}<>\n]*\]|[@*](?=\})/y)
    if (index !== undefined) {
      this.bashOnly = true
      part.all = true
      if (!/^\[(?:\d+|@|\*)\]$|^[@*]$/.test(index)) this.problem('an index may run commands')
    }
    if (this.match(/\}/y) !== undefined) return part
    const operator = this.match(/:?[-=+?]|##?|%%?|\/\/?|\^\^?|,,?/y)
    if (operator !== undefined) {
      // `${!#}` and `${#-}` are other expansions than they look.
      if (part.name === '!' || part.name === '#') this.unread('an expansion that is not understood')
      if (/^[/^,]/.test(operator)) this.bashOnly = true
      part.sets = operator.endsWith('=')
      part.argument = this.nested(() => this.bracedArgument(quoted))
      return part
    }
    this.bashOnly = true
    const rest = this.match(/:[^}'"`\\{<\n]*\}|@[A-Za-z]\}/y) ?? this.unread('an expansion that is not understood')
    if (!/^:[-\d: ]+\}$|^@[QEUuL]\}$/.test(rest)) this.problem(`an expansion that may run commands (${rest})`)
    return part
  }

  /** The word of `${x:-word}`, up to its brace. */
  private bracedArgument(quoted: boolean): WordNode {
    const parts: Part[] = []
    for (;;) {
      const char = this.next()
      if (char === '}') break
      const run = this.match(/[^}{'"\\$`<>\n~]+/y)
      if (run !== undefined) addText(parts, run, quoted)
      else if (char === '$' && !/['"]/.test(this.next(1))) this.dollar(parts, quoted)
      else if (char === '`') this.backquoted(parts, quoted)
      else if (char === "'" && !quoted) addText(parts, this.singleQuoted(), true)
      else if (char === '"' && !quoted) this.doubleQuoted(parts)
      else if (char === '\\' && /[^\n'"`$]/.test(this.next(1))) {
        addText(parts, this.character(1), true)
        this.at += 1 + this.character(1).length
      } else this.unread('an expansion that is not understood')
    }
    this.at++
    return { parts }
  }

  /** Reads an expression up to `end`, which is behind it then. Quotes in it are read in more ways than one. */
  protected arithmetic(end: '))' | ';'): Arithmetic {
    const start = this.at
    const lists: ListNode[] = []
    let open = 0
    let text = ''
    for (;;) {
      const char = this.next()
      if (open === 0 && char === ')' && end === '))' && this.next(1) === ')') break
      if (open === 0 && char === ';' && end === ';') break
      if (char === '(') open++
      else if (char === ')' && --open < 0) this.unread('arithmetic that is not closed')
      if (char === '$' && this.next(1) === '(') {
        const parts: Part[] = []
        this.dollar(parts, true)
        const [part] = parts
        if (part?.kind === 'commands') lists.push(part.list)
        this.problem('arithmetic with names may run commands')
        text += '0'
        continue
      }
      if (!/[\w\s+*/%<>=!&|^~?:,()$#{}[\]-]/.test(char) || char === '') this.unread('arithmetic that is not understood')
      text += char
      this.at++
    }
    this.checkLines(this.text.slice(start, this.at))
    this.at += end.length
    return { ...namesOf(text, () => this.problem('arithmetic with names may run commands')), lists }
  }
}

/** Variables an expression reads and may set; indexes and expansions of other kinds are told. */
export function namesOf(text: string, tell: () => void): Omit<Arithmetic, 'lists'> {
  // A parameter by number may hold anything, so it is a name that nothing sets.
  const plain = text
    .replaceAll(/\$[?#$!]|\$\{#\w*\}/g, '0')
    .replaceAll(/\$(?:\d|\{\d+\})/g, '_')
    .replaceAll(/\$\{(\w+)\}|\$(\w+)/g, '$1$2')
  if (/[$#{}[\]]/.test(plain.replaceAll(/\b\d+#\w+/g, '0'))) tell()
  const names = [...new Set(plain.replaceAll(/\b\d+#\w+/g, '0').match(/\b[A-Za-z_]\w*/g))]
  const isSetting = /\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=/.test(plain)
  return { names, sets: isSetting ? names : [] }
}

/** Adds text; that of one kind stays one part. */
function addText(parts: Part[], text: string, quoted: boolean): void {
  const last = parts.at(-1)
  if (last?.kind === 'text' && last.quoted === quoted) parts[parts.length - 1] = { ...last, text: last.text + text }
  else parts.push({ kind: 'text', text, quoted })
}
