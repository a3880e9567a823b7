// Which texts must stand in a file for a regular expression to match in it, so that the other files need not be read. The way
// of Russ Cox's "Regular Expression Matching with a Trigram Index" (2012): from the inside out, for each part the texts it can
// be, or else those it begins and ends with, and what must stand somewhere. Errs to too little.
import { parseRegex, type RegexNode } from './regex-syntax.ts'

/** Texts one of which must be there. */
type Choice = readonly string[]

interface Part {
  /** All texts it can be; undefined when they are too many. */
  exact: Choice | undefined
  /** Texts it begins and ends with; a `''` among them when that is not known. */
  prefix: Choice
  suffix: Choice
  /** Of each of these one text must be there. */
  needed: readonly Choice[]
}

/** Texts followed at once; more are cut to what is certain. */
const MAX_TEXTS = 64
/** Choices kept of an alternation, whose sides are multiplied. */
const MAX_CHOICES = 16
/** A shorter text has no trigram, so it leaves no file out. */
const MIN_BYTES = 3
/** Copies of a repeated part that are looked at. */
const MAX_COPIES = 4

const EMPTY: Part = { exact: [''], prefix: [''], suffix: [''], needed: [] }
const ANYTHING: Part = { exact: undefined, prefix: [''], suffix: [''], needed: [] }

/**
 * Choices of texts: one of each must stand in whatever the expression matches. Empty when nothing is certain.
 *
 * @param source what `new RegExp` takes without the flags u and v
 */
export function requiredLiterals(source: string, ignoresCase: boolean): string[][] {
  let whole: Part
  try {
    whole = partOf(parseRegex(source), ignoresCase)
  } catch {
    // Nested too deeply.
    return []
  }
  const found = new Map<string, string[]>()
  for (const choice of [...whole.needed, whole.exact ?? whole.prefix, whole.exact ?? whole.suffix]) {
    const texts = [...new Set(choice)].sort()
    if (texts.every(isUsable)) found.set(texts.join('\0'), texts)
  }
  return [...found.values()]
}

/** A text cut inside a character is not in UTF-8 what it is in a file. */
const isUsable = (text: string): boolean => Buffer.byteLength(text) >= MIN_BYTES && text.isWellFormed()

function partOf(node: RegexNode, ignoresCase: boolean): Part {
  switch (node.kind) {
    case 'unknown':
      return ANYTHING
    case 'chars': {
      // Beyond ASCII, case folding differs from the filter's.
      if (ignoresCase && node.chars.some((char) => char > '\u007F')) return ANYTHING
      return { exact: node.chars, prefix: node.chars, suffix: node.chars, needed: [] }
    }
    case 'sequence':
      return node.parts.map((part) => partOf(part, ignoresCase)).reduce(joined, EMPTY)
    case 'choice':
      return node.parts.map((part) => partOf(part, ignoresCase)).reduce(either)
    case 'repeat':
      return repeated(partOf(node.part, ignoresCase), node.least, node.most)
  }
}

/** One part behind the other. What stands at the border is known by the beginning or the end of the whole, or else is needed. */
function joined(a: Part, b: Part): Part {
  const needed = [...a.needed, ...b.needed]
  const [end, start] = [a.exact ?? a.suffix, b.exact ?? b.prefix]
  const border = product(end, start)
  if (a.exact && b.exact) {
    if (border) return { exact: border, prefix: border, suffix: border, needed }
    return { exact: undefined, prefix: a.exact, suffix: b.exact, needed }
  }
  if (a.exact) {
    if (border) return { exact: undefined, prefix: border, suffix: b.suffix, needed }
    return { exact: undefined, prefix: a.exact, suffix: b.suffix, needed: [...needed, start] }
  }
  if (b.exact) {
    if (border) return { exact: undefined, prefix: a.prefix, suffix: border, needed }
    return { exact: undefined, prefix: a.prefix, suffix: b.exact, needed: [...needed, end] }
  }
  return {
    exact: undefined,
    prefix: a.prefix,
    suffix: b.suffix,
    needed: [...needed, ...(border ? [border] : [end, start])],
  }
}

function either(a: Part, b: Part): Part {
  const both = a.exact && b.exact && union(a.exact, b.exact)
  if (both) return { exact: both, prefix: both, suffix: both, needed: [] }
  const needed = certainOf(a).flatMap((one) => certainOf(b).map((other) => union(one, other) ?? ['']))
  return {
    exact: undefined,
    prefix: union(a.exact ?? a.prefix, b.exact ?? b.prefix) ?? [''],
    suffix: union(a.exact ?? a.suffix, b.exact ?? b.suffix) ?? [''],
    needed: needed.filter((choice) => choice.every((text) => text.length >= MIN_BYTES)).slice(0, MAX_CHOICES),
  }
}

/** All that is known to be in a part. */
function certainOf({ exact, prefix, suffix, needed }: Part): readonly Choice[] {
  return exact ? [exact] : [...needed, prefix, suffix]
}

function repeated(part: Part, least: number, most: number): Part {
  if (least === 0) return most === 1 ? either(part, EMPTY) : ANYTHING
  let whole = part
  for (let copy = 1; copy < Math.min(least, MAX_COPIES); copy++) whole = joined(whole, part)
  if (most === least && least <= MAX_COPIES) return whole
  // Any number of further copies in between: what it ends with is what a copy ends with.
  const ending = joined(whole, ANYTHING)
  return { ...ending, suffix: part.exact ?? part.suffix }
}

/** Each of the first before each of the second; undefined when that is too many. */
function product(first: Choice, second: Choice): string[] | undefined {
  if (first.length * second.length > MAX_TEXTS) return undefined
  return [...new Set(first.flatMap((start) => second.map((end) => start + end)))]
}

function union(first: Choice, second: Choice): string[] | undefined {
  const all = new Set([...first, ...second])
  return all.size > MAX_TEXTS ? undefined : [...all]
}
