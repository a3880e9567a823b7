import type { Judge } from './judge-calls.ts'
import { isWord, isWordStart, type Reader, type Wait } from './reader.ts'
import type { TagFilter } from './tag-filter.ts'
import { readTag } from './tags.ts'
import { thinkEndTag, Thought } from './thinking.ts'

const NEWLINE = 10
const TICK = 96
const ANGLE = 60
const BRACKET = 91
const END_BRACKET = 93
const BRACE = 123
const TRIANGLE = 0x25c1
const MAX_TICKS = 64
const MAX_SPACE = 200

/** More finds, or more beginnings that came to nothing, are the noise of a model that repeats itself. */
const MAX_UNITS = 200
const MAX_FAILED = 1000

export const isGap = (code: number): boolean => code === 32 || code === 9
const isBlank = (code: number): boolean => isGap(code) || code === NEWLINE || code === 13
const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 0x201c
/** What can stand after `<` where markup begins. */
export const opensMarkup = (code: number): boolean =>
  isWordStart(code) || code === 47 || code === 124 || code === 0xff5c || code === 33

/** The same with the character after it: a bar alone opens nothing, and no name has only one letter, though a prefix may (`m:`, `m|`). */
const mayOpenMarkup = (code: number, next: number): boolean => {
  if (!opensMarkup(code)) return false
  if (isWordStart(code)) return isWord(next) || next === 58 || next === 124
  return (code !== 124 && code !== 0xff5c) || next !== 60
}

/** The ASCII characters at which a run of text is looked at more closely: always, or only where calls can begin. */
const ALWAYS = 1
const WHERE_CALLS = 2
const STOPS = new Uint8Array(128)
for (const code of [NEWLINE, TICK]) STOPS[code] = ALWAYS
for (const code of [ANGLE, BRACKET, END_BRACKET, BRACE]) STOPS[code] = WHERE_CALLS
const stopAt = (code: number): number => (code < 128 ? STOPS[code]! : code === TRIANGLE ? WHERE_CALLS : 0)

/** First characters of the marks in square brackets, lower case: `[TOOL_CALLS]`, `[unused11]`, `[/THINK]`. */
const FIRST_OF_MARK = new Set(['t', 'u', '/'].map((char) => char.charCodeAt(0) | 32))

/**
 * Where a run goes on after the bracket at `at`, or `at` where that may mean something. Within a word a bracket means
 * nothing but in [TOOL_CALLS], within a line a brace only before a quote.
 */
function afterBracket(text: string, code: number, at: number): number {
  if (code === TRIANGLE) return at
  // MiniMax-M3's mark is the only one that begins so.
  if (code === END_BRACKET) return at + 1 >= text.length || text.charCodeAt(at + 1) === ANGLE ? at : at + 1
  const gap = isGap(text.charCodeAt(at - 1))
  if (code === BRACE && !gap) return at + 1
  if (at + 1 >= text.length) return at
  const next = text.charCodeAt(at + 1)
  if (code === BRACKET) return gap || FIRST_OF_MARK.has(next | 32) ? at : at + 1
  return isBlank(next) || isQuote(next) ? at : at + 1
}

/** Lets text and thinking through, and keeps track of where the scanner is: line, block quote, code span and block. */
export class TextPass {
  protected readonly reader: Reader
  protected readonly judge: Judge
  private readonly tags: TagFilter
  /** Only white space since the line began, or since a call. */
  protected head = true
  /** The line is a block quote. */
  protected quoted = false
  /** Length of the back-quote run that opened the code span the text is in; 0 outside. */
  protected ticks = 0
  /** The character before the current place. */
  protected before = 0

  constructor(reader: Reader, judge: Judge, tags: TagFilter) {
    this.reader = reader
    this.judge = judge
    this.tags = tags
  }

  protected units = 0
  protected failed = 0

  /** Nothing is looked for any more but code blocks. */
  protected get spent(): boolean {
    return this.units > MAX_UNITS || this.failed > MAX_FAILED
  }

  /** Where the text begins that was passed and not yet handed on; -1 for none. */
  private passedFrom = -1

  /** Lets `count` characters through. They are handed on by `flush`, in one piece with those before them. */
  protected pass(count: number): void {
    const { reader } = this
    if (this.passedFrom < 0) this.passedFrom = reader.at
    reader.at += count
    this.before = reader.text.charCodeAt(reader.at - 1)
  }

  /** Hands on what was passed; needed before more text is waited for and before anything else is handed on. */
  protected flush(): void {
    if (this.passedFrom < 0) return
    this.judge.text(this.reader.text.slice(this.passedFrom, this.reader.at))
    this.passedFrom = -1
  }

  /** Lets a run of white space through. */
  protected passSpace(): void {
    const { text, at } = this.reader
    let end = at
    while (end < text.length) {
      const code = text.charCodeAt(end)
      if (!isBlank(code)) break
      if (code === NEWLINE) {
        this.head = true
        this.quoted = false
        this.ticks = 0
      }
      end++
    }
    this.pass(end - at)
  }

  /** Lets through one character and those after it up to the next that may mean something. */
  protected passRun(): void {
    const { text, at } = this.reader
    const least = this.ticks > 0 || this.quoted || this.spent ? ALWAYS : WHERE_CALLS
    let end = at + 1
    while (end < text.length) {
      const code = text.charCodeAt(end)
      const stop = stopAt(code)
      if (stop === ALWAYS) break
      if (stop === WHERE_CALLS && least === WHERE_CALLS) {
        const next = code === ANGLE ? this.afterAngle(text, end) : afterBracket(text, code, end)
        if (next === end) break
        end = next
      } else end++
    }
    this.head = false
    this.pass(end - at)
  }

