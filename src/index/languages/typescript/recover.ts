// What can still be read of a file with a syntax error, of which oxc gives nothing. The statement the error stands in is
// emptied, its head kept where that helps, and the rest is parsed again; every offset stays. Which lines belong together is
// told by their indentation, as it survives what braces do not.

/** Where a text cannot be parsed: offset in UTF-16 code units, its length for the end; undefined when it can be. */
export type FindFault = (text: string) => number | undefined

/** Parses of one file: each costs as much as a sound file of its size. */
const MAX_PARSES = 40
/** Characters that are parsed again in all; a large file gets fewer tries. */
const MAX_CHARACTERS = 4_000_000

/** Lines that git leaves where two branches disagree; what stands between them is code of both. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: [^\n]*)?$/gm

interface Line {
  start: number
  end: number
  /** Columns before its text; -1 for an empty line. */
  indent: number
  /** Goes on with, or closes, what an earlier line of the same indentation began. */
  joins: boolean
}

/** A statement or member with all its lines: from `first` to `last`, both included. */
interface Unit {
  first: number
  last: number
}

/** A text of the same length and lines that can be parsed, with as much of the original as was found; undefined when nothing helps. */
export function withoutFaults(text: string, findFault: FindFault): string | undefined {
  const lines = linesOf(text)
  let parses = Math.min(MAX_PARSES, Math.ceil(MAX_CHARACTERS / (text.length + 1)))
  let now = text.replaceAll(CONFLICT, (mark) => ' '.repeat(mark.length))
  let fault = findFault(now)
  while (fault !== undefined) {
    let next: { text: string; fault: number | undefined } | undefined
    for (const attempt of attempts(now, lines, fault)) {
      if (attempt.text === now) continue
      if (parses-- <= 0) return undefined
      const left = findFault(attempt.text)
      if (left !== undefined && (left <= fault || left <= attempt.end)) continue
      next = { text: attempt.text, fault: left }
      break
    }
    if (!next) return undefined
    now = next.text
    fault = next.fault
  }
  return now
}

/** What may help against a fault, the least loss first. `end`: up to where the text must be sound then. */
function* attempts(text: string, lines: Line[], fault: number): Generator<{ text: string; end: number }> {
  const at = lineAt(lines, fault)
  // What is not closed shows only where the next statement begins, or at the end of the file.
  const open = unclosed(text, lines, at)
  const isBefore = text.slice(lines[at]?.start ?? 0, fault).trim() === ''
  const before = isBefore ? unitsAround(lines, filledBefore(lines, at - 1)) : []
  for (const unit of [...open, ...before, ...unitsAround(lines, at)]) {
    const { end } = lines[unit.last]!
    const headed = emptied(text, lines, unit, true)
    if (headed !== undefined) yield { text: headed, end }
    yield { text: emptied(text, lines, unit, false)!, end }
  }
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const body = text.slice(start, end).trimEnd()
    const [, space = '', rest = ''] = /^(\s*)(.*)$/s.exec(body) ?? []
    lines.push({
      start,
      end,
      indent: rest === '' ? -1 : space.replaceAll('\t', '  ').length,
      joins: /^(?:[)\]}{.?:&|+=,*]|(?:else|catch|finally)\b)/.test(rest),
    })
    start = end + 1
  }
  return lines
}

function lineAt(lines: Line[], offset: number): number {
  // The end of a file is the end of its last words.
  return filledBefore(
    lines,
    lines.findLastIndex(({ start }) => start <= offset),
  )
}

/** The last line up to `at` that is not empty; -1 when there is none. */
function filledBefore(lines: Line[], at: number): number {
  return lines.findLastIndex(({ indent }, i) => i <= at && indent >= 0)
}

/** The unit that begins at or before a line, with an indentation of at most `indent`. */
function unitFrom(lines: Line[], at: number, indent: number): Unit | undefined {
  const begins = (line: Line): boolean => line.indent >= 0 && line.indent <= indent && !line.joins
  const first = lines.findLastIndex((line, i) => i <= at && begins(line))
  if (first < 0) return undefined
  const own = lines[first]!.indent
  const isNext = ({ indent: other, joins }: Line, i: number): boolean =>
    i > first && other >= 0 && (other < own || (other === own && !joins))
  const next = lines.findIndex(isNext)
  let last = (next < 0 ? lines.length : next) - 1
  while (last > first && lines[last]!.indent < 0) last--
  return last < at ? undefined : { first, last }
}

