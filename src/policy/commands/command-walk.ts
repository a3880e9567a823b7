import type { Node } from 'web-tree-sitter'
import { readHeredoc } from './heredoc.ts'
import { dynamicWord, plainWord, type Assignment, type Redirect, type Word } from './segment.ts'
import { TextWalk, type Place } from './text-walk.ts'

/** Constructs that only hold statements; the tokens between them carry no words. */
const CONTAINERS = new Set([
  'program',
  'list',
  'compound_statement',
  'if_statement',
  'elif_clause',
  'else_clause',
  'while_statement',
  'do_group',
  'negated_command',
])
/** Those in which a `cd` may or may not have happened when they end. */
const CONDITIONAL = new Set([
  'if_statement',
  'while_statement',
  'for_statement',
  'case_statement',
  'function_definition',
])
/** Reserved words that the grammar may take for a command's name where it reads a construct differently from bash. */
const NOT_A_NAME = new Set(
  'case coproc do done elif else esac fi for function if in select then until while { } [[ ]]'.split(' '),
)
/** Words like any other to bash outside of `[[ … ]]`, tokens of their own to the grammar. */
const COMPARISONS = new Set(['==', '=~'])

/** Walks the statements of a command's syntax tree. */
export class CommandWalk extends TextWalk {
  run(root: Node): void {
    const lead = this.source.slice(0, root.startIndex) + this.source.slice(root.endIndex)
    if (lead.trim() !== '') this.problem('text outside of any command')
    this.walk(root, { via: [], stdin: 'none' })
  }

  protected walk(node: Node, place: Place): void {
    const folder = this.folder
    this.#walkInner(node, place)
    if (CONDITIONAL.has(node.type) && this.folder !== folder) this.folder = undefined
  }

  #walkInner(node: Node, place: Place): void {
    if (CONTAINERS.has(node.type)) return this.#container(node, place)
    switch (node.type) {
      case 'comment':
        return
      case 'command':
        this.#command(node, place, [])
        return
      case 'declaration_command':
      case 'unset_command':
        this.#declaration(node, place)
        return
      case 'variable_assignment':
      case 'variable_assignments':
        this.#assign(node, place)
        return
      case 'redirected_statement':
        return this.#redirected(node, place)
      case 'pipeline':
        return this.#pipeline(node, place)
      case 'subshell':
        return this.apart(() => this.#container(node, place))
      case 'for_statement':
        return this.#forLoop(node, place)
      case 'case_statement':
        return this.#caseOf(node, place)
      case 'function_definition': {
        const body = node.lastNamedChild
        if (body) this.walk(body, { ...place, via: [...place.via, 'function'] })
        return
      }
      case 'test_command':
        return this.#test(node, place)
      default:
        this.problem(`a construct that is not understood (${node.type})`)
    }
  }

  #container(node: Node, place: Place): void {
    this.checkGaps(node)
    const folder = this.folder
    let alternative = false
    for (const child of node.children) {
      if (!child) continue
      // `!x` and `{x` are words to bash.
      if (/^(?:!|\{|[a-z]+)$/.test(child.type) && /[^\s;()&|<>]/.test(this.source[child.endIndex] ?? ' ')) {
        if (!child.isNamed) this.problem('a reserved word that is joined to another')
      }
      if (child.isNamed) this.walk(child, place)
      else if (child.type === '||' || child.type === '&') alternative = true
      else if (child.type === '((') this.problem('arithmetic with names may run commands')
    }
    if (alternative && this.folder !== folder) this.folder = undefined
    // After `cd x;` without `&&` the next command runs even if there is no x.
    if (node.type === 'list' && this.folder !== folder && !this.#exists()) this.folder = undefined
  }

  #exists(): boolean {
    return this.folder !== undefined && this.options.folderExists?.(this.folder) === true
  }

