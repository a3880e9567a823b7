// Secrets that are ordinary texts (`4821`, `postgres`): hidden where their name stands before them, and where they stand alone on a line,
// which is what a program prints that was asked for the value.
import type { SecretRange } from './secret-patterns.ts'

/** Room for a name and what stands between it and its value. Characters. */
const LOOK_BACK = 120
const NAME_BEFORE = /([\w.-]{1,80})["'`]?\]?\s{0,8}(?:=>|:=|\?=|=|:|,|>|\s)\s{0,8}["'`]?$/
/** A line number of a listing, a sign of a diff. */
const LINE_BEFORE = /(?:^|\n)(?:[^\n:]{0,200}:\d+:|\s*\d+[|:\t-])?[ \t+-]*["']?$/

export class WeakValues {
  readonly #names = new Map<string, Set<string>>()
  #pattern: RegExp | undefined

  get size(): number {
    return this.#names.size
  }

  add(name: string, value: string): void {
    const names = this.#names.get(value) ?? new Set()
    names.add(plainName(name))
    this.#names.set(value, names)
    this.#pattern = undefined
  }

  /** How name and value stand together in the usual formats. */
  pairs(name: string, value: string): string[] {
    if (name === '') return []
    return [
      `${name}=${value}`,
      `${name}="${value}"`,
      `${name}='${value}'`,
      `${name}: ${value}`,
      `"${name}":"${value}"`,
      `"${name}": "${value}"`,
      `"${name}":${value}`,
    ]
  }

  find(text: string): SecretRange[] {
    if (this.#names.size === 0) return []
    this.#pattern ??= new RegExp(
      `(?<![\\w])(?:${[...this.#names.keys()]
        .toSorted((a, b) => b.length - a.length)
        .map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
        .join('|')})(?![\\w])`,
      'g',
    )
    const found: SecretRange[] = []
    for (const { index, 0: value } of text.matchAll(this.#pattern)) {
      const end = index + value.length
      const before = text.slice(Math.max(0, index - LOOK_BACK), index)
      const name = NAME_BEFORE.exec(before)?.[1]
      const isNamed = name !== undefined && this.#names.get(value)!.has(plainName(name))
      if (isNamed || (isLineEnd(text, end) && LINE_BEFORE.test(before))) found.push({ start: index, end })
    }
    return found
  }
}

/** `DB_PIN`, `dbPin` and `db.pin` are one name. */
function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}

function isLineEnd(text: string, at: number): boolean {
  return /^["']?[ \t\r]*(?:\n|$)/.test(text.slice(at, at + 40))
}
