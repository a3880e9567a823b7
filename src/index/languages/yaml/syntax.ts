// Whether a YAML file has a fault of syntax. The parser of a library says so for certain, but reads a megabyte a second; so
// lines that keep to the plain form nearly all files have are recognised first, and only what is left goes to the parser.
import { Composer, Parser } from 'yaml'

/** Larger files that are not plain are not checked: it would take longer than the rest of them. Characters. */
const MAX_PARSED = 128 * 1024
/** What a template makes YAML of (Helm, Jinja) is none yet; `${{` of workflows is. */
const TEMPLATE = /(?<!\$)\{\{|\{%/

/** True when the text is certainly no YAML. */
export function hasFault(text: string): boolean {
  if (isPlain(text) || text.length > MAX_PARSED || TEMPLATE.test(text)) return false
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent', prettyErrors: false })
  for (const document of composer.compose(new Parser().parse(text))) if (document.errors.length > 0) return true
  return false
}

const DASH = /^-(?: +|$)/
const KEY = /^(?:[A-Za-z0-9_][\w./$ -]{0,200}|"[^"\\]{0,200}"|'[^']{0,200}'):(?: +|$)/
const BLOCK_SCALAR = /^[|>][+-]?$/
const QUOTED = String.raw`"(?:[^"\\]|\\["\\/nrt])*"|'(?:[^']|'')*'`
const WORD = String.raw`[A-Za-z0-9_./$][\w./$+*=@-]*`
const LIST = String.raw`\[ *(?:(?:${QUOTED}|${WORD})(?: *, *(?:${QUOTED}|${WORD}))*)? *\]`
const WHOLE = new RegExp(`^(?:${QUOTED}|${LIST}|\\{ *\\})$`)
/** A plain scalar that begins with no indicator; what may not stand in it is looked for apart. */
const SCALAR = /^(?:[A-Za-z0-9_./$+^~(=<;\\]|-[^\s-])/

interface Level {
  column: number
  kind: 'map' | 'list'
}

/** Block structure by indentation, line by line. */
class Levels {
  private open: Level[] = []
  /** The line before ended where something deeper may begin. */
  expects = true

  reset(): void {
    this.open = []
    this.expects = true
  }

  /** Column of the innermost entry. */
  get column(): number {
    return this.open.at(-1)?.column ?? -1
  }

  /** An entry at a column; false when it fits nowhere. */
  entry(kind: Level['kind'], column: number): boolean {
    const { open } = this
    while (open.length > 0 && open.at(-1)!.column > column) {
      open.pop()
      this.expects = false
    }
    const top = open.at(-1)
    if (!top || top.column < column) {
      if (!this.expects) return false
      open.push({ column, kind })
      return true
    }
    if (top.kind === kind) return true
    // The items of a list may stand under its key, at the same column.
    if (kind === 'list') {
      if (!this.expects) return false
      open.push({ column, kind })
      return true
    }
    open.pop()
    const under = open.at(-1)
    return under?.kind === 'map' && under.column === column
  }
}

/** True only for what is certainly well-formed; everything less usual is false. */
export function isPlain(text: string): boolean {
  const levels = new Levels()
  /** Column of the entry whose block scalar is open, and of its first line. */
  let scalar: { above: number; column: number | undefined } | undefined
  let end = 0
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length; start = end + 1) {
    const newline = text.indexOf('\n', start)
    end = newline < 0 ? text.length : newline
    const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
    const rest = line.trimStart()
    if (rest === '') {
      // Before the first line of a block scalar even blanks mean something.
      if (line !== '') return false
      continue
    }
    const column = line.length - rest.length
    if (/^ *\t/.test(line)) return false
    if (scalar) {
      if (column > scalar.above) {
        scalar.column ??= column
        if (column < scalar.column) return false
        continue
      }
      scalar = undefined
    }
    if (rest.startsWith('#')) continue
    if (/^---(?: +#.*)?$/.test(line)) {
      levels.reset()
      continue
    }
    if (column === 0 && /^(?:---|\.\.\.|%)/.test(line)) return false
    const value = takeEntries(rest, column, levels)
    if (value === undefined) return false
    const ended = withoutComment(value)
    if (BLOCK_SCALAR.test(ended)) scalar = { above: levels.column, column: undefined }
    else if (ended !== '' && !isValue(ended)) return false
    levels.expects = ended === ''
  }
  return true
}

/** Takes the dashes and the key a line begins with; gives what stands behind, or undefined where the form is another. */
function takeEntries(line: string, column: number, levels: Levels): string | undefined {
  let rest = line
  let at = column
  let dashes = 0
  for (let dash = DASH.exec(rest); dash; dash = DASH.exec(rest)) {
    if (!levels.entry('list', at)) return undefined
    levels.expects = true
    at += dash[0].length
    rest = rest.slice(dash[0].length)
    dashes += 1
  }
  const key = KEY.exec(rest)
  if (!key) return dashes > 0 ? rest : undefined
  return levels.entry('map', at) ? rest.slice(key[0].length) : undefined
}

/** A value without the comment behind it; a quoted one may hold the sign. */
function withoutComment(value: string): string {
  if (value.startsWith('#')) return ''
  const quoted = /^["'[]/.test(value)
  const at = quoted ? value.search(/ #[^"'\]]*$/) : value.indexOf(' #')
  return (at < 0 ? value : value.slice(0, at)).trimEnd()
}

function isValue(value: string): boolean {
  if (WHOLE.test(value)) return true
  return SCALAR.test(value) && !/:(?: |$)|\t/.test(value)
}
