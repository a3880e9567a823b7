// The blocks of a Markdown text after CommonMark 0.31 (https://spec.commonmark.org/0.31.2/#blocks-and-inlines): headings, lines of
// prose, HTML, link definitions. Code is left out. One pass, line by line; whatever the text, it ends, and no place is given
// twice.

export interface Block {
  /** `prose`: one line of a paragraph, a heading or a table. `target`: where a link definition leads. */
  kind: 'heading' | 'prose' | 'html' | 'target'
  /** Offsets in the text. */
  start: number
  end: number
  /** 1 to 6; 0 for what is no heading. */
  level: number
  /** Text of a heading, without its marks. */
  nameStart: number
  nameEnd: number
}

/** A quotation, or a list item whose content begins `indent` columns further in. */
type Container = { kind: 'quote' } | { kind: 'item'; indent: number }

type Leaf =
  | { kind: 'none' }
  | { kind: 'paragraph'; start: number; end: number }
  | { kind: 'fence'; mark: string; length: number }
  /** Without `close` it ends at a blank line. */
  | { kind: 'html'; block: Block; close: RegExp | undefined }

const NONE: Leaf = { kind: 'none' }
const SPACE = 32
const TAB = 9
const TAB_STOP = 4
/** Columns from which a line is code. */
const CODE_INDENT = 4

const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n(?:[\s\S]*?\n)??\1[ \t]*(?:\r?\n|$)/
const ATX = /(#{1,6})(?:[ \t]+|$)/y
const ATX_CLOSE = /(?:^|[ \t]+)#+[ \t]*$|[ \t]+$/
const SETEXT = /(=+|-+)[ \t]*$/y
const FENCE = /(`{3,})[^`]*$|(~{3,})/y
const RULER = /(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/y
const BULLET = /([-+*]|(\d{1,9})[.)])(?=[ \t]|$)/y
const DEFINITION = /\[(?:[^\]\\]|\\.)+\]:[ \t]*(<[^>\n]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^)]*\)))?[ \t]*$/dy

const BLOCK_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|' +
  'figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|' +
  'noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'
