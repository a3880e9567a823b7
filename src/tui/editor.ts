// The input line as pure data: a text, a cursor, and what keys do to them. Nothing typed is ever lost: a cleared text can be
// yanked back, and a paste of many lines is kept as one chip that expands when the text is sent.

/** Pastes longer than this become a chip; shorter ones are inserted as they are. Lines and characters. */
const CHIP_LINES = 5
const CHIP_CHARS = 1000

export interface Editor {
  readonly text: string
  /** Offset in `text`, UTF-16, always between graphemes. */
  readonly cursor: number
  /** What was cut last, for Ctrl+Y. */
  readonly killed: string
  /** Pasted texts by their chip. */
  readonly chips: ReadonlyMap<string, string>
}

export const emptyEditor: Editor = { text: '', cursor: 0, killed: '', chips: new Map() }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Start of the grapheme before an offset. */
function before(text: string, at: number): number {
  if (at <= 0) return 0
  const code = text.charCodeAt(at - 1)
  if (code < 0x80 && code !== 0x0a) return at - 1
  const from = Math.max(0, at - 64)
  let start = from
  for (const { index } of graphemes.segment(text.slice(from, at))) start = from + index
  return start
}

/** End of the grapheme after an offset. */
function after(text: string, at: number): number {
  if (at >= text.length) return text.length
  for (const { segment } of graphemes.segment(text.slice(at, at + 64))) return at + segment.length
  return text.length
}

const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char)

function wordLeft(text: string, at: number): number {
  let to = at
  while (to > 0 && !isWord(text[to - 1])) to -= 1
  while (to > 0 && isWord(text[to - 1])) to -= 1
  return to
}

function wordRight(text: string, at: number): number {
  let to = at
  while (to < text.length && !isWord(text[to])) to += 1
  while (to < text.length && isWord(text[to])) to += 1
  return to
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

export function insert(editor: Editor, piece: string): Editor {
  const { text, cursor } = editor
  return { ...editor, text: text.slice(0, cursor) + piece + text.slice(cursor), cursor: cursor + piece.length }
}

/** Takes a paste in; line ends become \n. */
export function paste(editor: Editor, raw: string): Editor {
  const piece = raw.replaceAll(/\r\n?/g, '\n')
  const lines = piece.split('\n').length
  if (lines <= CHIP_LINES && piece.length <= CHIP_CHARS) return insert(editor, piece)
  const chip = `[pasted #${editor.chips.size + 1}: ${lines} lines]`
  return insert({ ...editor, chips: new Map(editor.chips).set(chip, piece) }, chip)
}

/** The text as it is sent: chips are what was pasted. */
export function expanded({ text, chips }: Editor): string {
  let out = text
  for (const [chip, piece] of chips) out = out.replaceAll(chip, () => piece)
  return out
}

/** Replaces the whole text; the cursor goes to its end. */
export function setText(editor: Editor, text: string): Editor {
  return { ...editor, text, cursor: text.length }
}

function remove(editor: Editor, from: number, to: number, kill: boolean): Editor {
  const { text } = editor
  if (from === to) return editor
  return {
    ...editor,
    text: text.slice(0, from) + text.slice(to),
    cursor: from,
    killed: kill ? text.slice(from, to) : editor.killed,
  }
}

/** A chip that ends or begins at an offset goes as a whole. */
function chipAt({ text, chips }: Editor, at: number, side: 'before' | 'after'): number | undefined {
  for (const chip of chips.keys()) {
    if (side === 'before' && text.endsWith(chip, at)) return at - chip.length
    if (side === 'after' && text.startsWith(chip, at)) return at + chip.length
  }
  return undefined
}

export type EditAction =
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'delete-left'
  | 'delete-right'
  | 'kill-word-left'
  | 'kill-word-right'
  | 'kill-to-start'
  | 'kill-to-end'
  | 'yank'

/** Does one editing action. */
export function edit(editor: Editor, action: EditAction): Editor {
  const { text, cursor } = editor
  switch (action) {
    case 'left':
      return { ...editor, cursor: chipAt(editor, cursor, 'before') ?? before(text, cursor) }
    case 'right':
      return { ...editor, cursor: chipAt(editor, cursor, 'after') ?? after(text, cursor) }
    case 'word-left':
      return { ...editor, cursor: wordLeft(text, cursor) }
    case 'word-right':
      return { ...editor, cursor: wordRight(text, cursor) }
    case 'line-start':
      return { ...editor, cursor: lineStart(text, cursor) }
    case 'line-end':
      return { ...editor, cursor: lineEnd(text, cursor) }
    case 'delete-left':
      return remove(editor, chipAt(editor, cursor, 'before') ?? before(text, cursor), cursor, false)
    case 'delete-right':
      return remove(editor, cursor, chipAt(editor, cursor, 'after') ?? after(text, cursor), false)
    case 'kill-word-left':
      return remove(editor, wordLeft(text, cursor), cursor, true)
    case 'kill-word-right':
      return remove(editor, cursor, wordRight(text, cursor), true)
    case 'kill-to-start':
      return remove(editor, lineStart(text, cursor), cursor, true)
    case 'kill-to-end':
      return remove(
        editor,
        cursor,
        cursor === lineEnd(text, cursor) ? after(text, cursor) : lineEnd(text, cursor),
        true,
      )
    case 'yank':
      return insert(editor, editor.killed)
  }
}

/** Moves the cursor a line up or down, keeping its column; undefined when there is no such line. */
export function moveLine(editor: Editor, by: -1 | 1): Editor | undefined {
  const { text, cursor } = editor
  const start = lineStart(text, cursor)
  const column = cursor - start
  if (by < 0) {
    if (start === 0) return undefined
    const from = lineStart(text, start - 1)
    return { ...editor, cursor: Math.min(from + column, start - 1) }
  }
  const end = lineEnd(text, cursor)
  if (end === text.length) return undefined
  return { ...editor, cursor: Math.min(end + 1 + column, lineEnd(text, end + 1)) }
}
