import { expandWord, type WordContext, type WordRole } from './expand-word.ts'
import {
  dynamicWord,
  plainWord,
  type Assignment,
  type Problem,
  type Redirect,
  type Segment,
  type VariableSetting,
  type Word,
} from './segment.ts'
import { settingsOf } from './settings.ts'
import type { ParseOptions } from './parse-command.ts'
import type {
  Arithmetic,
  AssignmentNode,
  CommandNode,
  CompoundNode,
  ItemNode,
  ListNode,
  PipelineNode,
  RedirectNode,
  SimpleNode,
  WordNode,
} from './syntax.ts'
import { bareText } from './syntax.ts'
import { Variables } from './variables.ts'
import { visitCommands } from './visit-commands.ts'

/** Where in the text the walk is. */
interface Place {
  via: readonly string[]
  stdin: Segment['stdin']
}

/** Builtins that run a text or a builtin of another name, now or later: what they do to folder and variables is not followed. */
const OPAQUE = new Set('eval source . trap command builtin'.split(' '))
const MOVES = new Set('cd pushd popd'.split(' '))
/** A function of this name would change what the analysis takes for granted. */
const NOT_FOR_FUNCTIONS = new Set(
  ': . [ alias bind break builtin cd command compgen complete continue coproc declare dirs disown echo enable eval exec exit export false fc getopts hash history jobs let local mapfile popd printf pushd pwd read readarray readonly return set shift shopt source test trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
)
const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/

/** Walks what was read, and gathers the simple commands in the order in which bash meets them. */
export class CommandWalk {
  readonly segments: Segment[] = []
  readonly problems: Problem[] = []
  readonly settings: VariableSetting[] = []
  readonly #variables = new Variables()
  readonly #functions = new Set<string>()
  readonly #options: ParseOptions
  #folder: string | undefined = '.'
  /** How many constructs around the place may not come to pass. */
  #conditions = 0
  #opaque = false

  constructor(options: ParseOptions) {
    this.#options = options
  }

  run(list: ListNode): void {
    visitCommands(list, (command) => {
      if (command.kind === 'function') this.#functions.add(command.name)
      else if (command.kind === 'simple' && this.#isOpaque(command)) this.#opaque = true
    })
    this.#list(list, { via: [], stdin: 'none' })
    if (this.#variables.evaluatesText()) this.problem('arithmetic with names may run commands')
  }

  problem(reason: string): void {
    if (!this.problems.some((problem) => problem.reason === reason)) this.problems.push({ reason, hides: true })
  }

  #isOpaque({ words }: SimpleNode): boolean {
    const [first] = words
    return first !== undefined && OPAQUE.has(bareText(first) ?? '.')
  }

  /** Runs part of the walk whose `cd` does not reach what follows. */
  #apart(part: () => void): void {
    const folder = this.#folder
    part()
    this.#folder = folder
  }

  /** Runs part of the walk that may not come to pass. */
  #maybe(part: () => void): void {
    const folder = this.#folder
    this.#conditions++
    part()
    this.#conditions--
    if (this.#folder !== folder) this.#folder = undefined
  }

