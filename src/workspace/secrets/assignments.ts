// Reads `NAME=value`, `name: value` and their relatives out of a text without knowing its format. A value has several readings, for what
// a quote or a backslash means differs between shells, dotenv, YAML, TOML and properties: all are given.

export interface Assignment {
  name: string
  readings: string[]
}

const START =
  /^[ \t]*(?:-[ \t]+)?(?:(?:export|set|setenv|declare(?:[ \t]+-\w+)?|readonly|local)[ \t]+)?(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([\w./:@\\-]{1,300}?))[ \t]*(=>|:=|\+=|=|:(?=[ \t]|$)|[ \t]+(?=["'`]|\S+[ \t]*$))[ \t]*/

/** `name:value`. */
const TIGHT = /^\s*["']?([\w.-]{1,100})["']?:(?!\/\/)(\S.*)$/

/** All assignments of a text with `\n` line ends, in order. */
export function assignments(text: string): Assignment[] {
  const lines = text.split('\n')
  const found: Assignment[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (/^\s*(?:#|;|\/\/|!)/.test(line)) {
      // A commented assignment is a secret all the same.
      const inside = START.exec(line.replace(/^\s*(?:#|;|\/\/|!)+\s*/, ''))
      if (inside === null || !/[=:]/.test(inside[4]!)) continue
    }
    const bare = line.replace(/^\s*(?:#|;|\/\/|!)+\s*/, '')
    const start = START.exec(bare)
    const tight = start === null || !/[=:]/.test(start[4]!) ? TIGHT.exec(bare) : null
    if (tight !== null) found.push({ name: tight[1]!, readings: unquoted(tight[2]!) })
    if (start === null) continue
    const name = (start[1] ?? start[2] ?? start[3]!).trim()
    const raw = bare.slice(start[0].length)
    if (name === '') continue
    const { readings, lines: taken } = valueOf(raw, lines, at)
    if (readings.length > 0) found.push({ name, readings: [...new Set(readings)] })
    // Lines inside a value of several lines are read again by themselves: a quote that was none must hide nothing.
    if (taken > 1 && readings.every((reading) => !reading.includes('\n'))) at += taken - 1
  }
  return found
}

const MOST_LINES = 400

function valueOf(raw: string, lines: readonly string[], at: number): { readings: string[]; lines: number } {
  if (/^[|>][-+]?\d?[ \t]*(?:#.*)?$/.test(raw)) return block(lines, at)
  const heredoc = /^<<[-~]?\s*["']?(\w+)["']?\s*$/.exec(raw)?.[1]
  if (heredoc !== undefined) return document(heredoc, lines, at)
  const word = shellWord([raw, ...lines.slice(at + 1, at + MOST_LINES)].join('\n'))
  const quote = /^(?:"""|'''|["'`]|\$')/.exec(raw)?.[0]
  if (quote !== undefined) {
    const closing = quote === "$'" ? "'" : quote
    const rest = [raw.slice(quote.length), ...lines.slice(at + 1, at + MOST_LINES)].join('\n')
    const readings: string[] = word === undefined ? [] : [word]
    const ends = [true, false].flatMap((escaped) => [
      closingAt(rest, closing, escaped),
      closingAt(rest, closing, escaped, false),
    ])
    for (const end of new Set(ends)) if (end >= 0) readings.push(...quoted(rest.slice(0, end), closing))
    const used = Math.max(...ends)
    if (used >= 0) return { readings, lines: rest.slice(0, used).split('\n').length }
  }
  if (raw.endsWith('\\')) {
    const parts = [raw.slice(0, -1)]
    let next = at + 1
    for (; next < lines.length && parts.length < MOST_LINES; next++) {
      const more = lines[next]!.endsWith('\\')
      parts.push(lines[next]!.replace(/\\$/, ''))
      if (!more) break
    }
    return { readings: [parts.map((part) => part.trim()).join(''), parts.join('')], lines: next - at + 1 }
  }
  return { readings: word === undefined ? unquoted(raw) : [...unquoted(raw), word], lines: 1 }
}

/** Where a quoted text ends. `escaped`: a backslash before a quote keeps it inside; `doubled`: so does a second single quote. */
function closingAt(text: string, quote: string, escaped: boolean, doubled = true): number {
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    const slashes = /\\*$/.exec(text.slice(Math.max(0, at - 20), at))![0].length
    if (escaped && slashes % 2 === 1) continue
    if (doubled && quote === "'" && text[at + 1] === "'") {
      at += 1
      continue
    }
    return at
  }
  return -1
}

function quoted(inner: string, quote: string): string[] {
  const readings = [inner]
  if (inner.includes('\\'))
    readings.push(unescaped(inner), inner.replaceAll(/\\(.)/gs, '$1'), inner.replaceAll(/\\\n\s*/g, ''))
  if (quote === "'" && inner.includes("''")) readings.push(inner.replaceAll("''", "'"))
  if (inner.includes('\n')) {
    readings.push(inner.replace(/^\n/, ''))
    readings.push(
      inner
        .split('\n')
        .map((line) => line.trim())
        .join(' ')
        .trim(),
    )
  }
  return readings
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  e: '\u001B',
  0: '\0',
}

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi,
    (_whole, wide?: string, narrow?: string, one?: string) => {
      const code = wide ?? narrow
      return code === undefined ? (ESCAPES[one!] ?? one!) : String.fromCharCode(parseInt(code, 16))
    },
  )
}

function unquoted(raw: string): string[] {
  const value = raw.trim()
  if (value === '') return []
  const readings = [
    value
      .replace(/[ \t]+[#;].*$/, '')
      .replace(/[,;]$/, '')
      .trim(),
  ]
  if (value !== readings[0]) readings.push(value)
  if (value.includes('#')) readings.push(value.replace(/#.*$/, '').trim())
  if (value.includes('\\')) readings.push(unescaped(readings[0]!), readings[0]!.replaceAll(/\\(.)/g, '$1'))
  // `A=pa"ss"word` is one word to a shell.
  if (/["']/.test(readings[0]!)) readings.push(readings[0]!.replaceAll(/["']/g, ''))
  return readings.filter((reading) => reading !== '')
}

/** What a shell makes of the word a text begins with, which may have several quoted parts; undefined when a quote is left open. */
function shellWord(text: string): string | undefined {
  let word = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (/[\s;&|]/.test(character)) break
    const quote = character === "'" || character === '"' ? character : text.startsWith("$'", at) ? "$'" : undefined
    if (quote === undefined) {
      word += character === '\\' ? (text[++at] ?? '') : character
      continue
    }
    const from = at + quote.length
    const end = closingAt(text.slice(from), quote.at(-1)!, quote !== "'", false)
    if (end < 0) return undefined
    const inner = text.slice(from, from + end)
    word +=
      quote === "'"
        ? inner
        : quote === "$'"
          ? unescaped(inner)
          : inner.replaceAll(/\\(["\\$`\n])/g, (_, one: string) => (one === '\n' ? '' : one))
    at = from + end
  }
  return word === '' ? undefined : word
}

/** A here-document: the lines up to its mark. */
function document(mark: string, lines: readonly string[], at: number): { readings: string[]; lines: number } {
  const end = lines.findIndex((line, index) => index > at && line.trim() === mark)
  const inner = end < 0 ? [] : lines.slice(at + 1, end)
  const readings = [inner.join('\n'), inner.map((line) => line.trim()).join('\n')].filter((reading) => reading !== '')
  return { readings, lines: 1 }
}

/** A block of YAML: the deeper lines below, as they are and folded. */
function block(lines: readonly string[], at: number): { readings: string[]; lines: number } {
  const own = indentOf(lines[at]!)
  let end = at + 1
  while (end < lines.length && (lines[end]!.trim() === '' || indentOf(lines[end]!) > own)) end++
  const inner = lines.slice(at + 1, end)
  const margin = Math.min(...inner.filter((line) => line.trim() !== '').map(indentOf))
  const text = inner
    .map((line) => line.slice(Math.min(margin, line.length)))
    .join('\n')
    .trimEnd()
  return text === ''
    ? { readings: [], lines: 1 }
    : { readings: [text, text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ')], lines: 1 }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
