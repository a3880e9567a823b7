// The words of a question, and where a text holds them: found by one expression over the text, not by taking it apart.
import { gramsOf } from './grams.ts'
import { stem, wordsOf } from './words.ts'

/** Where the words stand in a text, ascending. */
export interface WordHits {
  offsets: number[]
  /** Which word of the question, for each offset. */
  words: number[]
}

/** Shortest part of a word that all its forms begin with, in characters, where the word itself is longer. */
const MIN_COMMON = 3

export class QueryWords {
  /** Stems, each once. */
  readonly stems: readonly string[]
  /** Trigrams of what the forms of each word begin with; empty for a word that is too short. */
  readonly grams: readonly Int32Array[]
  private readonly expression: RegExp
  /** Which word a part of a name or text is, by the part; -1 for none. */
  private readonly known = new Map<string, number>()

  constructor(query: string) {
    this.stems = [...new Set(wordsOf(query))]
    const common = this.stems.map(beginning)
    // Beyond ASCII, case folding differs from the filter's.
    this.grams = common.map((text) => gramsOf(Buffer.from(isPlain(text) ? text : '')))
    const plain = common.filter(isPlain)
    const lower = [...plain, ...plain.map((text) => text[0]!.toUpperCase() + text.slice(1))].join('|')
    const upper = plain.map((text) => text.toUpperCase()).join('|')
    const others = common.filter((text) => !isPlain(text))
    const parts = [
      ...(plain.length > 0 ? [`(?:${lower})[a-z]*`, `(?:${upper})[A-Z]*(?![a-z])`] : []),
      ...others.map((text) => `[${text[0]!.toUpperCase()}${text[0]}]${text.slice(1)}\\p{L}*`),
    ]
    this.expression = new RegExp(parts.length > 0 ? parts.join('|') : '(?!)', others.length > 0 ? 'gu' : 'g')
  }

  find(text: string): WordHits {
    const { expression } = this
    const found: WordHits = { offsets: [], words: [] }
    expression.lastIndex = 0
    for (let match = expression.exec(text); match; match = expression.exec(text)) {
      const [part] = match
      const word = this.wordOf(part)
      if (word < 0 || !isPartStart(text, match.index)) continue
      found.offsets.push(match.index)
      found.words.push(word)
    }
    return found
  }

  private wordOf(part: string): number {
    let word = this.known.get(part)
    if (word === undefined) {
      word = this.stems.indexOf(stem(part.toLowerCase()))
      this.known.set(part, word)
    }
    return word
  }
}

/** What a stem and all forms it stands for begin with: `apply` is also the stem of `applies`. */
function beginning(word: string): string {
  return word.endsWith('y') && word.length > MIN_COMMON ? word.slice(0, -1) : word
}

const isPlain = (text: string): boolean => /^[a-z]+$/.test(text)

/** Whether a part of a name begins here: small letters begin one behind what is no letter, capitals behind small letters too. */
function isPartStart(text: string, at: number): boolean {
  if (at === 0) return true
  const [first, before] = [text.charCodeAt(at), text.charCodeAt(at - 1)]
  if (isLower(first)) return !isLower(before) && !isUpper(before)
  return !isUpper(before) || isLower(text.charCodeAt(at + 1))
}

const isLower = (code: number): boolean => code >= 97 && code <= 122
const isUpper = (code: number): boolean => code >= 65 && code <= 90