  #list({ items }: ListNode, place: Place): void {
    for (const item of items) {
      if (item.background) this.#apart(() => this.#item(item, place))
      else this.#item(item, place)
    }
  }

  #item({ pipelines }: ItemNode, place: Place): void {
    const before = this.#folder
    let first = before
    for (const [at, pipeline] of pipelines.entries()) {
      // Behind `||` it is not known how far the commands before it came.
      if (pipeline.operator === '||' && this.#folder !== before) this.#folder = undefined
      if (at > 0) this.#conditions++
      const from = this.#folder
      this.#pipeline(pipeline, place)
      // `! cd x && …` goes on where there is no x, and `a || cd x && …` where a succeeded.
      if ((pipeline.negated || pipeline.operator === '||') && this.#folder !== from) this.#folder = undefined
      if (at > 0) this.#conditions--
      else first = this.#folder
    }
    // After `cd x;` without `&&` the next command runs even if there is no x.
    const isCertain = this.#folder === first && (first === before || this.#exists(first))
    if (!isCertain) this.#folder = undefined
  }

  #exists(folder: string | undefined): boolean {
    return folder !== undefined && this.#options.folderExists?.(folder) === true
  }

  #pipeline({ commands }: PipelineNode, place: Place): void {
    if (commands.length === 1) return this.#command(commands[0]!, place)
    let { stdin } = place
    for (const command of commands) {
      const from = stdin
      this.#conditions++
      this.#apart(() => this.#command(command, { ...place, stdin: from }))
      this.#conditions--
      stdin = 'pipe'
    }
  }

  #command(command: CommandNode, place: Place): void {
    if (command.kind === 'simple') return this.#simple(command, place)
    const redirects = command.redirects.map((redirect) => this.#redirect(redirect, place))
    if (redirects.length > 0 && command.kind !== 'test') this.#add({ words: [], assignments: [], redirects }, place)
    const reads = redirects.some((each) => each.kind === 'read')
    const stdin = reads ? 'pipe' : redirects.some((each) => each.kind === 'text') ? 'text' : place.stdin
    this.#compound(command, { ...place, stdin }, redirects)
  }

  #compound(command: CompoundNode, place: Place, redirects: readonly Redirect[]): void {
    switch (command.kind) {
      case 'group':
        return this.#list(command.body, place)
      case 'subshell':
        return this.#apart(() => this.#list(command.body, place))
      case 'if':
        return this.#maybe(() => {
          for (const { test, body } of command.branches) {
            if (test) this.#list(test, place)
            this.#maybe(() => this.#list(body, place))
          }
        })
      case 'while':
        return this.#loop([command.test, command.body], place)
      case 'for':
      case 'select': {
        const values = command.values?.map((word) => this.#word(word, 'argument', place))
        this.#conditions++
        this.#set(command.name, command.kind, values ?? [dynamicWord()])
        this.#conditions--
        if (command.kind === 'select') this.#set('REPLY', command.kind, [dynamicWord()])
        return this.#loop([command.body], place)
      }
      case 'for-arithmetic':
        for (const expression of command.expressions) this.#arithmetic(expression, place)
        return this.#loop([command.body], place)
      case 'case':
        this.#word(command.subject, 'value', place)
        return this.#maybe(() => {
          for (const { patterns, body } of command.items) {
            for (const pattern of patterns) this.#word(pattern, 'value', place)
            this.#maybe(() => this.#list(body, place))
          }
        })
      case 'function':
        return this.#function(command.name, command.body, place)
      case 'coproc':
        for (const name of ['COPROC', 'COPROC_PID']) this.#set(name, 'coproc', [dynamicWord()])
        return this.#apart(() => this.#command(command.body, { via: [...place.via, 'coproc'], stdin: 'pipe' }))
      case 'test':
        return this.#test(command.words, place, redirects)
      case 'arithmetic':
        return this.#arithmetic(command.expression, place)
    }
  }

  /** The second round starts where the first one ended. */
  #loop(lists: readonly ListNode[], place: Place): void {
    this.#maybe(() => {
      let moves = false
      for (const list of lists) {
        visitCommands(list, (command) => {
          moves ||= command.kind === 'simple' && (this.#isOpaque(command) || this.#moves(command))
        })
      }
      if (moves) this.#folder = undefined
      for (const list of lists) this.#list(list, place)
    })
  }

  #moves({ words: [first] }: SimpleNode): boolean {
    const name = first && bareText(first)
    return name !== undefined && (MOVES.has(name) || this.#functions.has(name))
  }

  /** Its commands run where, and with the input with which, it is called. */
  #function(name: string, body: CommandNode, place: Place): void {
    if (NOT_FOR_FUNCTIONS.has(name)) this.problem(`${name} is made a function`)
    this.#apart(() => {
      this.#maybe(() => {
        this.#folder = undefined
        this.#command(body, { via: [...place.via, 'function'], stdin: 'pipe' })
      })
    })
  }

  #simple(node: SimpleNode, place: Place): void {
    const assignments = node.assignments.map((each) => this.#assignment(each, place))
    const words = node.words.map((word) => this.#word(word, 'argument', place))
    const isExported =
      words[0]?.value === 'export' || words.slice(1).some((word) => /^-[a-zA-Z]*x/.test(word.value ?? word.prefix))
    for (const each of node.declared) {
      assignments.push({ ...this.#assignment(each, place), ...(isExported ? { exported: true as const } : {}) })
    }
    const redirects = node.redirects.map((redirect) => this.#redirect(redirect, place))
    this.#add({ words, assignments, redirects }, place)
  }

  #assignment({ name, value, elements, appends }: AssignmentNode, place: Place): Assignment {
    if (elements) {
      const members = elements.map((each) => this.#word(each, 'argument', place))
      const isHarmless = members.every((each) => each.value !== undefined || each.harmless !== undefined)
      return { name, value: { ...dynamicWord('', '(…)'), ...(isHarmless ? { harmless: 'shown' } : {}) } }
    }
    const word = value && value.parts.length > 0 ? this.#word(value, 'value', place) : plainWord('')
    if (!appends) return { name, value: word }
    const isShown = this.#variables.isShown(name) && (word.value !== undefined || word.harmless !== undefined)
    return { name, value: { ...dynamicWord('', `…${word.text}`), ...(isShown ? { harmless: 'shown' } : {}) } }
  }

  #redirect(node: RedirectNode, place: Place): Redirect {
    if (node.variable !== undefined) this.#set(node.variable, '{name}>', [dynamicWord()])
    if (node.kind === 'copy') return { kind: 'copy' }
    if (node.kind !== 'here-string' && node.kind !== 'here-document')
      return { kind: node.kind, target: this.#word(node.target, 'argument', place) }
    const isLine = node.kind === 'here-string'
    const source = (node.kind === 'here-string' ? node.target : node.body) ?? { parts: [] }
    const word = source.parts.length === 0 ? plainWord('') : this.#word(source, isLine ? 'value' : 'text', place)
    if (word.value !== undefined) return { kind: 'text', text: `${word.value}${isLine ? '\n' : ''}` }
    return { kind: 'text', ...(word.harmless === undefined ? { hidden: true } : {}) }
  }

  /** `[[ … ]]` with its operands as words. */
  #test(nodes: readonly (WordNode | string)[], place: Place, redirects: readonly Redirect[]): void {
    const words = nodes.map((node) => (typeof node === 'string' ? plainWord(node) : this.#word(node, 'value', place)))
    for (const [at, { value }] of words.entries()) {
      if (COMPARES_NUMBERS.test(value ?? ''))
        for (const side of [at - 1, at + 1]) this.#operand(nodes[side], words[side])
      // `-v` takes an index, which is evaluated.
      if (
        (value === '-v' || value === '-R') &&
        !/^\w*$/.test(words[at + 1]?.value ?? (at + 1 < words.length ? '?' : ''))
      )
        this.problem('a name that is evaluated may run commands')
    }
    this.#add({ words: [plainWord('[['), ...words, plainWord(']]')], assignments: [], redirects }, place)
  }

  #operand(node: WordNode | string | undefined, word: Word | undefined): void {
    if (word === undefined || word.harmless === 'number' || /^-?\d+$/.test(word.value ?? '')) return
    const [part] = typeof node === 'object' ? node.parts : []
    const isName = typeof node === 'object' && node.parts.length === 1 && part?.kind === 'parameter' && !part.argument
    if (isName) this.#variables.evaluate([part.name])
    else if (/^[A-Za-z_]\w*$/.test(word.value ?? '')) this.#variables.evaluate([word.value!])
    else this.problem('arithmetic with names may run commands')
  }

  #arithmetic({ names, sets, lists }: Arithmetic, place: Place): void {
    this.#variables.evaluate(names)
    for (const name of sets) this.#set(name, 'arithmetic', [{ ...dynamicWord(), harmless: 'number' }])
    if (this.#opaque && names.length > 0) this.problem('arithmetic with names may run commands')
    for (const list of lists) this.#apart(() => this.#list(list, { via: [...place.via, '$(…)'], stdin: 'none' }))
  }

  #set(name: string, by: string, values: readonly Word[]): void {
    this.settings.push({ name, by })
    this.#variables.note(name, values, this.#conditions === 0)
  }

  #word(node: WordNode, role: WordRole, place: Place): Word {
    const context: WordContext = {
      home: this.#options.home,
      isSet: (name) => this.#variables.isShown(name),
      set: (name, value) => this.#set(name, '${…=…}', [value]),
      arithmetic: (expression) => this.#arithmetic(expression, place),
      substitution: (list, via) => {
        const from = this.segments.length
        this.#conditions++
        this.#apart(() => this.#list(list, { via: [...place.via, via], stdin: 'none' }))
        this.#conditions--
        return this.#outputOf(list, this.segments.slice(from))
      },
    }
    return expandWord(node, role, context)
  }

  /** The output of a substitution where it is certain: `$(cat <<'EOF' … EOF)`; of no other is it. */
  #outputOf(list: ListNode, segments: readonly Segment[]): string | undefined {
    const [only] = segments
    if (segments.length !== 1 || only?.words.length !== 1 || only.words[0]?.value !== 'cat') return undefined
    if (list.items.length !== 1 || this.#opaque || this.#functions.has('cat')) return undefined
    const [redirect] = only.redirects
    if (only.redirects.length !== 1 || redirect?.kind !== 'text' || only.assignments.length > 0) return undefined
    return redirect.text?.replace(/\n+$/, '')
  }

  #add({ words, assignments, redirects }: Pick<Segment, 'words' | 'assignments' | 'redirects'>, place: Place): void {
    let { stdin } = place
    for (const redirect of redirects) {
      if (redirect.kind === 'text') stdin = 'text'
      if (redirect.kind === 'read' && redirect.target?.value !== '/dev/null') stdin = 'pipe'
    }
    this.segments.push({ words, assignments, redirects, via: place.via, stdin, folder: this.#folder })
    const certain = this.#conditions === 0
    for (const { name, value } of assignments) this.#variables.note(name, [value], certain)
    const name = words[0]?.value
    const value: Word = name === 'read' && stdin !== 'text' ? { ...dynamicWord(), harmless: 'shown' } : dynamicWord()
    for (const each of settingsOf({ words })?.settings ?? []) {
      // `export x` changes no value.
      const isKept = each.by === 'export' || each.by === 'readonly'
      if (!isKept) this.#variables.note(each.name, [value], certain)
    }
    this.#move(words, redirects)
  }

  #move(words: readonly Word[], redirects: readonly Redirect[]): void {
    const [first, second] = words
    if (first === undefined) return
    const name = first.value ?? ''
    const isCalled = first.value === undefined || this.#functions.has(name)
    if (isCalled || OPAQUE.has(name) || name === 'pushd' || name === 'popd') {
      // `command -v` only asks.
      if (!/^-[vV]+$/.test(second?.value ?? '') || name !== 'command') this.#folder = undefined
      return
    }
    if (name !== 'cd') return
    if (redirects.some(({ kind, target }) => kind !== 'copy' && target?.value !== '/dev/null')) this.#folder = undefined
    else this.#changeFolder(words.slice(1))
  }

  #changeFolder(args: readonly Word[]): void {
    const targets = args.filter((word) => word.value !== '--' && word.value !== '-L')
    const target = targets.length === 0 ? this.#options.home : targets[0]?.glob ? undefined : targets[0]?.value
    if (target === undefined || targets.length > 1 || target === '' || target.startsWith('-')) this.#folder = undefined
    else if (target.startsWith('/')) this.#folder = target
    else if (this.#folder !== undefined) this.#folder = `${this.#folder}/${target}`
  }
}
