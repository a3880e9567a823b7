// Which words of a call are operands and which belong to options. Where that is not certain nothing is left out of judging.
import type { Word } from './segment.ts'

interface OptionSpec {
  /** Short options that take a value: the rest of their word, or the next one. */
  short: string
  /** Long options whose value is the next word when no `=` stands in theirs. */
  long: ReadonlySet<string>
  /** Long options that take none. */
  flags: ReadonlySet<string>
  /** Options that give the pattern or script, so that the first operand is a file. */
  gives: RegExp
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(' ').map((name) => `--${name}`))

/** Programs whose first operand is a pattern or a program (GNU grep 3.11, ripgrep 14, GNU sed 4.9, jq 1.7, awk). */
const SPECS: Readonly<Record<string, OptionSpec>> = {
  grep: {
    short: 'efmABCdD',
    long: set(
      'max-count after-context before-context context binary-files devices directories include exclude exclude-dir exclude-from label group-separator',
    ),
    flags: set(
      'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case word-regexp line-regexp null-data no-messages invert-match version help byte-offset line-number line-buffered with-filename no-filename only-matching quiet silent text recursive dereference-recursive files-without-match files-with-matches count initial-tab null color colour no-group-separator binary',
    ),
    gives: /^(?:-[ef]|--(?:regexp|file)$)/,
  },
  rg: {
    short: 'ABCEMTdefgjmrt',
    long: set(
      'after-context before-context context glob iglob type type-not type-add type-clear max-count max-depth maxdepth max-columns max-filesize replace encoding engine sort sortr threads color colors context-separator path-separator ignore-file regex-size-limit dfa-size-limit field-context-separator field-match-separator hyperlink-format generate',
    ),
    flags: set(
      'hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-global follow ignore-case smart-case case-sensitive word-regexp line-regexp fixed-strings invert-match files-with-matches files-without-match count count-matches only-matching line-number no-line-number column no-column heading no-heading with-filename no-filename null pretty json vimgrep multiline multiline-dotall pcre2 trim stats quiet passthru text binary unrestricted no-messages one-file-system crlf no-config debug version help',
    ),
    gives: /^(?:-[ef]|--(?:regexp|file|files|type-list)$)/,
  },
  sed: {
    short: 'efl',
    long: set('line-length'),
    flags: set('quiet silent regexp-extended separate unbuffered null-data posix sandbox debug'),
    gives: /^(?:-[ef]|--(?:expression|file)$)/,
  },
  awk: { short: 'Fvfieolbd', long: set(''), flags: set(''), gives: /^-f/ },
}
const ALIASES: Readonly<Record<string, string>> = { egrep: 'grep', fgrep: 'grep', gawk: 'awk', mawk: 'awk' }

/** Options of jq that take words of their own, with how many (jq(1)). */
const JQ_VALUES: Readonly<Record<string, number>> = {
  '--arg': 2,
  '--argjson': 2,
  '--slurpfile': 2,
  '--rawfile': 2,
  '--indent': 1,
}

/** Index of the word that is the pattern or program of a call; -1 when there is none, or it is not certain which it is. */
export function patternAt(name: string, args: readonly Word[]): number {
  if (name === 'jq') return jqFilterAt(args)
  const known = ALIASES[name] ?? name
  const spec = Object.hasOwn(SPECS, known) ? SPECS[known] : undefined
  if (!spec) return -1
  for (let at = 0; at < args.length; at++) {
    const value = args[at]!.value ?? args[at]!.prefix
    if (value === '--') return at + 1 < args.length ? at + 1 : -1
    if (!value.startsWith('-') || value === '-') return givenLater(args.slice(at + 1), spec) ? -1 : at
    if (args[at]!.value === undefined) return -1
    if (value.startsWith('--')) {
      if (value.includes('=') ? spec.gives.test(value.split('=')[0]!) : spec.gives.test(value)) return -1
      if (value.includes('=') || spec.flags.has(value)) continue
      if (!spec.long.has(value)) return -1
      at++
      continue
    }
    const letter = Array.from(value.slice(1)).find((each) => spec.short.includes(each))
    if (letter === undefined) continue
    if (spec.gives.test(`-${letter}`)) return -1
    if (value.endsWith(letter) && value.indexOf(letter) === value.length - 1) at++
  }
  return -1
}

/** GNU programs take options behind operands too. */
function givenLater(args: readonly Word[], { gives, short }: OptionSpec): boolean {
  return args.some(({ value = '' }) => {
    if (value.startsWith('--')) return gives.test(value.split('=')[0]!)
    const letter = /^-[^-]/.test(value) ? Array.from(value.slice(1)).find((each) => short.includes(each)) : undefined
    return letter !== undefined && gives.test(`-${letter}`)
  })
}

/** Options whose next word is a text and names no file. */
const TEXTS: Readonly<Record<string, RegExp>> = {
  grep: /^(?:-[a-zA-Z]*e|--regexp)$/,
  rg: /^(?:-[a-zA-Z]*e|--regexp)$/,
  sed: /^(?:-[nEruzs]*e|--expression)$/,
  awk: /^-[Fv]$/,
}

/** Indexes of the words that are patterns, scripts and such, and not files. */
export function textsAt(name: string, args: readonly Word[]): ReadonlySet<number> {
  const known = ALIASES[name] ?? name
  const option = Object.hasOwn(TEXTS, known) ? TEXTS[known] : undefined
  const found = new Set([patternAt(name, args)])
  const end = args.findIndex(({ value }) => value === '--')
  for (const [at, { value }] of args.entries()) {
    // An option in the place of another's value is taken for none: what follows it is judged.
    const free = !/^-[^-]*[a-zA-Z]$/.test(args[at - 1]?.value ?? '') || /^-[nEruzs]+$/.test(args[at - 1]!.value!)
    const after = at > 1 && found.has(at - 1)
    if (option?.test(value ?? '') && (free || after) && (end < 0 || at < end)) found.add(at + 1)
  }
  return found
}

function jqFilterAt(args: readonly Word[]): number {
  for (let at = 0; at < args.length; at++) {
    const { value } = args[at]!
    if (value === undefined) return -1
    if (!value.startsWith('-')) return at
    if (value === '--') return at + 1 < args.length ? at + 1 : -1
    at += JQ_VALUES[value] ?? 0
  }
  return -1
}

/**
 * The operands of a call, `--` seen; a word that may turn into several counts as so many that no limit holds. `takes` are the
 * options that take the next word.
 */
export function operandCount(args: readonly Word[], takes?: RegExp): number {
  let count = 0
  for (let at = 0; at < args.length; at++) {
    const { value, glob, prefix } = args[at]!
    if (value === undefined || glob) {
      if (value !== undefined || !prefix.startsWith('-')) return Infinity
      continue
    }
    if (value === '--')
      return args.slice(at + 1).some((word) => word.value === undefined || word.glob)
        ? Infinity
        : count + args.length - at - 1
    if (!value.startsWith('-') || value === '-') count++
    else if (takes?.test(value)) at++
  }
  return count
}
