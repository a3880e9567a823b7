// Reads commands of the shell language as bash 5 does when it is not interactive (bash(1): SHELL GRAMMAR, REDIRECTION):
// no aliases, no history, no extended patterns. The rules of read-words.ts hold here as well.
import { Unread, WordReader } from './read-words.ts'
import {
  bareText,
  type AssignmentNode,
  type CommandNode,
  type CompoundNode,
  type ItemNode,
  type ListNode,
  type PipelineNode,
  type RedirectNode,
  type SimpleNode,
  type WordNode,
} from './syntax.ts'

/** bash(1), RESERVED WORDS; `in` only means something inside `for` and `case`. */
const RESERVED = new Set(
  '! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while'.split(' '),
)
/** Builtins that take assignments among their words, and read them as such (bash(1), ARRAYS). */
const DECLARES = new Set('declare typeset export readonly local'.split(' '))

const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?)=/
/** `x[…` where an assignment may stand: its index is read in a way of its own. */
const INDEXED = /^[A-Za-z_]\w*\[/
const RESERVED_RUN = /(?:\\\n)*[a-z{}![\]](?:[a-z{}![\]]|\\\n)*/y
const BLANK = /[ \t]*/y
const COMMENT = /#[^\n]*/y
const OPERATOR = /<<<|<<-|<<|<>|<&|<|>>|>\||>&|>|&>>|&>/y
const DELIMITER = /^[\w.:@%+,/-]+$/

export interface Reading {
  list: ListNode
  /** Why the command is asked about. `list` then holds what was read before. */
  unread?: string
  problems: readonly string[]
  bashOnly: boolean
}

/** Reads a text; never throws. */
export function readCommands(text: string): Reading {
  const items: ItemNode[] = []
  const reader = new CommandReader(text, [], 0, 0, items)
  let unread: string | undefined
  try {
    reader.all()
  } catch (error) {
    if (!(error instanceof Unread)) throw error
    unread = error.message
  }
  return {
    list: { items },
    ...(unread === undefined ? {} : { unread }),
    problems: reader.problems,
    bashOnly: reader.bashOnly,
  }
}

class CommandReader extends WordReader {
  readonly #items: ItemNode[]

  constructor(text: string, problems: string[], depth: number, substitutions: number, items: ItemNode[] = []) {
    super(text, problems, depth, substitutions)
    this.#items = items
  }

  protected within(text: string): WordReader {
    return new CommandReader(text, this.problems, this.depth, this.substitutions)
  }

  all(): ListNode {
    this.list(this.#items)
    if (this.at < this.text.length) this.unread(`a ${JSON.stringify(this.next())} that is not understood`)
    if (this.pending.length > 0) this.unread('a here-document without a text')
    return { items: this.#items }
  }

  /** Blanks and a comment; stops at the line's end. */
  #blanks(): void {
    for (;;) {
      this.match(BLANK)
      const { at } = this
      this.skipContinuations()
      if (this.at === at) break
    }
    this.match(COMMENT)
  }

  /** Blanks, comments and ends of lines, with the texts of the here-documents that are due. */
  #lines(): void {
    for (;;) {
      this.#blanks()
      if (this.next() !== '\n') return
      this.at++
      if (this.pending.length > 0) this.#hereDocuments()
    }
  }

  /** A reserved word, if one stands here as a word by itself. */
  #reserved(): { word: string; end: number } | undefined {
    RESERVED_RUN.lastIndex = this.at
    const found = RESERVED_RUN.exec(this.text)?.[0]
    if (found === undefined) return undefined
    const word = found.replaceAll('\\\n', '')
    const end = this.at + found.length
    return RESERVED.has(word) && /^[\s;&|()<>]?$/.test(this.text[end] ?? '') ? { word, end } : undefined
  }

  #take(word: string): void {
    this.#lines()
    const found = this.#reserved()
    if (found?.word !== word) this.unread(`${word} is missing`)
    this.at = found.end
  }

  /** Whether the list ends here: at the end of the text, `)`, `;;`, or a reserved word that closes a construct. */
  #ends(): boolean {
    const char = this.next()
    if (char === '' || char === ')' || (char === ';' && /[;&]/.test(this.next(1)))) return true
    const word = this.#reserved()?.word
    return word !== undefined && /^(?:\}|then|do|done|fi|elif|else|esac)$/.test(word)
  }

  protected list(items: ItemNode[] = []): ListNode {
    for (;;) {
      this.#lines()
      if (this.#ends()) return { items }
      items.push(this.#item())
    }
  }

  /** A list that bash does not take empty. */
  #body(): ListNode {
    const list = this.nested(() => this.list())
    if (list.items.length === 0) this.unread('a construct without a command')
    return list
  }

  #item(): ItemNode {
    const pipelines: PipelineNode[] = [{ operator: 'first', ...this.#pipeline() }]
    for (;;) {
      this.#blanks()
      const operator = this.match(/&&|\|\|/y) as '&&' | '||' | undefined
      if (operator === undefined) break
      this.#lines()
      pipelines.push({ operator, ...this.#pipeline() })
    }
    const end = this.match(/&(?![>&])|;(?![;&])/y)
    this.#noContinuation()
    const last = pipelines.at(-1)!.commands.at(-1)!
    const isOver = end !== undefined || this.next() === '\n' || (this.next() === ';' && this.#ends())
    // `{ (a) }` and `if { a; } then`: what is no simple command ends by itself.
    if (!isOver && !/^\)?$/.test(this.next()) && (last.kind === 'simple' || !this.#ends()))
      this.unread(`a ${JSON.stringify(this.next())} that is not understood`)
    return { pipelines, background: end === '&' }
  }

  /** An operator could go on after `\` and a line's end. */
  #noContinuation(): void {
    if (this.next() === '\\' && this.next(1) === '\n') this.unread('a line continuation behind an operator')
  }

  #pipeline(): Pick<PipelineNode, 'negated' | 'commands'> {
    let negated = false
    for (;;) {
      this.#blanks()
      const found = this.#reserved()
      if (found?.word !== '!' && found?.word !== 'time') break
      this.at = found.end
      if (found.word === '!') {
        negated = true
        continue
      }
      this.bashOnly = true
      this.#blanks()
      const { at } = this
      if (this.match(/-p(?=[ \t])/y) !== undefined) this.#blanks()
      if (this.match(/--(?=[ \t])/y) !== undefined) this.#blanks()
      // Behind an option of `time` not every reserved word is one to bash 5.2.
      if (this.next() === '-' || (this.at > at && this.#reserved()))
        this.unread('an option of time that is not understood')
    }
    const commands = [this.#command()]
    for (;;) {
      this.#blanks()
      const operator = this.match(/\|(?!\|)&?/y)
      if (operator === undefined) return { negated, commands }
      if (operator === '|&') this.bashOnly = true
      this.#noContinuation()
      this.#lines()
      commands.push(this.#command(true))
    }
  }

  #command(piped = false): CommandNode {
    this.#blanks()
    if (this.next() === '(') return this.nested(() => this.#parentheses())
    const found = this.#reserved()
    if (!found || (piped && found.word === 'time')) return this.#simple()
    this.at = found.end
    return this.nested(() => this.#compound(found.word))
  }

  #parentheses(): CommandNode {
    this.at++
    if (this.next() === '(') {
      this.bashOnly = true
      this.at++
      return this.#redirected({ kind: 'arithmetic', expression: this.arithmetic('))') })
    }
    this.#noContinuation()
    const body = this.#body()
    this.#close(')')
    return this.#redirected({ kind: 'subshell', body })
  }

  #close(char: string): void {
    if (this.next() !== char) this.unread(`${char} is missing`)
    this.at++
  }

  #compound(word: string): CommandNode {
    switch (word) {
      case '{': {
        const body = this.#body()
        this.#take('}')
        return this.#redirected({ kind: 'group', body })
      }
      case 'if':
        return this.#if()
      case 'while':
      case 'until': {
        const test = this.#body()
        return this.#redirected({ kind: 'while', test, body: this.#loopBody() })
      }
      case 'for':
      case 'select':
        return this.#for(word)
      case 'case':
        return this.#case()
      case 'function': {
        this.bashOnly = true
        this.#blanks()
        const name = this.word()
        this.#blanks()
        if (this.match(/\([ \t]*\)/y) === undefined && this.next() === '(')
          this.unread('a function that is not understood')
        return this.#function(name)
      }
      case 'coproc': {
        this.bashOnly = true
        if (this.substitutions > 0) this.unread('a coproc in a substitution')
        const body = this.#command()
        // `coproc NAME { …; }` sets NAME.
        if (body.kind === 'simple' && body.words.some((each) => RESERVED.has(bareText(each) ?? '')))
          this.unread('a coproc with a name')
        return { kind: 'coproc', body, redirects: [] }
      }
      case '[[':
        return this.#test()
      default:
        return this.unread(`the reserved word ${word} where a command should stand`)
    }
  }

  #redirected(node: WithoutRedirects<CompoundNode>): CommandNode {
    const redirects: RedirectNode[] = []
    for (;;) {
      this.#blanks()
      const redirect = this.#redirect(this.match(/(?:\d+|\{[A-Za-z_]\w*\})(?=[<>][^(])/y))
      if (!redirect) return { ...node, redirects }
      redirects.push(redirect)
    }
  }

  #if(): CommandNode {
    const branches: { test?: ListNode; body: ListNode }[] = []
    for (;;) {
      const test = this.#body()
      this.#take('then')
      branches.push({ test, body: this.#body() })
      const word = this.#reserved()
      if (word?.word !== 'elif') break
      this.at = word.end
    }
    const word = this.#reserved()
    if (word?.word === 'else') {
      this.at = word.end
      branches.push({ body: this.#body() })
    }
    this.#take('fi')
    return this.#redirected({ kind: 'if', branches })
  }

  #loopBody(): ListNode {
    this.#take('do')
    const body = this.#body()
    this.#take('done')
    return body
  }

  #for(kind: 'for' | 'select'): CommandNode {
    if (kind === 'select') this.bashOnly = true
    this.#blanks()
    if (kind === 'for' && this.match(/\(\(/y) !== undefined) {
      this.bashOnly = true
      const expressions = [this.arithmetic(';'), this.arithmetic(';'), this.arithmetic('))')]
      this.#blanks()
      this.match(/;/y)
      return this.#redirected({ kind: 'for-arithmetic', expressions, body: this.#loopBody() })
    }
    const name = bareText(this.word() ?? { parts: [] })
    if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) this.unread('a loop without a variable')
    this.#blanks()
    if (this.match(/;(?![;&])/y) !== undefined) return this.#redirected({ kind, name, body: this.#loopBody() })
    this.#lines()
    const word = this.#reserved()
    if (word?.word === 'do') return this.#redirected({ kind, name, body: this.#loopBody() })
    if (word?.word !== 'in') this.unread('a loop that is not understood')
    this.at = word.end
    const values = this.#words()
    if (this.match(/;(?![;&])/y) === undefined && this.next() !== '\n') this.unread('a loop that is not understood')
    return this.#redirected({ kind, name, values, body: this.#loopBody() })
  }

  #words(): WordNode[] {
    const words: WordNode[] = []
    for (;;) {
      this.#blanks()
      const word = this.word()
      if (!word) return words
      if (/[<>(]/.test(this.next())) this.unread('a word that is not understood')
      words.push(word)
    }
  }

  #case(): CommandNode {
    this.#blanks()
    const subject = this.word()
    if (!subject || /[<>(]/.test(this.next())) this.unread('a case that is not understood')
    this.#take('in')
    const items: { patterns: WordNode[]; body: ListNode }[] = []
    for (;;) {
      this.#lines()
      const found = this.#reserved()
      if (found?.word === 'esac') {
        this.at = found.end
        return this.#redirected({ kind: 'case', subject: subject, items })
      }
      this.match(/\(/y)
      const patterns: WordNode[] = []
      for (;;) {
        this.#blanks()
        const pattern = this.word()
        if (!pattern || bareText(pattern) === 'esac') this.unread('a pattern that is not understood')
        patterns.push(pattern)
        this.#blanks()
        if (this.match(/\|(?!\|)/y) === undefined) break
        this.#noContinuation()
      }
      this.#close(')')
      const body = this.nested(() => this.list())
      items.push({ patterns, body })
      const end = this.match(/;;&|;;|;&/y)
      if (end === ';&' || end === ';;&') this.bashOnly = true
      this.#noContinuation()
      if (end === undefined && this.#reserved()?.word !== 'esac') this.unread('a case that is not understood')
    }
  }

  #function(word: WordNode | undefined): CommandNode {
    const name = word && bareText(word)
    if (name === undefined || RESERVED.has(name) || !/^[\w.:+@-]+$/.test(name) || /^\d+$/.test(name))
      this.unread('the name of a function is not understood')
    if (!/^[A-Za-z_]\w*$/.test(name)) this.bashOnly = true
    this.#lines()
    const found = this.#reserved()
    if (this.next() !== '(' && found?.word !== '{') this.unread('a function that is not understood')
    const body = this.#command()
    return { kind: 'function', name: name, body, redirects: [] }
  }

  /** `[[ … ]]`: its operands, and operators as plain text. */
  #test(): CommandNode {
    this.bashOnly = true
    const words: (WordNode | string)[] = []
    let open = 0
    for (;;) {
      this.match(/[ \t]*/y)
      this.skipContinuations()
      if (/[ \t]/.test(this.next())) continue
      if (this.next() === '\n') {
        if (this.pending.length > 0) this.unread('a here-document whose line goes on')
        this.at++
        continue
      }
      const operator = this.match(/&&|\|\||\(|\)|[<>](?=[ \t])|!(?=[ \t])/y)
      const isPattern = /^(?:=|==|!=|=~)$/.test(textOf(words.at(-1)))
      if (operator !== undefined) {
        if (isPattern) this.unread('brackets that are not understood')
        if (operator === '(') open++
        if (operator === ')' && --open < 0) this.unread('brackets that are not understood')
        words.push(operator)
        continue
      }
      if (this.next() === '#') this.unread('a comment inside of brackets')
      const word = this.word() ?? this.unread('brackets that are not understood')
      if (bareText(word) === ']]') break
      if (!/[ \t\n]/.test(this.next()) && !(this.next() === ')' && !isPattern))
        this.unread('brackets that are not understood')
      words.push(word)
    }
    if (open > 0 || words.length === 0) this.unread('brackets that are not understood')
    return this.#redirected({ kind: 'test', words })
  }

  #simple(): CommandNode {
    const node = {
      kind: 'simple' as const,
      assignments: [] as AssignmentNode[],
      words: [] as WordNode[],
      declared: [] as AssignmentNode[],
      redirects: [] as RedirectNode[],
    }
    for (;;) {
      this.#blanks()
      const alone = this.#redirect(undefined)
      if (alone) {
        node.redirects.push(alone)
        continue
      }
      const word = this.word()
      if (!word) break
      const redirect = this.#described(word)
      if (redirect) node.redirects.push(redirect)
      else if (this.#addWord(word, node)) return this.#function(word)
    }
    if (this.next() === '(') this.unread('a ( that is not understood')
    if (node.words.length + node.assignments.length + node.redirects.length === 0) this.unread('a command is missing')
    return node
  }

  /** A redirection whose descriptor, or variable for one, was read as a word. */
  #described(word: WordNode): RedirectNode | undefined {
    if (!/[<>]/.test(this.next())) return undefined
    const text = bareText(word)
    return text !== undefined && /^(?:\d+|\{[A-Za-z_]\w*\})$/.test(text) ? this.#redirect(text) : undefined
  }

  /** Adds a word; true when it is the name of a function. */
  #addWord(word: WordNode, node: Writable<SimpleNode>): boolean {
    const [first] = node.words
    const text = word.parts[0]?.kind === 'text' && !word.parts[0].quoted ? word.parts[0].text : ''
    const isDeclaring = first !== undefined && DECLARES.has(bareText(first) ?? '')
    if ((first === undefined || isDeclaring) && INDEXED.test(text)) this.unread('an assignment to a member of a list')
    const found = first === undefined || isDeclaring ? ASSIGNMENT.exec(text) : null
    if (found) {
      const list = isDeclaring ? node.declared : node.assignments
      list.push(this.#assignment(word, found[1]!, found[2] === '+', found[0].length))
      return false
    }
    if (first === undefined && RESERVED.has(bareText(word) ?? '') && bareText(word) !== 'time')
      this.unread(`the reserved word ${text} where a command should stand`)
    node.words.push(word)
    if (node.words.length > 1 || node.assignments.length + node.redirects.length > 0) return false
    this.#blanks()
    return this.match(/\([ \t]*\)/y) !== undefined
  }

  #assignment({ parts }: WordNode, name: string, appends: boolean, length: number): AssignmentNode {
    if (appends) this.bashOnly = true
    const [first, ...rest] = parts
    const text = first?.kind === 'text' ? first.text.slice(length) : ''
    const value: WordNode = { parts: text === '' ? rest : [{ kind: 'text', text, quoted: false }, ...rest] }
    if (this.next() !== '(') return { name, value, appends }
    if (value.parts.length > 0) this.unread('a ( that is not understood')
    this.bashOnly = true
    this.at++
    const elements: WordNode[] = []
    for (;;) {
      this.#blanks()
      if (this.next() === '\n' && this.pending.length === 0) {
        this.at++
        continue
      }
      const element = this.word()
      if (!element) break
      const start = element.parts[0]
      if (start?.kind === 'text' && start.text.startsWith('[')) this.unread('a list with indexes')
      elements.push(element)
    }
    this.#close(')')
    if (!/^[\s;&|)<>]?$/.test(this.next())) this.unread('a list that is not understood')
    return { name, elements, appends }
  }

  /** A redirection, if one stands here. */
  #redirect(descriptor: string | undefined): RedirectNode | undefined {
    if (descriptor === undefined && /[<>]/.test(this.next()) && this.next(1) === '(') return undefined
    const operator = this.match(OPERATOR)
    if (operator === undefined) return undefined
    this.#noContinuation()
    if (operator.startsWith('&') || operator === '<<<' || (descriptor?.length ?? 0) > 1) this.bashOnly = true
    if (/^\d{4}/.test(descriptor ?? '')) this.unread('a redirection that is not understood')
    const variable = descriptor?.startsWith('{') ? { variable: descriptor.slice(1, -1) } : {}
    this.#blanks()
    if (operator === '>&' || operator === '<&') {
      if (this.match(/(?:\d{1,3}-?|-)(?=[\s;&|()]|$)/y) !== undefined) return { kind: 'copy', ...variable }
      // `>&-x` is `>&-` and the word `x`; the target of `>&` is expanded twice (bash 5.2).
      if (operator === '<&' || !/^[\w./]/.test(this.next())) this.unread('a redirection that is not understood')
      this.bashOnly = true
    }
    const target = this.word() ?? this.unread('a redirection without a target')
    if (this.next() === '(') this.unread('a redirection that is not understood')
    if (operator === '>&' && !/^(?=\D)[\w./-]+$/.test(bareText(target) ?? ''))
      this.unread('a redirection that is not understood')
    if (/^<<-?$/.test(operator)) {
      const node = { kind: 'here-document' as const, ...variable }
      this.#expectHereDocument(node, target, operator)
      return node
    }
    if (operator === '<<<') return { kind: 'here-string', target, ...variable }
    return { kind: operator === '<' ? 'read' : 'write', target, ...variable }
  }

  #expectHereDocument(node: RedirectNode & { kind: 'here-document' }, target: WordNode, operator: string): void {
    const texts = target.parts.flatMap((part) => (part.kind === 'text' ? part : []))
    const delimiter = texts.map(({ text }) => text).join('')
    if (texts.length < target.parts.length || !DELIMITER.test(delimiter))
      this.unread('a here-document that is not understood')
    if (this.pending.length > 0) this.unread('a line with two here-documents')
    this.pending.push({ node, delimiter, quoted: texts.some((part) => part.quoted), tabs: operator === '<<-' })
  }

  #hereDocuments(): void {
    for (const { node, delimiter, quoted, tabs } of this.pending) {
      const lines: string[] = []
      for (;;) {
        const end = this.text.indexOf('\n', this.at)
        const raw = this.text.slice(this.at, end < 0 ? undefined : end)
        const line = tabs ? raw.replace(/^\t+/, '') : raw
        this.at = end < 0 ? this.text.length : end + 1
        if (line === delimiter) {
          // The line's end belongs to the commands that follow.
          if (end >= 0) this.at--
          break
        }
        if (end < 0) this.unread('a here-document whose end is not clear')
        if (!quoted && /(?:^|[^\\])(?:\\\\)*\\$/.test(line)) this.unread('a line of a here-document that goes on')
        lines.push(`${line}\n`)
      }
      const text = lines.join('')
      if (quoted) node.body = { parts: text === '' ? [] : [{ kind: 'text', text, quoted: true }] }
      else {
        const reader = this.within(text)
        node.body = this.nested(() => reader.hereText())
        this.bashOnly ||= reader.bashOnly
      }
    }
    this.pending = []
  }
}

function textOf(word: WordNode | string | undefined): string {
  return typeof word === 'object' ? (bareText(word) ?? '') : (word ?? '')
}

type WithoutRedirects<T> = T extends unknown ? Omit<T, 'redirects'> : never
type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }
