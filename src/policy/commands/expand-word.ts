import { dynamicWord, quoted as quotedText, type Word } from './segment.ts'
import type { Arithmetic, ListNode, ParameterPart, Part, WordNode } from './syntax.ts'

/** Where a word stands: what the shell does to it after the expansions depends on it. */
export type WordRole =
  /** Split, and expanded against file names: an argument, or the target of a redirection. */
  | 'argument'
  /** Neither: an assignment's value, the word of `case`, an operand of `[[`. */
  | 'value'
  /** The same without `~`: a here-document. */
  | 'text'

/** What a word needs of the walk around it. */
export interface WordContext {
  /** Value of `~`; undefined: unknown. */
  home: string | undefined
  /** Walks the commands of a substitution; gives its output when that is certain. */
  substitution(list: ListNode, via: string): string | undefined
  arithmetic(expression: Arithmetic): void
  /** A variable that an expansion sets. */
  set(name: string, value: Word): void
  /** True for a variable that this very command sets. */
  isSet(name: string): boolean
}

/** Variables that only bash sets, to numbers. */
const NUMBERS = new Set('? # $ ! RANDOM SECONDS LINENO EPOCHSECONDS UID PPID'.split(' '))
/** Variables that hold nothing worth hiding. */
const SHOWN = new Set('HOME PWD OLDPWD USER LOGNAME SHELL HOSTNAME LANG TERM OSTYPE PATH'.split(' '))

interface Piece {
  /** Undefined when only the shell will know. */
  text: string | undefined
  many?: boolean
  harmless?: Word['harmless']
}

/** What the program gets for a word, as far as it can be known. */
export function expandWord({ parts }: WordNode, role: WordRole, context: WordContext): Word {
  const pieces = parts.map((part, at) => expandPart(part, role, at === 0 && parts.length === 1, context))
  const tilde = role === 'text' ? 'none' : tildeOf(parts)
  if (tilde === 'unknown') pieces[0] = { text: undefined }
  else if (tilde === 'home') {
    const { text = '' } = pieces[0]!
    pieces[0] = {
      ...pieces[0]!,
      text: context.home === undefined ? undefined : context.home + text.slice(1),
      harmless: 'shown',
    }
  }
  let prefix = ''
  let text = ''
  let known = true
  for (const piece of pieces) {
    if (piece.text === undefined) known = false
    else if (known) prefix += piece.text
    text += piece.text ?? '…'
  }
  const unknown = pieces.filter((piece) => piece.text === undefined)
  const isSame = unknown.every((piece) => piece.harmless !== undefined && piece.harmless === unknown[0]!.harmless)
  const brace = role === 'argument' && hasBraces(parts)
  // `{$a,}b` is a name that is put together.
  const harmless = isSame && !brace ? unknown[0]?.harmless : undefined
  // bash names the pipe so (bash(1), PROCESS SUBSTITUTION).
  if (harmless === 'pipe' && prefix === '') prefix = '/dev/fd/'
  const glob = role === 'argument' && isPattern(parts)
  const many =
    glob || brace || (role === 'argument' && pieces.some((piece) => piece.many)) ? { many: true as const } : {}
  if (brace) {
    const isText = parts.every((part) => part.kind === 'text' && !part.text.includes('$'))
    return { ...dynamicWord(prefix.replace(/\{[^]*/, ''), text), ...(isText ? { harmless: 'shown' } : {}), ...many }
  }
  if (!known) return { ...dynamicWord(prefix, text), ...(harmless ? { harmless } : {}), ...many }
  return { value: text, text: quotedText(text), prefix: text, glob, ...many }
}

/** `~` and `~/…` are the home folder; any other `~` that bash may expand is not known. */
function tildeOf(parts: readonly Part[]): 'none' | 'home' | 'unknown' {
  const [first, ...rest] = parts
  if (first?.kind !== 'text' || first.quoted) return 'none'
  if (first.text === '~' ? rest.length === 0 : first.text.startsWith('~/')) return 'home'
  if (first.text.startsWith('~')) return 'unknown'
  // In what looks like an assignment `~` counts after `=` and `:` (bash(1), Tilde Expansion).
  const isAssignment = /^[A-Za-z_]\w*\+?=/.test(first.text)
  return isAssignment && parts.some((part) => part.kind === 'text' && !part.quoted && /[=:]~|^~/.test(part.text))
    ? 'unknown'
    : 'none'
}

/** `{a,b}` and `{1..3}` become several words; what only resembles them counts as well. */
function hasBraces(parts: readonly Part[]): boolean {
  let text = ''
  for (const part of parts) {
    if (part.kind !== 'text') text += '_'
    else text += part.quoted ? part.text.replaceAll(/[{}]/g, '_') : part.text
  }
  const [open, close] = [text.indexOf('{'), text.lastIndexOf('}')]
  return open >= 0 && /,|\.\./.test(text.slice(open, Math.max(open, close)))
}

/** True when it has a character that makes it a pattern; a bracket does so once it is closed. */
function isPattern(parts: readonly Part[]): boolean {
  const text = parts.map((part) => (part.kind === 'text' && !part.quoted ? part.text : '_')).join('')
  const bracket = text.indexOf('[')
  return /[*?]/.test(text) || (bracket >= 0 && text.includes(']', bracket))
}

function expandPart(part: Part, role: WordRole, isAlone: boolean, context: WordContext): Piece {
  switch (part.kind) {
    case 'text':
      return { text: part.text }
    case 'unknown':
      return { text: undefined }
    case 'parameter':
      return expandParameter(part, role, context)
    case 'commands': {
      const output = context.substitution(part.list, '$(…)')
      const isSplit = role === 'argument' && !part.quoted
      return { text: isSplit ? undefined : output, harmless: 'shown', many: isSplit }
    }
    case 'process':
      context.substitution(part.list, part.via)
      return { text: undefined, harmless: isAlone ? 'pipe' : undefined }
    case 'arithmetic':
      context.arithmetic(part.expression)
      return { text: undefined, harmless: 'number', many: !part.quoted }
  }
}

function expandParameter(part: ParameterPart, role: WordRole, context: WordContext): Piece {
  const { name, argument, quoted, isLength, sets, all } = part
  const value = argument && expandWord(argument, 'value', context)
  if (sets) context.set(name, value!)
  const isShown = value === undefined || value.value !== undefined || value.harmless !== undefined
  return {
    text: undefined,
    many: role === 'argument' && (!quoted || all),
    harmless: isLength ? 'number' : isShown ? harmlessName(name, value !== undefined, context) : undefined,
  }
}

function harmlessName(name: string, isChanged: boolean, context: WordContext): Word['harmless'] {
  if (NUMBERS.has(name)) return isChanged ? 'shown' : 'number'
  return SHOWN.has(name) || context.isSet(name) ? 'shown' : undefined
}
