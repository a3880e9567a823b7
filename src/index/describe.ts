// Turns rows into the plain objects of answers.ts.
import type { SymbolInfo } from './answers.ts'
import { SYMBOL_FLAG, SYMBOL_KINDS } from './kinds.ts'
import { flagsOf, kindOf, placeOf, symbolAt } from './rows.ts'
import { signatureText } from './signature.ts'
import type { Tables } from './tables.ts'
import type { Texts } from './texts.ts'

const MAX_SIGNATURE = 300
const MAX_DOC = 600
export const MAX_LINE_TEXT = 200

export class Describer {
  private tables: Tables
  private texts: Texts

  constructor(tables: Tables, texts: Texts) {
    this.tables = tables
    this.texts = texts
  }

  qualifiedName(file: number, row: number): string {
    const parts: string[] = []
    for (let at = row; at >= 0 && parts.length < 32; at = symbolAt(this.tables, file, at, 'container'))
      parts.push(this.tables.names.text(symbolAt(this.tables, file, at, 'name')))
    return parts.reverse().join('.')
  }

  symbol(file: number, row: number): SymbolInfo {
    const { tables } = this
    this.texts.touch(file)
    const at = (column: Parameters<typeof symbolAt>[3]) => symbolAt(tables, file, row, column)
    const flags = flagsOf(tables, file, row)
    const text = this.texts.text(file) ?? ''
    const docStart = at('docStart')
    // A doc string stands inside (Python), a doc comment before.
    const docEnd = docStart < at('start') ? at('start') : Math.min(docStart + MAX_DOC, at('end'))
    const doc = docStart < 0 ? '' : plainDoc(text.slice(docStart, docEnd))
    return {
      name: tables.names.text(at('name')),
      qualifiedName: this.qualifiedName(file, row),
      kind: SYMBOL_KINDS[kindOf(tables, file, row)]!,
      path: tables.paths[file]!,
      ...placeOf(tables, file, at('nameStart')),
      startLine: placeOf(tables, file, at('start')).line,
      endLine: placeOf(tables, file, Math.max(at('start'), at('end') - 1)).line,
      signature: this.signature(file, row, text),
      visibility: flags & SYMBOL_FLAG.private ? 'private' : flags & SYMBOL_FLAG.protected ? 'protected' : 'public',
      exported: (flags & SYMBOL_FLAG.exported) !== 0,
      isDefault: (flags & SYMBOL_FLAG.default) !== 0,
      async: (flags & SYMBOL_FLAG.async) !== 0,
      static: (flags & SYMBOL_FLAG.static) !== 0,
      readonly: (flags & SYMBOL_FLAG.readonly) !== 0,
      abstract: (flags & SYMBOL_FLAG.abstract) !== 0,
      ...(doc !== '' && { doc }),
    }
  }

  signature(file: number, row: number, text: string): string {
    const start = symbolAt(this.tables, file, row, 'start')
    const bodyStart = symbolAt(this.tables, file, row, 'bodyStart')
    return signatureText(text, { start, bodyStart, kind: kindOf(this.tables, file, row) }, MAX_SIGNATURE)
  }

  /** The line around an offset, without its indentation. */
  lineText(file: number, offset: number): string {
    const text = this.texts.text(file) ?? ''
    const start = text.lastIndexOf('\n', offset - 1) + 1
    const newline = text.indexOf('\n', offset)
    const line = text.slice(start, newline < 0 ? text.length : newline).trim()
    return line.length > MAX_LINE_TEXT ? `${line.slice(0, MAX_LINE_TEXT - 1)}…` : line
  }
}

/** The head of a file is about the file, also where it stands right before a declaration. */
const LICENCE = /\bcopyright\b|\blicen[cs]ed under\b|SPDX-License/i
/** Lines that only draw. */
const RULER = /^[-=*#~_\s]+$/

/** First paragraph of a doc comment without comment signs; empty for the licence of a file. */
export function plainDoc(raw: string): string {
  if (LICENCE.test(raw)) return ''
  const lines: string[] = []
  for (const line of raw.split('\n')) {
    const plain = line
      .trim()
      .replace(/^(?:\/\*\*?|\*\/|\*(?!\/)|\/\/[/!]?|#+!?|--+|;+|'''|""")\s?/, '')
      .replace(/\s*(?:\*\/|'''|""")\s*$/, '')
      .trim()
    if (plain === '' || RULER.test(plain) || plain.startsWith('@') || /^[:\\]?param\b/.test(plain)) {
      if (lines.length > 0) break
      continue
    }
    lines.push(plain)
  }
  return lines.join(' ').slice(0, MAX_DOC)
}
