// What the literals of a regular expression are found from: its syntax tree, as JavaScript reads it without the flags u and v.
// Only what tells which characters must follow each other is kept; the rest is `unknown`, which may match anything.

export type RegexNode =
  /** One of these texts, each a single UTF-16 unit; empty for an assertion, which takes no text. */
  | { kind: 'chars'; chars: readonly string[] }
  | { kind: 'sequence'; parts: readonly RegexNode[] }
  | { kind: 'choice'; parts: readonly RegexNode[] }
  | { kind: 'repeat'; part: RegexNode; least: number; most: number }
  | { kind: 'unknown' }

/** A class of more characters is unknown: the texts it stands for would be too many to look for. */
const MAX_CLASS = 16
/** Groups in groups; deeper is nothing a person writes. */
const MAX_DEPTH = 100

const UNKNOWN: RegexNode = { kind: 'unknown' }
const NOTHING: RegexNode = { kind: 'sequence', parts: [] }
const QUANTIFIER = /^(?:\*|\+|\?|\{(\d+)(?:(,)(\d*))?\})\??/
/** What belongs to an escape of no single unit. */
const REST_OF_ESCAPE: Readonly<Record<string, RegExp>> = { k: /^<[\w$]+>/, c: /^[a-z]/i, digit: /^\d+/ }
const CONTROL: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f', 0: '\0' }

/** The tree of a source that `new RegExp` takes; throws a RangeError when its groups are nested too deeply. */
export function parseRegex(source: string): RegexNode {
  return new Parser(source).choice(0)
}

class Parser {
  private at = 0
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  choice(depth: number): RegexNode {
    if (depth > MAX_DEPTH) throw new RangeError('The groups of the regular expression are nested too deeply.')
    const parts = [this.sequence(depth)]
    while (this.source[this.at] === '|') {
      this.at++
      parts.push(this.sequence(depth))
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  private sequence(depth: number): RegexNode {
    const parts: RegexNode[] = []
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')')
      parts.push(this.quantified(this.atom(depth)))
    return { kind: 'sequence', parts }
  }

  private quantified(part: RegexNode): RegexNode {
    const found = QUANTIFIER.exec(this.source.slice(this.at, this.at + 40))
    if (!found) return part
    this.at += found[0].length
    const [sign, from, comma, to] = found
    if (from === undefined) {
      const least = sign.startsWith('+') ? 1 : 0
      return { kind: 'repeat', part, least, most: sign.startsWith('?') ? 1 : Number.POSITIVE_INFINITY }
    }
    const most = comma === undefined ? Number(from) : to === '' ? Number.POSITIVE_INFINITY : Number(to)
    return { kind: 'repeat', part, least: Number(from), most }
  }

  private atom(depth: number): RegexNode {
    const char = this.source[this.at++]!
    if (char === '(') return this.group(depth)
    if (char === '[') return this.charClass()
    if (char === '.') return UNKNOWN
    if (char === '^' || char === '$') return NOTHING
    return char === '\\' ? this.escape() : { kind: 'chars', chars: [char] }
  }

  private group(depth: number): RegexNode {
    const [opening = ''] = /^\?(?:<?[=!]|<[^>]*>|[a-z-]*:)/.exec(this.source.slice(this.at)) ?? []
    this.at += opening.length
    const inner = this.choice(depth + 1)
    this.at++
    // What is looked at stands outside the match; flags of a group may change what its characters mean.
    if (/^\?<?[=!]/.test(opening)) return NOTHING
    return /^\?[a-z-]+:/.test(opening) ? UNKNOWN : inner
  }

  private escape(): RegexNode {
    const char = this.source[this.at++] ?? '\\'
    if (char === 'b' || char === 'B') return NOTHING
    if (char === 'd') return { kind: 'chars', chars: '0123456789'.split('') }
    const unit = this.escapedUnit(char)
    if (unit !== undefined) return { kind: 'chars', chars: [unit] }
    const [rest = ''] = REST_OF_ESCAPE[/\d/.test(char) ? 'digit' : char]?.exec(this.source.slice(this.at)) ?? []
    this.at += rest.length
    return UNKNOWN
  }

  /** The unit that `\` and a letter mean, undefined when they mean no single one. Takes what belongs to it. */
  private escapedUnit(char: string): string | undefined {
    const [hex] = (char === 'x' ? /^[\da-f]{2}/i : /^[\da-f]{4}/i).exec(this.source.slice(this.at, this.at + 4)) ?? []
    if ((char === 'x' || char === 'u') && hex !== undefined) {
      this.at += hex.length
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    // `\0` before a digit is octal.
    if (char in CONTROL && !(char === '0' && /\d/.test(this.source[this.at] ?? ''))) return CONTROL[char]
    return /[\da-z]/i.test(char) ? undefined : char
  }

  private charClass(): RegexNode {
    const isNegated = this.source[this.at] === '^'
    const chars = new Set<string>()
    let isKnown = !isNegated
    if (isNegated) this.at++
    while (this.at < this.source.length && this.source[this.at] !== ']') {
      const from = this.classUnit()
      const isRange = this.source[this.at] === '-' && this.source[this.at + 1] !== ']'
      const to = isRange ? (this.at++, this.classUnit()) : from
      if (from === undefined || to === undefined) isKnown = false
      else if (isKnown) isKnown = addRange(chars, from, to)
    }
    this.at++
    return isKnown && chars.size > 0 ? { kind: 'chars', chars: [...chars] } : UNKNOWN
  }

  private classUnit(): string | undefined {
    const char = this.source[this.at++]!
    if (char !== '\\') return char
    const escaped = this.source[this.at++] ?? '\\'
    if (escaped === 'b') return '\b'
    if (escaped === 'c' && /\w/.test(this.source[this.at] ?? '')) this.at++
    return this.escapedUnit(escaped)
  }
}

/** Adds the units from one to another; false when they are too many. */
function addRange(chars: Set<string>, from: string, to: string): boolean {
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)]
  if (last - first >= MAX_CLASS) return false
  for (let code = first; code <= last; code++) chars.add(String.fromCharCode(code))
  return chars.size <= MAX_CLASS
}