/** What begins a block of HTML and what ends it; the last one may not end a paragraph. */
const HTML: readonly { open: RegExp; close: RegExp | undefined; interrupts: boolean }[] = [
  {
    open: /<(?:script|pre|style|textarea)(?:[ \t>]|$)/iy,
    close: /<\/(?:script|pre|style|textarea)>/i,
    interrupts: true,
  },
  { open: /<!--/y, close: /-->/, interrupts: true },
  { open: /<\?/y, close: /\?>/, interrupts: true },
  { open: /<![a-z]/iy, close: />/, interrupts: true },
  { open: /<!\[CDATA\[/y, close: /\]\]>/, interrupts: true },
  { open: new RegExp(`</?(?:${BLOCK_TAGS})(?:[ \\t]|/?>|$)`, 'iy'), close: undefined, interrupts: true },
  {
    open: /<(?:[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?|\/[a-z][a-z\d-]*[ \t]*)>[ \t]*$/iy,
    close: undefined,
    interrupts: false,
  },
]

/** The blocks of a text in order, without its code and front matter. */
export function readBlocks(text: string): Block[] {
  const reader = new BlockReader(text)
  reader.run(FRONT_MATTER.exec(text)?.[0].length ?? 0)
  return reader.blocks
}

class BlockReader {
  readonly blocks: Block[] = []
  private text: string
  private open: Container[] = []
  private leaf: Leaf = NONE
  /** The line being read, and how far it is read: offset, column, and columns left of a tab that was read in part. */
  private line = ''
  private lineStart = 0
  private pos = 0
  private column = 0
  private ofTab = 0

  constructor(text: string) {
    this.text = text
  }

  run(from: number): void {
    for (let start = from; start < this.text.length;) {
      const newline = this.text.indexOf('\n', start)
      const end = newline < 0 ? this.text.length : newline
      this.begin(start, this.text[end - 1] === '\r' && end > start ? end - 1 : end)
      this.readLine()
      start = end + 1
    }
  }

  private begin(start: number, end: number): void {
    this.line = this.text.slice(start, end)
    this.lineStart = start
    this.pos = 0
    this.column = 0
    this.ofTab = 0
  }

  private readLine(): void {
    const matched = this.matchContainers()
    const isInside = matched === this.open.length
    if (isInside && this.leaf.kind === 'fence') return this.inFence(this.leaf)
    if (isInside && this.leaf.kind === 'html') return this.inHtml(this.leaf)
    const depth = this.openContainers(matched)
    if (this.isBlank()) {
      this.closeTo(depth)
      this.leaf = NONE
      return
    }
    // A line of plain text goes on with the paragraph before it, also without the marks of its containers.
    const paragraph = this.leaf.kind === 'paragraph' ? this.leaf : undefined
    if (paragraph && depth === matched && (this.indent() >= CODE_INDENT || !this.beginsBlock(isInside))) {
      this.prose(paragraph)
      return
    }
    if (depth < this.open.length) this.closeTo(depth)
    if (this.indent() >= CODE_INDENT) this.leaf = NONE
    else this.beginLeaf()
  }

  /** Takes the marks of the open containers off the line; gives how many go on. */
  private matchContainers(): number {
    for (let at = 0; at < this.open.length; at++) {
      const container = this.open[at]!
      if (container.kind === 'quote') {
        if (!this.takeQuote()) return at
      } else if (this.isBlank()) continue
      else if (this.indent() >= container.indent) this.skip(container.indent)
      else return at
    }
    return this.open.length
  }

  private takeQuote(): boolean {
    if (this.indent() >= CODE_INDENT || this.line[this.nonblank()] !== '>') return false
    this.skip(this.indent())
    this.pos++
    this.column++
    if (this.indent() > 0) this.skip(1)
    return true
  }

  /** Opens the quotations and list items that begin on the line; gives how many containers the line stands in. */
  private openContainers(matched: number): number {
    let depth = matched
    while (!this.isBlank() && this.indent() < CODE_INDENT) {
      const isParagraph = this.leaf.kind === 'paragraph' && depth === matched
      if (this.line[this.nonblank()] === '>') {
        this.closeTo(depth)
        this.takeQuote()
        this.open.push({ kind: 'quote' })
      } else if (
        this.isSetext(isParagraph && matched === this.open.length) ||
        this.fits(RULER) ||
        !this.takeItem(isParagraph, depth)
      )
        break
      depth = this.open.length
    }
    return depth
  }

  private isSetext(isParagraph: boolean): boolean {
    return isParagraph && this.fits(SETEXT) !== null
  }

  private takeItem(isParagraph: boolean, depth: number): boolean {
    const found = this.fits(BULLET)
    if (!found) return false
    const [mark, , number] = found
    const isEmpty = this.line.slice(this.nonblank() + mark.length).trim() === ''
    // Else a paragraph would be ended by a number at the beginning of a line.
    if (isParagraph && (isEmpty || (number !== undefined && number !== '1'))) return false
    this.closeTo(depth)
    const before = this.indent()
    this.skip(before)
    this.pos += mark.length
    this.column += mark.length
    const blank = this.indent()
    // An item that begins with code, or with nothing, has its content behind one blank.
    const inner = isEmpty || blank > CODE_INDENT ? 1 : blank
    this.skip(Math.min(inner, blank))
    this.open.push({ kind: 'item', indent: before + mark.length + inner })
    return true
  }

  private closeTo(depth: number): void {
    if (depth < this.open.length || this.leaf.kind === 'paragraph') this.leaf = NONE
    this.open.length = depth
  }

  /** Whether a line that could go on with a paragraph begins something else instead. */
  private beginsBlock(isInside: boolean): boolean {
    return (
      this.fits(ATX) !== null ||
      this.fits(FENCE) !== null ||
      (isInside && this.fits(SETEXT) !== null) ||
      this.fits(RULER) !== null ||
      HTML.some(({ open, interrupts }) => interrupts && this.fits(open) !== null)
    )
  }

  private beginLeaf(): void {
    const start = this.lineStart + this.nonblank()
    const end = this.lineStart + this.line.length
    const paragraph = this.leaf.kind === 'paragraph' ? this.leaf : undefined
    this.leaf = NONE
    const setext = paragraph && this.fits(SETEXT)
    if (setext) return this.heading(setext[1]!.startsWith('=') ? 1 : 2, paragraph.start, end, paragraph)
    const atx = this.fits(ATX)
    if (atx) {
      const name = start + atx[0].length
      const close = ATX_CLOSE.exec(this.text.slice(name, end))
      const span = { start: name, end: close ? name + close.index : end }
      this.heading(atx[1]!.length, start, end, span)
      return this.add('prose', span.start, span.end)
    }
    const fence = this.fits(FENCE)
    if (fence) {
      const mark = fence[1] ?? fence[2]!
      this.leaf = { kind: 'fence', mark: mark[0]!, length: mark.length }
      return
    }
    if (this.fits(RULER)) return
    const html = HTML.find(({ open, interrupts }) => (interrupts || !paragraph) && this.fits(open) !== null)
    if (html) {
      this.add('html', start, end)
      const block = this.blocks.at(-1)!
      if (!html.close?.test(this.text.slice(start, end))) this.leaf = { kind: 'html', block, close: html.close }
      return
    }
    const definition = this.fits(DEFINITION)
    if (definition) {
      const [from, to] = definition.indices![1]!
      return this.add('target', this.lineStart + from, this.lineStart + to)
    }
    const begun: Leaf = { kind: 'paragraph', start, end }
    this.leaf = begun
    this.prose(begun)
  }

  private prose(paragraph: { end: number }): void {
    const start = this.lineStart + this.nonblank()
    const end = this.lineStart + this.line.trimEnd().length
    paragraph.end = end
    this.add('prose', start, end)
  }

  private inFence({ mark, length }: { mark: string; length: number }): void {
    if (this.indent() >= CODE_INDENT) return
    const rest = this.line.slice(this.nonblank()).trimEnd()
    if (rest.length >= length && rest === mark.repeat(rest.length)) this.leaf = NONE
  }

  private inHtml({ block, close }: { block: Block; close: RegExp | undefined }): void {
    if (!close && this.isBlank()) {
      this.leaf = NONE
      return
    }
    block.end = this.lineStart + this.line.length
    if (close?.test(this.line.slice(this.pos))) this.leaf = NONE
  }

  private heading(level: number, start: number, end: number, name: { start: number; end: number }): void {
    this.blocks.push({ kind: 'heading', start, end, level, nameStart: name.start, nameEnd: name.end })
  }

  private add(kind: 'prose' | 'html' | 'target', start: number, end: number): void {
    this.blocks.push({ kind, start, end, level: 0, nameStart: start, nameEnd: start })
  }

  /** What a sticky expression finds at the first character that is not blank. */
  private fits(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.nonblank()
    return pattern.exec(this.line)
  }

  private isBlank(): boolean {
    return this.nonblank() >= this.line.length
  }

  /** Place in the line of the next character that is not blank. */
  private nonblank(): number {
    let at = this.pos
    while (at < this.line.length && isBlankCode(this.line.charCodeAt(at))) at++
    return at
  }

  /** Columns of blanks from here on. */
  private indent(): number {
    let column = this.column + this.ofTab
    for (let at = this.pos; at < this.line.length && isBlankCode(this.line.charCodeAt(at)); at++)
      column += this.line.charCodeAt(at) === TAB ? TAB_STOP - (column % TAB_STOP) : 1
    return column - this.column
  }

  /** Goes over so many columns of blanks; a tab may be gone over in part. */
  private skip(columns: number): void {
    let left = columns
    const partly = Math.min(left, this.ofTab)
    this.ofTab -= partly
    this.column += partly
    left -= partly
    while (left > 0 && this.pos < this.line.length) {
      const width = this.line.charCodeAt(this.pos) === TAB ? TAB_STOP - (this.column % TAB_STOP) : 1
      const taken = Math.min(width, left)
      this.pos++
      this.column += taken
      this.ofTab = width - taken
      left -= taken
    }
  }
}

function isBlankCode(code: number): boolean {
  return code === SPACE || code === TAB
}