/** Units that hold a line, the innermost first. */
function unitsAround(lines: Line[], at: number): Unit[] {
  const units: Unit[] = []
  for (let indent = lines[at]?.indent ?? -1; indent >= 0;) {
    const unit = unitFrom(lines, at, indent)
    if (!unit) break
    units.push(unit)
    indent = lines[unit.first]!.indent - 1
  }
  return units
}

/** Units before a line that open more braces than they close, the innermost first. */
function unclosed(text: string, lines: Line[], at: number): Unit[] {
  const found: Unit[] = []
  let [from, to] = [0, unitsAround(lines, at).at(-1)?.last ?? at]
  for (;;) {
    const unit = unitsIn(lines, from, to).findLast(({ first, last }) => braces(text, lines, first, last) > 0)
    if (!unit || (unit.first <= from && found.length > 0)) return found
    found.unshift(unit)
    from = unit.first + 1
    to = unit.last
  }
}

/** The units of the least indentation between two lines. */
function unitsIn(lines: Line[], from: number, to: number): Unit[] {
  let least = Infinity
  for (let at = from; at <= to; at++) {
    const { indent, joins } = lines[at]!
    if (indent >= 0 && !joins && indent < least) least = indent
  }
  const units: Unit[] = []
  for (let at = from; at <= to; at++) {
    const { indent, joins } = lines[at]!
    if (indent < 0) continue
    if (indent === least && !joins) units.push({ first: at, last: at })
    else if (units.length > 0) units.at(-1)!.last = at
  }
  return units
}

/** Braces opened and not closed; those in comments, and in strings of one line, do not count. */
function braces(text: string, lines: Line[], first: number, last: number): number {
  const { end } = lines[last]!
  let open = 0
  let quote = ''
  for (let i = lines[first]!.start; i < end; i++) {
    const char = text[i]!
    if (quote !== '') {
      if (char === '\\') i++
      else if (char === quote || (char === '\n' && quote !== '`')) quote = ''
    } else if (char === '"' || char === "'" || char === '`') quote = char
    else if (char === '/' && (text[i + 1] === '/' || text[i + 1] === '*')) {
      const stop = text[i + 1] === '/' ? text.indexOf('\n', i) : text.indexOf('*/', i)
      if (stop < 0) break
      i = stop
    } else if (char === '{') open++
    else if (char === '}') open--
  }
  return open
}

/**
 * The text with a unit made of spaces, but for its line comments. `headed`: from its head up to the `{` on, so that it stays
 * known by its name; undefined where it has none.
 */
function emptied(text: string, lines: Line[], { first, last }: Unit, headed: boolean): string | undefined {
  let [from, to] = [lines[first]!.start, lines[last]!.end]
  if (headed) {
    const own = lines[first]!.indent
    const head = lines.findIndex(
      ({ start, end, indent }, i) =>
        i >= first && i <= last && indent === own && text.slice(start, end).trimEnd().endsWith('{'),
    )
    if (head < 0 || (head === last && head > first)) return undefined
    from = lines[head]!.end
    to = text.slice(0, to).trimEnd().length
    if (to <= from) {
      // Nothing inside that could give way to the `}`, but mostly a space before the `{`.
      const brace = text.lastIndexOf('{', from)
      return text[brace - 1] === ' ' ? `${text.slice(0, brace - 1)}{}${text.slice(brace + 1)}` : undefined
    }
  }
  const gone = text
    .slice(from, to)
    .split('\n')
    .map((line) => {
      const [code = ''] = /^(?:[^/\s]|\/(?!\/)|\s(?!\/\/))*/.exec(line) ?? []
      const rest = line.slice(code.length)
      return `${' '.repeat(code.length)}${/^\s*\/\//.test(rest) ? rest : ' '.repeat(rest.length)}`
    })
    .join('\n')
  const body = headed ? `${gone.slice(0, -1)}}` : gone
  return text.slice(0, from) + body + text.slice(to)
}
