import { isWordStart, type Reader, type Wait } from './reader.ts'
import { ARGUMENT_TAGS, CALL_TAGS, PARAMETER_TAGS, tagAhead, WRAPPERS } from './tags.ts'

/** What may surround a value: its own closing tag's name, the tags around it, the tool's arguments. */
export interface ValueFrame {
  tag: string
  /** Names of the tags that are open around the value. */
  around: readonly string[]
  isArgument: (name: string) => boolean
  /** First letter (lower case) of the opening tag as written, with a vendor's prefix: its closing tag has it too. */
  vendor?: number
}

/**
 * How a value ended: `closed` by its own tag (consumed), `implied` by the next argument or the end of the call
 * (not consumed), `cut` by the end of the text, `bad` when its closing tag stood where no call goes on.
 */
export interface ValueRead {
  state: 'closed' | 'implied' | 'cut' | 'bad'
  text: string
}

/** How far the end of a closing tag is looked for, and what follows it. */
const MAX_SPACE = 200
/** Deeper indentation before a tag does not count as the start of a line. */
const MAX_INDENT = 40

/**
 * Reads the text of an argument, which may itself contain tags: a closing tag counts only where the call
 * goes on or ends after it.
 */
export function* readValue(reader: Reader, frame: ValueFrame): Wait<ValueRead> {
  let before = ''
  // What was consumed of the text that is there is added once, before more of it is waited for and at the end.
  let from = reader.at
  const text = (): string => {
    before += reader.text.slice(from, reader.at)
    from = reader.at
    return before
  }
  // Kept as a number: looking into a string that grows would copy it each time.
  let indent = 0
  let refused = false
  const look = (): number => (mayMatter(reader, frame) ? judge(reader, frame, indent < MAX_INDENT) : CONTENT)
  while (true) {
    if (!reader.there()) {
      text()
      const more = yield* reader.more()
      from = reader.at
      if (!more) break
    }
    const end = reader.text.indexOf('<', reader.at)
    if (end !== reader.at) {
      const start = reader.at
      reader.at = end < 0 ? reader.text.length : end
      indent = indentAfter(reader.text, start, reader.at, indent)
      continue
    }
    let what = reader.look(look)
    if (reader.short) {
      text()
      what = yield* reader.again(look)
      from = reader.at
    }
    if (what > 0) {
      const value = unwrap(text())
      reader.at += what
      return { state: 'closed', text: value }
    }
    // After a closing tag that did not count, nobody can say where the value ended.
    if (what === IMPLIED) return { state: refused ? 'bad' : 'implied', text: unwrap(text()) }
    if (what === REFUSED) refused = true
    reader.at++
    indent = MAX_INDENT
  }
  return refused ? { state: 'bad', text: text() } : { state: 'cut', text: unwrap(text()) }
}

/**
 * Blanks since the line began at `end`, after the run from `start` behind a text with `before` of them; `MAX_INDENT`
 * for more and for anything else.
 */
function indentAfter(text: string, start: number, end: number, before: number): number {
  for (let blanks = 0; blanks < MAX_INDENT; blanks++) {
    if (blanks === end - start) return Math.min(MAX_INDENT, before + blanks)
    const code = text.charCodeAt(end - 1 - blanks)
    if (code === 10) return blanks
    if (code !== 32 && code !== 9) return MAX_INDENT
  }
  return MAX_INDENT
}

const CONTENT = 0
const IMPLIED = -1
const REFUSED = -2

/** Whether the first letters of the tag at the current `<` are those of one that matters here. */
function mayMatter(reader: Reader, frame: ValueFrame): boolean {
  const next = reader.code(1)
  if (next === 0xff5c || next === 124) return true
  const code = next === 47 ? reader.code(2) : next
  const letter = code >= 65 && code <= 90 ? code + 32 : code
  if (letter === frame.tag.charCodeAt(0) || letter === frame.vendor || NAMESPACED.has(letter)) return true
  if (next !== 47) return false
  return !isWordStart(letter) || frame.around.some((name) => name.charCodeAt(0) === letter)
}

/** First letters of the prefixes some models put before their tags: antml, minimax, seed, xai. */
const NAMESPACED = new Set(['a', 'm', 's', 'x'].map((letter) => letter.charCodeAt(0)))

/** Length of the closing tag at the current `<`, or what else stands there. */
function judge(reader: Reader, frame: ValueFrame, lineStart: boolean): number {
  const { name, bare, close, end } = tagAhead(reader)
  if (!name || reader.short) return CONTENT
  if (close) {
    const own = bare === frame.tag
    if (!own && !frame.around.includes(bare)) return CONTENT
    const bracket = reader.spaceAhead(end, MAX_SPACE)
    if (reader.code(bracket) !== 62) return CONTENT
    if (!goesOn(reader, bracket + 1, frame)) return REFUSED
    return own ? bracket + 1 : IMPLIED
  }
  // An argument within itself: unless both are closed, nobody can say where it ends.
  if (name === frame.tag && !PARAMETER_TAGS.has(name)) return REFUSED
  // The next parameter begins though this one was not closed.
  if (!lineStart || frame.tag !== name || !PARAMETER_TAGS.has(name) || reader.code(end) !== 61) return CONTENT
  const key = reader.runAhead(end + 1, MAX_SPACE, (code) => code >= 0 && code !== 62 && code !== 10)
  return frame.isArgument(key) ? IMPLIED : CONTENT
}

/** Whether what follows a closing tag can follow it in a call. */
function goesOn(reader: Reader, offset: number, frame: ValueFrame): boolean {
  const next = reader.spaceAhead(offset, MAX_SPACE)
  const code = reader.code(next)
  if (code < 0 || code === 96 || next - offset >= MAX_SPACE) return true
  if (code !== 60) return false
  const after = reader.code(next + 1)
  if (after === 124 || after === 0xff5c) return true
  const { bare: name, close } = tagAhead(reader, next)
  if (close) return frame.around.includes(name) || ARGUMENT_TAGS.has(name) || WRAPPERS.has(name)
  // Arguments that are elements may have any name, right or wrong.
  if (name !== '' && !PARAMETER_TAGS.has(frame.tag) && !frame.tag.startsWith('arg_')) return true
  return (
    PARAMETER_TAGS.has(name) ||
    CALL_TAGS.has(name) ||
    WRAPPERS.has(name) ||
    name === 'arg_key' ||
    name === 'arg_value' ||
    name === 'arg_type' ||
    ARGUMENT_TAGS.has(name) ||
    frame.isArgument(name)
  )
}

/**
 * Takes off the line breaks that stand between a tag and its text (a break after the opening tag, and then also
 * the one before the closing tag), and a CDATA section's marks. Nothing else: spaces can be meant.
 */
function unwrap(text: string): string {
  let inner = text
  if (/^\r?\n/.test(inner)) inner = inner.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, '')
  const cdata = /^\s*<!\[CDATA\[/.exec(inner)
  if (cdata && /\]\]>\s*$/.test(inner.slice(-200))) inner = inner.slice(cdata[0].length, inner.lastIndexOf(']]>'))
  return inner
}