  /** Where the run goes on after the `<` at `at`, or `at` where that may mean something. */
  private afterAngle(text: string, at: number): number {
    if (at + 2 >= text.length) return at
    const next = text.charCodeAt(at + 1)
    if (!mayOpenMarkup(next, text.charCodeAt(at + 2))) return at + 1
    const after = this.tags.nothingUntil(text, next === 47 ? at + 2 : at + 1)
    return after < 0 ? at : after
  }

  /** Lets through what was looked at and is no call. */
  protected fail(raw: string): void {
    if (raw === '') {
      this.passRun()
      return
    }
    this.judge.text(raw)
    const line = raw.slice(raw.lastIndexOf('\n') + 1)
    if (line.length < raw.length) this.quoted = false
    this.head = line.trim() === '' && (this.head || line.length < raw.length)
    this.before = raw.charCodeAt(raw.length - 1)
  }

  /** The code block the text is in: its mark and how many of them. */
  protected fence: { char: number; run: number } | undefined

  /** Length of what closes the code block at the current line, or 0. */
  private readonly fenceEnd = (): number => {
    const { reader, fence } = this
    const from = reader.spaceAhead(0, MAX_SPACE)
    if (!fence || reader.code(from) !== fence.char) return 0
    const marks = reader.countAhead(from, MAX_TICKS, fence.char)
    return marks >= fence.run && !isWordStart(reader.code(from + marks)) ? from + marks : 0
  }

  /** Lets a line of a code block through, or its end; undefined where that cannot be told yet. */
  protected passFence(): true | undefined {
    const { reader } = this
    const end = this.head ? reader.look(this.fenceEnd) : 0
    if (this.head && reader.short) return undefined
    this.passFenceLine(end)
    return true
  }

  private passFenceLine(end: number): void {
    const { text, at } = this.reader
    if (end > 0) {
      this.fence = undefined
      this.pass(end)
      this.head = false
      return
    }
    const line = text.indexOf('\n', at)
    this.pass(line < 0 ? text.length - at : line + 1 - at)
    this.head = line >= 0
  }

  /** Lets quoted text through, up to and with `close`. */
  protected *passUntil(close: string): Wait<void> {
    const { reader } = this
    yield* this.passTo(
      close.charCodeAt(0),
      () => (reader.looksAt(close) ? close.length : 0),
      (text) => this.judge.text(text),
    )
    this.head = false
    if (yield* reader.more()) this.pass(close.length)
  }

  /**
   * Gives everything up to where `closes` finds something to `emit`, which takes empty text too. `closes` is asked only
   * at `first` and gives the length of what closes, or 0. Returns that length, 0 at the end of the text.
   */
  protected *passTo(first: number, closes: () => number, emit: (text: string) => void): Wait<number> {
    const { reader } = this
    const char = String.fromCharCode(first)
    while (reader.there() || (yield* reader.more())) {
      let from = reader.at
      let next = reader.text.indexOf(char, from)
      while (next >= 0) {
        reader.at = next
        let length = reader.look(closes)
        if (reader.short) {
          emit(reader.text.slice(from, next))
          length = yield* reader.again(closes)
          from = reader.at
        }
        if (length > 0) {
          emit(reader.text.slice(from, reader.at))
          return length
        }
        next = reader.text.indexOf(char, reader.at + 1)
      }
      reader.at = reader.text.length
      emit(reader.text.slice(from))
    }
    return 0
  }

  /** Whether what thinking that was never closed gave back is read already: that is done once. */
  private gaveBack = false;

  /** Thinking, from its opening tag on. */
  protected *thinkTag(): Wait<void> {
    const { reader } = this
    reader.mark()
    const tag = yield* readTag(reader)
    const raw = reader.release()
    if (!tag) this.fail(raw)
    else if (tag === 'cut' || !tag.empty) yield* this.thinking(ANGLE, () => thinkEndTag(reader))
  }

  /** Thinking, from its opening mark to `close` (lower case). */
  protected *thinkMarked([open, close]: readonly [open: string, close: string]): Wait<void> {
    const { reader } = this
    reader.at += open.length
    yield* this.thinking(close.charCodeAt(0), () => (reader.looksAt(close) ? close.length : 0))
  }

  private *thinking(first: number, closes: () => number): Wait<void> {
    const { reader, judge } = this
    const thought = new Thought((text) => judge.reasoning(text))
    const closing = yield* this.passTo(first, closes, (text) => thought.add(text))
    const closed = closing > 0
    reader.at += closing
    this.head = true
    if (closed || reader.ending === 'cut' || this.gaveBack) {
      thought.close()
      if (!closed) judge.openThought()
      return
    }
    const rest = thought.abandon()
    if (rest === '') judge.openThought()
    else {
      this.gaveBack = true
      reader.push(rest)
    }
  }

  protected *passReasoning(closers: readonly string[]): Wait<void> {
    const { reader } = this
    const closes = (): number => closers.find((close) => reader.looksAt(close))?.length ?? 0
    yield* this.passTo(ANGLE, closes, (text) => this.judge.reasoning(text))
  }
}
