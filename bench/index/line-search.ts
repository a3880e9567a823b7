// The peer of semantic.ts: plain BM25 (k1 1.2, b 0.75) over single lines, words split at what is no letter or digit, lower case.
const K1 = 1.2
const B = 0.75
const TOP = 10

export interface Line {
  path: string
  line: number
  text: string
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

export class LineSearch {
  private readonly lines: readonly Line[]
  private readonly lengths: Uint16Array
  private readonly average: number
  /** Lines of a word; a line stands twice when it says the word twice. */
  private readonly postings = new Map<string, number[]>()

  constructor(lines: readonly Line[]) {
    this.lines = lines
    this.lengths = new Uint16Array(lines.length)
    let total = 0
    lines.forEach(({ text }, at) => {
      const words = wordsOf(text)
      this.lengths[at] = words.length
      total += words.length
      for (const word of words) {
        const known = this.postings.get(word)
        if (known) known.push(at)
        else this.postings.set(word, [at])
      }
    })
    this.average = total / Math.max(1, lines.length)
  }

  /** The nearest lines, best first; of equals the earlier. */
  search(query: string): { path: string; startLine: number; endLine: number }[] {
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(query))) {
      const times = new Map<number, number>()
      for (const at of this.postings.get(word) ?? []) times.set(at, (times.get(at) ?? 0) + 1)
      const weight = Math.log(1 + (this.lines.length - times.size + 0.5) / (times.size + 0.5))
      for (const [at, n] of times) {
        const norm = K1 * (1 - B + (B * this.lengths[at]!) / this.average)
        scores.set(at, (scores.get(at) ?? 0) + (weight * n * (K1 + 1)) / (n + norm))
      }
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, TOP)
      .map(([at]) => ({ path: this.lines[at]!.path, startLine: this.lines[at]!.line, endLine: this.lines[at]!.line }))
  }
}
