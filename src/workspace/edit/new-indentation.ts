// Decides at which indentation a new text is meant when the old text stood at another one than the file's: at the old text's,
// so that it is shifted as the old text was, or at the file's already. Promises: where both readings are possible and nothing
// in the layout tells them apart, it says so; it never picks one by chance. The layout is read from brackets, colons and the
// lines around the place, so it works for most languages and knows none.

/** One reading of a new text: the lines that would stand in the file, in place of those that were found. */
export interface Reading<T> {
  lines: readonly string[]
  /** How many lines that old and new text share stand where this reading expects them. */
  votes: number
  value: T
}

/** What surrounds the place. */
export interface Surroundings {
  /** The nearest lines that are not blank; undefined at the file's ends. */
  before: string | undefined
  after: string | undefined
  /** The lines that are replaced, as they are in the file. */
  replaced: readonly string[]
  style: Style
}

/** How a file is laid out. */
export interface Style {
  /** Columns of one level of indentation: what a line after an opening one most often adds; undefined when nothing shows it. */
  step: number | undefined
  /** Blocks end with a bracket on a line of its own, so no line stands less deep than the one before without one. */
  braces: boolean
}

/** The reading that fits the layout of the file, or undefined when two different ones fit it equally well. */
export function likelierReading<T>(readings: readonly Reading<T>[], around: Surroundings): T | undefined {
  const [first, ...others] = readings
  if (!first) return undefined
  if (others.every((each) => sameLines(each.lines, first.lines))) return first.value
  const ranked = readings
    .map((reading) => ({ reading, faults: layoutFaults(reading.lines, around) }))
    .toSorted((a, b) => a.faults - b.faults || b.reading.votes - a.reading.votes)
  const [best, second] = ranked
  // Shared lines decide where they are most of the text and speak for one reading alone; a few stand right by chance.
  const texts = best!.reading.lines.filter((line) => line.trim() !== '').length
  if (best!.reading.votes * 2 >= texts && second!.reading.votes === 0) return best!.reading.value
  // Where even the best stands wrong, the layout is not understood.
  const understood = best!.faults < WRONG_DIRECTION || best!.faults <= layoutFaults(around.replaced, around)
  return understood && best!.faults < second!.faults ? best!.reading.value : undefined
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line.trimEnd() === b[at]!.trimEnd())
}

/** Columns that a tab counts for; only differences between lines matter. */
const TAB_COLUMNS = 4

/** Columns of a line's indentation. */
function indentColumns(line: string): number {
  let columns = 0
  for (const character of line) {
    if (character === '\t') columns += TAB_COLUMNS
    else if (character === ' ') columns += 1
    else break
  }
  return columns
}