  #pipeline(node: Node, place: Place): void {
    this.checkGaps(node)
    let stdin = place.stdin
    for (const child of node.namedChildren) {
      if (!child) continue
      const from = stdin
      this.apart(() => this.walk(child, { ...place, stdin: from }))
      if (child.type !== 'comment') stdin = 'pipe'
    }
  }

  /** A simple command; `extra` are redirections, and words written after one, of the statement around it. */
  #command(node: Node, place: Place, extra: readonly Node[]): void {
    this.checkGaps(node)
    const words: Word[] = []
    const assignments: Assignment[] = []
    const redirects: Redirect[] = []
    let end = -1
    const join = (child: Node): void => {
      if (child.startIndex === end) this.problem('words that are joined in a way that is not understood')
      if (end >= 0) this.checkContinuation(end, child.startIndex)
      end = child.endIndex
    }
    const push = (child: Node): void => {
      join(child)
      words.push(this.word(child, place))
    }
    for (const child of [...node.children, ...extra]) {
      if (!child) continue
      if (child.type === 'command_name') {
        if (NOT_A_NAME.has(child.text)) this.problem(`the reserved word ${child.text} where a command should stand`)
        const [name] = child.namedChildren
        if (name && child.namedChildCount === 1) push(name)
        else this.problem("a command's name that is not understood")
      } else if (child.type === 'variable_assignment') {
        end = child.endIndex
        assignments.push(...this.#assignment(child, place))
      } else if (child.type === 'file_redirect') {
        const { redirect, rest } = this.redirect(child, place)
        redirects.push(...redirect)
        for (const word of rest) push(word)
        end = child.endIndex
      } else if (child.type === 'herestring_redirect') {
        redirects.push(this.hereString(child, place))
        end = child.endIndex
      } else if (child.type === 'heredoc_redirect') redirects.push(this.#heredoc(child, place))
      else if (child.isNamed) push(child)
      else if (COMPARISONS.has(child.type)) {
        join(child)
        words.push(plainWord(child.type))
      } else this.problem(`a token that is not understood (${child.type})`)
    }
    this.add({ words, assignments, redirects }, place)
  }

  #assign(node: Node, place: Place): void {
    this.checkGaps(node)
    const list = node.type === 'variable_assignments' ? node.namedChildren : [node]
    const assignments = list.flatMap((child) => (child ? this.#assignment(child, place) : []))
    this.add({ words: [], assignments, redirects: [] }, place)
  }

  #assignment(node: Node, place: Place): Assignment[] {
    const name = node.childForFieldName('name')
    const value = node.childForFieldName('value')
    if (node.type !== 'variable_assignment' || name?.type !== 'variable_name' || !/^[A-Za-z_]\w*$/.test(name.text)) {
      this.problem('an assignment that is not understood')
      return []
    }
    if (value?.type === 'array') {
      this.checkGaps(value)
      for (const item of value.namedChildren) if (item) this.word(item, place)
      return [{ name: name.text, value: dynamicWord('', '(…)') }]
    }
    return [{ name: name.text, value: value ? this.word(value, place) : plainWord('') }]
  }

  /** `export A=b C`, `unset x`: its words as an ordinary command's, its assignments beside them. */
  #declaration(node: Node, place: Place): void {
    this.checkGaps(node)
    const words: Word[] = []
    const assignments: Assignment[] = []
    for (const child of node.children) {
      if (!child) continue
      if (child.type === 'variable_assignment') assignments.push(...this.#assignment(child, place))
      else if (child.isNamed) words.push(this.word(child, place))
      else words.push(plainWord(child.text))
    }
    this.add({ words, assignments, redirects: [] }, place)
  }

  #redirected(node: Node, place: Place): void {
    this.checkGaps(node)
    const [body] = node.namedChildren
    const rest = node.namedChildren.filter((child) => child !== null).slice(1)
    if (body?.type === 'command') return this.#command(body, place, rest)
    if (body?.type === 'file_redirect') return this.bareRedirect(body, place, rest)
    const redirects: Redirect[] = []
    for (const child of rest) {
      if (child.type === 'file_redirect') {
        const { redirect, rest: words } = this.redirect(child, place)
        redirects.push(...redirect)
        if (words.length > 0) this.problem('words after the redirection of a construct')
      } else if (child.type === 'heredoc_redirect') redirects.push(this.#heredoc(child, place))
      else if (child.type === 'herestring_redirect') redirects.push(this.hereString(child, place))
      else this.problem(`a redirection that is not understood (${child.type})`)
    }
    if (redirects.length > 0) this.add({ words: [], assignments: [], redirects }, place)
    const reads = redirects.some((each) => each.kind === 'read')
    const stdin = reads ? 'pipe' : redirects.some((each) => each.kind === 'text') ? 'text' : place.stdin
    if (body) this.walk(body, { ...place, stdin })
  }

  /** `> out` alone, or `> out rm x`: redirections first, the command's words after. */
  protected bareRedirect(node: Node, place: Place, more: readonly Node[] = []): void {
    const redirects: Redirect[] = []
    const words: Word[] = []
    for (const child of [node, ...more]) {
      if (child.type !== 'file_redirect') {
        this.problem(`a redirection that is not understood (${child.type})`)
        continue
      }
      const { redirect, rest } = this.redirect(child, place)
      redirects.push(...redirect)
      for (const word of rest) words.push(this.word(word, place))
    }
    this.add({ words, assignments: [], redirects }, place)
  }

  #heredoc(node: Node, place: Place): Redirect {
    const { text, fault, rest } = readHeredoc(node, this.source)
    if (fault) this.problem(fault)
    for (const part of rest) {
      // What stands on the line after `<<EOF`: more of the pipeline, or the next command of the list.
      if (part.type === 'pipeline')
        for (const child of part.namedChildren) this.#after(child, { ...place, stdin: 'pipe' })
      else this.#after(part, place)
    }
    let hidden = false
    for (const part of node.descendantsOfType('heredoc_body')) {
      for (const child of part?.namedChildren ?? []) {
        if (!child || child.type === 'heredoc_content') continue
        const { value, harmless } = this.word(child, place)
        hidden ||= value === undefined && harmless === undefined
      }
    }
    return { kind: 'text', ...(text === undefined ? {} : { text }), ...(hidden ? { hidden } : {}) }
  }

  #after(node: Node | null, place: Place): void {
    if (!node) return
    if (node.type === 'file_redirect') this.bareRedirect(node, place)
    else if (node.type === 'word' || node.type === 'string') this.problem('words after a here-document')
    else this.walk(node, place)
  }

  #forLoop(node: Node, place: Place): void {
    this.checkGaps(node)
    const name = node.namedChildren.find((child) => child?.type === 'variable_name')?.text ?? ''
    const values: Word[] = []
    for (const child of node.namedChildren) {
      if (!child || child.type === 'variable_name') continue
      if (child.type === 'do_group' || child.type === 'compound_statement') {
        this.noteVariable(name, values)
        this.walk(child, place)
      } else values.push(this.word(child, place))
    }
  }

  #caseOf(node: Node, place: Place): void {
    this.checkGaps(node)
    const [value, ...items] = node.namedChildren
    if (value) this.word(value, place)
    for (const item of items) {
      if (!item || item.type === 'comment') continue
      if (item.type !== 'case_item') this.problem(`a construct that is not understood (${item.type})`)
      this.checkGaps(item)
      let inPattern = true
      for (const child of item.children) {
        if (!child) continue
        if (child.type === ')') inPattern = false
        else if (child.isNamed && inPattern) this.word(child, place)
        else if (child.isNamed) this.walk(child, place)
      }
    }
  }

  /** `[ … ]` and `[[ … ]]` with their operands as words. */
  #test(node: Node, place: Place): void {
    const words: Word[] = []
    // `[a]` is a word to bash, not a test.
    const inner = node.text.replace(/^\[\[?/, '').replace(/\]\]?$/, '')
    if (!/^\s[^]*\s$/.test(inner)) this.problem('brackets that are not understood')
    const visit = (part: Node): void => {
      if (/^(?:binary|unary|parenthesized)_expression$|^test_command$/.test(part.type)) {
        this.checkGaps(part)
        for (const child of part.children) if (child) visit(child)
      } else if (part.isNamed) words.push(this.word(part, place))
      else words.push(plainWord(part.text))
    }
    visit(node)
    const arithmetic = words.some((word) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(word.value ?? ''))
    const operators = /^(?:\[\[|\]\]|-[a-z]{1,2}|&&|\|\||!|[()])$/
    const numbers = words.every(
      (word) => word.harmless === 'number' || operators.test(word.value ?? '') || /^-?\d+$/.test(word.value ?? ''),
    )
    if (node.text.startsWith('[[') && arithmetic && !numbers) this.problem('arithmetic with names may run commands')
    this.add({ words, assignments: [], redirects: [] }, place)
  }
}
