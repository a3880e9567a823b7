import type { Node } from 'web-tree-sitter'
import { decodeAnsi } from './ansi-string.ts'
import { dynamicWord, quoted, type Word } from './segment.ts'

/** What a word needs of the walk around it. */
export interface WordContext {
  source: string
  /** Value of `~`; undefined: unknown. */
  home: string | undefined
  /** Judges the commands of a substitution; gives its output when that is certain. */
  substitution(node: Node, via: string): string | undefined
  problem(reason: string): void
  /** True for a variable that this very command sets. */
  isSet(name: string): boolean
}

/** Characters that end a word or expand in bash; one in a bare word means the grammar and bash read it differently. */
const UNQUOTED_SPECIAL = /[\s$`"'();&|<>]/
/** Variables that only bash sets, to numbers. */
const NUMBERS = new Set('? # $ ! RANDOM SECONDS LINENO EPOCHSECONDS UID PPID'.split(' '))
/** Variables that hold nothing worth hiding. */
const SHOWN = new Set('HOME PWD OLDPWD USER LOGNAME SHELL HOSTNAME LANG TERM OSTYPE PATH'.split(' '))
const INTEGERS_ONLY = /^\$?\(\(?[\d\s+*/%()<>=!&|^~?:-]*\)?\)$/

interface Piece {
  /** Undefined when only the shell will know. */
  text: string | undefined
  glob?: boolean
  harmless?: Word['harmless']
}

/** Reads one argument, assignment value or redirection target. */
export function readWord(node: Node, context: WordContext): Word {
  if (/^\{\w+\}$/.test(node.text)) context.problem('a name in braces, which a redirection may set')
  const pieces = readPieces(node, context, true)
  let prefix = ''
  let text = ''
  let known = true
  for (const piece of pieces) {
    if (piece.text === undefined) known = false
    else if (known) prefix += piece.text
    text += piece.text ?? '…'
  }
  const unknown = pieces.filter((piece) => piece.text === undefined)
  const same = unknown.every((piece) => piece.harmless !== undefined && piece.harmless === unknown[0]!.harmless)
  const harmless = same ? unknown[0]?.harmless : undefined
  // bash names the pipe so (bash(1), PROCESS SUBSTITUTION).
  if (harmless === 'pipe' && prefix === '') prefix = '/dev/fd/'
  if (!known) return { ...dynamicWord(prefix, text), ...(harmless ? { harmless } : {}) }
  if (isBraceExpansion(node)) return dynamicWord(prefix.slice(0, prefix.indexOf('{')), text)
  return { value: text, text: quoted(text), prefix: text, glob: pieces.some((piece) => piece.glob) }
}

/** `{a,b}` and `{1..3}` become several words; braces inside quotes do not. */
function isBraceExpansion(node: Node): boolean {
  if (node.type === 'brace_expression') return true
  const bare =
    node.type === 'concatenation'
      ? node.children.filter((part) => part?.type === 'word' || part?.type === 'brace_expression')
      : [node]
  const text = bare.map((part) => part?.text ?? '').join('')
  return (node.type === 'concatenation' || node.type === 'word') && /(?<!\\)\{.*(?:,|\.\.).*\}/s.test(text)
}

function readPieces(node: Node, context: WordContext, first: boolean): Piece[] {
  switch (node.type) {
    case 'word':
    case 'number':
    case 'variable_name':
    case 'special_variable_name':
    case 'test_operator':
    case 'extglob_pattern':
    case 'regex':
      return [readBare(node, context, first)]
    case 'brace_expression':
      return [{ text: node.text }]
    case 'raw_string':
      return [{ text: node.text.slice(1, -1) }]
    case 'ansi_c_string': {
      const decoded = decodeAnsi(node.text.slice(2, -1))
      return [{ text: decoded }]
    }
    case 'string':
      return readString(node, context)
    case 'concatenation':
      return readConcatenation(node, context)
    case 'simple_expansion':
    case 'expansion':
      return [readExpansion(node, context)]
    case 'command_substitution':
      // The grammar joins two of them, and reads backslashes inside in its own way.
      if (node.text.startsWith('`') && (node.text.includes('\\') || context.source.split('`').length > 3)) {
        context.problem('more than one `…`; write $(…) instead')
      }
      return [{ text: context.substitution(node, '$(…)'), harmless: 'shown' }]
    case 'process_substitution':
      context.substitution(node, node.text.startsWith('>') ? '>(…)' : '<(…)')
      return [{ text: undefined, harmless: 'pipe' }]
    case 'arithmetic_expansion':
      // A name in arithmetic is evaluated again: x='a[$(cmd)]'; $((x)) runs cmd.
      if (!INTEGERS_ONLY.test(node.text)) context.problem('arithmetic with names may run commands')
      return [{ text: undefined, harmless: 'number' }]
    default:
      context.problem(`a part that is not understood (${node.type})`)
      return [{ text: undefined }]
  }
}

function readBare(node: Node, context: WordContext, first: boolean): Piece {
  const raw = node.text
  let text = ''
  let glob = false
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at]!
    if (char === '\\') {
      at++
      if (at >= raw.length) context.problem('a backslash at the end')
      else if (raw[at] !== '\n') text += raw[at]
      continue
    }
    if (UNQUOTED_SPECIAL.test(char)) context.problem(`a character that is not understood (${JSON.stringify(char)})`)
    if (char === '*' || char === '?' || char === '[') glob = true
    text += char
  }
  if (!first || !raw.startsWith('~')) return { text, glob }
  if (raw !== '~' && !raw.startsWith('~/')) return { text: undefined }
  return { text: context.home === undefined ? undefined : context.home + text.slice(1), glob, harmless: 'shown' }
}

/** Literal text is taken from the source between the expansions: the grammar leaves out white space and line ends. */
function readString(node: Node, context: WordContext): Piece[] {
  const pieces: Piece[] = []
  let at = node.startIndex + 1
  const end = node.endIndex - 1
  const literal = (to: number): void => {
    const raw = context.source.slice(at, to)
    if (raw === '') return
    if (/^(?:[^\\]|\\[^])*?(?:"|`|\$[\w({@*#?!$-])/.test(raw)) context.problem('a quoted text that is not understood')
    pieces.push({ text: raw.replaceAll(/\\([$`"\\\n])/g, (_, char: string) => (char === '\n' ? '' : char)) })
  }
  for (const child of node.children) {
    if (!child || child.type === 'string_content' || child.type === '"') continue
    // A `$` that expands nothing is its own token.
    if (child.type === '$') continue
    literal(child.startIndex)
    pieces.push(...readPieces(child, context, false))
    at = child.endIndex
  }
  literal(end)
  return pieces.length === 0 ? [{ text: '' }] : pieces
}

function readConcatenation(node: Node, context: WordContext): Piece[] {
  const pieces: Piece[] = []
  let at = node.startIndex
  for (const child of node.children) {
    if (!child) continue
    if (child.startIndex !== at) context.problem('words that are joined in a way that is not understood')
    at = child.endIndex
    // `a$` and `$"text"`: a lone dollar sign.
    if (!child.isNamed && child.type === '$') pieces.push({ text: undefined })
    else if (!child.isNamed && child.type === '``') pieces.push({ text: '' })
    else if (child.startIndex === node.startIndex && child.text === '~') pieces.push({ text: undefined })
    else pieces.push(...readPieces(child, context, child.startIndex === node.startIndex))
  }
  if (at !== node.endIndex) context.problem('words that are joined in a way that is not understood')
  return pieces
}

/** `$x`, `${x}`, and forms whose words are plain; anything that indexes, indirects or evaluates is a problem. */
function readExpansion(node: Node, context: WordContext): Piece {
  if (node.type === 'simple_expansion' && !/^\$(?:\w+|[?#@*!$-])$/.test(node.text)) {
    context.problem('a dollar sign that is not understood')
  }
  if (node.type === 'simple_expansion') return { text: undefined, harmless: harmlessName(node.text.slice(1), context) }
  for (const child of node.descendantsOfType('command_substitution')) {
    if (child) context.substitution(child, '$(…)')
  }
  if (!/^\$\{#?(?:\w+|[?#@*!$-])(?:\[(?:\d+|@|\*)\])?(?:(?::?[-+]|##?|%%?)[^`$\\]*)?\}$/s.test(node.text)) {
    context.problem(`an expansion that may run commands (${node.text.slice(0, 40)})`)
  }
  return {
    text: undefined,
    harmless: harmlessName(node.text.startsWith('${#') ? '#' : node.text.slice(2, -1), context),
  }
}

function harmlessName(name: string, context: WordContext): Word['harmless'] {
  if (NUMBERS.has(name)) return 'number'
  return SHOWN.has(name) || context.isSet(name) ? 'shown' : undefined
}
