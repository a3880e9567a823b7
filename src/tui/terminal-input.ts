// What comes from the terminal, taken apart: keys, pastes, reports. Terminals mark a paste (`?2004`), so whatever is not marked
// was typed, by a hand or by a program, and a line end in it is Enter; only the few terminals that cannot mark a paste show one
// as several lines read at once. The result does not depend on how the bytes were split, but for an ESC that stands at the end.
import { altKey, applicationKey, controlKey, sequenceKey } from './keys.ts'
import type { Pressed } from './keys.ts'

export type TerminalEvent =
  | { type: 'key'; key: Pressed }
  | { type: 'paste'; text: string }
  | { type: 'focus'; inFront: boolean }
  /** The terminal speaks kitty's keyboard protocol. */
  | { type: 'kitty' }

const ESC = '\u001B'
const PASTE_END = `${ESC}[201~`
/** `ESC [ parameters intermediates final`; the Linux console sends `ESC [ [ A` for F1. */
const SEQUENCE = /\[(?:\[.|([0-?]*)[ -/]*([@-Z\\-~]))/y
const SEQUENCE_BEGUN = /\[(?:\[|[0-?]*[ -/]*)$/y
const TEXT = /[^\p{Cc}]+/uy
/** What may be keys of their own or the beginning of a sequence. */
const UNDECIDED = new Set(['', 'O', '['].flatMap((end) => [`${ESC}${end}`, `${ESC}${ESC}${end}`]))
/** Several lines at once. */
const LINES = /[\r\n][^\r\n]*[^\r\n]/

export class TerminalInput {
  private rest = ''
  /** The beginning of a paste whose end has not come. */
  private pasted: string[] | undefined
  private first = true
  private readonly marksPastes: boolean

  /** `marksPastes`: the terminal tells a paste from typing. */
  constructor(marksPastes: boolean) {
    this.marksPastes = marksPastes
  }

  /** Takes in what was read. */
  read(chunk: string): TerminalEvent[] {
    // Before the terminal was in raw mode it gave Enter as a line feed, which from then on is Ctrl+J.
    const text = this.first ? chunk.replaceAll('\n', '\r') : chunk
    this.first = false
    if (!this.marksPastes && this.rest === '' && !text.includes(ESC) && LINES.test(text))
      return [{ type: 'paste', text: text.replaceAll('\r', '\n') }]
    this.rest += text
    const events: TerminalEvent[] = []
    while (this.rest !== '') {
      const length = this.pasted ? this.paste(this.pasted, events) : this.one(events)
      if (length === 0) break
      this.rest = this.rest.slice(length)
    }
    return events
  }

  /** True when what came last may be a key of its own or the beginning of another. */
  get undecided(): boolean {
    return !this.pasted && UNDECIDED.has(this.rest)
  }

  /** Takes what is undecided as keys of its own. */
  decide(): TerminalEvent[] {
    if (!this.undecided) return []
    const [, second, third] = this.rest
    this.rest = ''
    const esc: TerminalEvent = { type: 'key', key: { name: 'esc', text: '' } }
    if (second === undefined) return [esc]
    if (second !== ESC) return [{ type: 'key', key: altKey(second) }]
    return third === undefined ? [esc, esc] : [esc, { type: 'key', key: altKey(third) }]
  }

  /** Takes a paste to its end; gives how much was taken. */
  private paste(begun: string[], events: TerminalEvent[]): number {
    const end = this.rest.indexOf(PASTE_END)
    if (end < 0) {
      // Put aside, so that a paste of megabytes is looked at once; the mark may have begun.
      begun.push(this.rest.slice(0, 1 - PASTE_END.length))
      this.rest = this.rest.slice(1 - PASTE_END.length)
      return 0
    }
    this.pasted = undefined
    events.push({ type: 'paste', text: (begun.join('') + this.rest.slice(0, end)).replaceAll(/\r\n?/g, '\n') })
    return end + PASTE_END.length
  }

  /** Takes one thing from the front; gives its length, 0 while it is not whole. */
  private one(events: TerminalEvent[]): number {
    const { rest } = this
    const char = rest[0]!
    const key = (pressed: Pressed | undefined): void => {
      if (pressed) events.push({ type: 'key', key: pressed })
    }
    if (char === ESC) return this.escape(events)
    TEXT.lastIndex = 0
    const text = TEXT.exec(rest)?.[0]
    if (text !== undefined) {
      key({ name: 'text', text })
      return text.length
    }
    key(controlKey(char, false))
    return 1
  }

  private escape(events: TerminalEvent[]): number {
    const { rest } = this
    const key = (pressed: Pressed | undefined): void => {
      if (pressed) events.push({ type: 'key', key: pressed })
    }
    // Some terminals send ESC before a whole sequence for Alt.
    const alt = rest[1] === ESC && /[[O]/.test(rest[2] ?? '') ? 1 : 0
    const kind = rest[1 + alt]
    if (kind === undefined) return 0
    if (kind === 'O') {
      const letter = rest[2 + alt]
      if (letter === undefined) return 0
      key(withAlt(applicationKey(letter), alt === 1))
      return 3 + alt
    }
    if (kind === '[') {
      SEQUENCE.lastIndex = 1 + alt
      const found = SEQUENCE.exec(rest)
      if (found) {
        const [whole, parameters = '', final = ''] = found
        if (final === '~' && parameters === '200') this.pasted = []
        else if (final === 'I' && parameters === '') events.push({ type: 'focus', inFront: true })
        else if (final === 'O' && parameters === '') events.push({ type: 'focus', inFront: false })
        else if (final === 'u' && parameters.startsWith('?')) events.push({ type: 'kitty' })
        else key(withAlt(sequenceKey(parameters, final), alt === 1))
        return 1 + alt + whole.length
      }
      SEQUENCE_BEGUN.lastIndex = 1 + alt
      if (SEQUENCE_BEGUN.test(rest)) return 0
    }
    if (kind === ESC) {
      // Two of them: whether the second begins something shows with what follows.
      if (rest.length === 2) return 0
      key({ name: 'esc', text: '' })
      return 1
    }
    const char = String.fromCodePoint(rest.codePointAt(1)!)
    key(/\p{Cc}/u.test(char) ? controlKey(char, true) : altKey(char))
    return 1 + char.length
  }
}

const withAlt = (key: Pressed | undefined, alt: boolean): Pressed | undefined =>
  key && alt ? { ...key, name: `alt-${key.name}` } : key
