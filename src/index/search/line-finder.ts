// How a text is searched: gives the offset of one match per line, as with grep. What runs over the end of a line counts only
// when the line alone matches too.

/** Offsets of the matching lines' first matches, ascending. */
export type FindLines = (text: string) => number[]

export function literalLines(needle: string): FindLines {
  return (text) => {
    const offsets: number[] = []
    for (let at = text.indexOf(needle); at >= 0;) {
      offsets.push(at)
      const newline = text.indexOf('\n', at + needle.length - 1)
      if (newline < 0) break
      at = text.indexOf(needle, newline + 1)
    }
    return offsets
  }
}

/** `expression` has the flags g and m. */
export function regexLines(expression: RegExp): FindLines {
  const { source, flags } = expression
  return (text) => {
    const offsets: number[] = []
    expression.lastIndex = 0
    for (let match = expression.exec(text); match; match = expression.exec(text)) {
      // Behind the last newline there is no line.
      if (match.index === text.length && lineStart(text, match.index) === text.length) break
      const newline = lineEnd(text, match.index)
      const isAtReturn = match.index === newline && text[newline - 1] === '\r'
      if (match.index + match[0].length <= newline && !isAtReturn) offsets.push(match.index)
      else {
        // To an expression the return before a newline ends a line too, and the nothing behind it is one.
        const start = lineStart(text, match.index)
        const alone = new RegExp(source, flags).exec(text.slice(start, isAtReturn ? newline - 1 : newline))
        if (alone) offsets.push(start + alone.index)
      }
      if (newline >= text.length) break
      expression.lastIndex = newline + 1
    }
    return offsets
  }
}

/**
 * As `regexLines`, for an expression whose every match holds a text: only the lines with that text are tried. A hundred times
 * faster where the expression begins with what is everywhere and the text is rare.
 */
export function regexLinesWith(needle: string, expression: RegExp): FindLines {
  const alone = new RegExp(expression.source, expression.flags.replace('g', ''))
  const next = expression.ignoreCase ? caseless(needle) : (text: string, from: number) => text.indexOf(needle, from)
  return (text) => {
    const offsets: number[] = []
    for (let at = next(text, 0); at >= 0;) {
      const start = lineStart(text, at)
      const end = lineEnd(text, at)
      const match = alone.exec(text.slice(start, end))
      if (match) offsets.push(start + match.index)
      if (end >= text.length) break
      at = next(text, end + 1)
    }
    return offsets
  }
}

function caseless(needle: string): (text: string, from: number) => number {
  const expression = new RegExp(escaped(needle), 'gi')
  return (text, from) => {
    expression.lastIndex = from
    return expression.exec(text)?.index ?? -1
  }
}

/** A text as a regular expression. */
export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

export const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

export function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline
}