const OPENS = /(?:[{([:]|=>|->|\b(?:then|do|else|begin))(?:\s*|\s+(?:\/\/|#).*)$/
const CONDITION = /^\s*(?:\} *)?(?:else +)?(?:if|for|while) *\(/

function opens(line: string): boolean {
  return OPENS.test(line) || isCondition(line)
}

/** A line that is nothing but a condition in brackets, so that what it governs stands on the next one. */
function isCondition(line: string): boolean {
  const head = CONDITION.exec(line)
  if (!head) return false
  const text = line.trimEnd()
  let depth = 1
  let at = head[0].length
  for (; at < text.length && depth > 0; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
  return depth === 0 && at === text.length
}

/** A line that the next one may or may not stand deeper than: an open expression, a tag, a comment. */
const GOES_ON = /(?:[=,&|+\-*/?<>.]|\\|\b(?:return|in|of|and|or|not|extends|implements))\s*$|^\s*(?:<|@|\/\*|\*|#|--)/
const CLOSES = /^\s*(?:[})\]]|<\/|\/>|(?:end|fi|done|esac|else|elif|elsif|except|finally|catch)\b)/
/** Stands at the level of what it is a part of, or one deeper. */
const LABEL = /^\s*(?:case|default|when)\b/
const COMMENT = /^\s*(?:\/\/|#)/
/** A list item of YAML or Markdown: what belongs to it stands below its text. */
const LIST_ITEM = /^\s*((?:[-*+]|\d+[.)]) +)\S/
const CLOSING_BRACKET = /^\s*[})\]]/
/** A line that may stand deeper than the one before it without that one opening anything. */
const CONTINUES = /^\s*(?:[.?:+\-*&|<>=,%^"'`]|\/(?![/*])|(?:and|or|extends|implements)\b)/

/** A line in the wrong direction counts more than one that is only too deep. */
const WRONG_DIRECTION = 2
const WRONG_STEP = 1

/** How often a line stands where the line before it does not let it stand. */
function layoutFaults(lines: readonly string[], { before, after, replaced, style }: Surroundings): number {
  // Where the file itself stands so, its neighbours say nothing.
  const was = replaced.find((line) => line.trim() !== '')
  const wasLast = replaced.findLast((line) => line.trim() !== '')
  const head = before !== undefined && was !== undefined && faultBetween(before, was, style) === 0 ? before : undefined
  const tail =
    after !== undefined && wasLast !== undefined && faultBetween(wasLast, after, style) === 0 ? after : undefined
  const all = [head, ...lines, tail].filter((line) => line !== undefined && line.trim() !== '') as string[]
  let faults = 0
  for (const [at, line] of all.entries()) {
    const last = all[at - 1]
    if (last !== undefined) faults += faultBetween(last, line, style)
  }
  return faults + mixedIndentation(lines, before ?? after)
}

function faultBetween(last: string, line: string, { step, braces }: Style): number {
  const deeper = indentColumns(line) - indentColumns(last)
  if (COMMENT.test(last) && COMMENT.test(line)) return deeper === 0 ? 0 : WRONG_DIRECTION
  const item = LIST_ITEM.exec(last)
  if (item && deeper === item[1]!.length) return 0
  const closes = CLOSES.test(line)
  if (LABEL.test(line)) return deeper <= 0 || (opens(last) && deeper === step) ? 0 : WRONG_DIRECTION
  if (opens(last)) {
    if (closes) return deeper === 0 ? 0 : deeper < 0 && /:\s*$/.test(last) ? 0 : WRONG_DIRECTION
    if (deeper <= 0) return WRONG_DIRECTION
    return step === undefined || deeper === step ? 0 : WRONG_STEP
  }
  if (/[^=!<>]=\s*$/.test(last) && deeper <= 0) return WRONG_STEP
  if (GOES_ON.test(last)) return step !== undefined && deeper > 2 * step ? WRONG_STEP : 0
  if (closes) {
    if (CONDITION.test(last) && deeper < 0 && /^\s*else\b/.test(line)) return WRONG_DIRECTION
    const follows = CLOSES.test(last) && !(CLOSING_BRACKET.test(last) && CLOSING_BRACKET.test(line))
    return deeper > 0 || (deeper === 0 && !follows) ? WRONG_DIRECTION : 0
  }
  if (deeper < 0) return braces && !CONTINUES.test(last) && !/^\s*\*/.test(last) ? WRONG_STEP : 0
  if (deeper === 0) return 0
  return CONTINUES.test(line) && (step === undefined || deeper <= 2 * step) ? 0 : WRONG_DIRECTION
}

/** Lines indented with another character than the file's own line beside them. */
function mixedIndentation(lines: readonly string[], beside: string | undefined): number {
  const own = /^[ \t]/.exec(beside ?? '')?.[0]
  if (own === undefined) return 0
  return lines.filter((line) => line.trim() !== '' && /^[ \t]/.test(line) && line[0] !== own).length
}

/** More lines are not looked at: the first thousand show how a file is indented. */
const LOOKED_AT = 1_000

/** Reads how a file is laid out. */
export function styleOf(lines: readonly { text: string }[]): Style {
  const counts = new Map<number, number>()
  let braces = false
  let last: string | undefined
  for (const { text } of lines.slice(0, LOOKED_AT)) {
    if (text.trim() === '') continue
    braces ||= CLOSING_BRACKET.test(text)
    const deeper = last === undefined ? 0 : indentColumns(text) - indentColumns(last)
    if (deeper > 0 && opens(last!)) counts.set(deeper, (counts.get(deeper) ?? 0) + 1)
    last = text
  }
  return { step: [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0], braces }
}
