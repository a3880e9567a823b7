// Puts placeholders (⟦secret:N⟧) for secrets into what a model reads, and the secrets back into what it writes to the file they came
// from. Promises: one number per value and session; a known value never passes, also not in the usual encodings; a value is
// turned back only into a file that holds it already. Pure but for its list of values. Not a wall: a model that runs
// commands can encode what it reads in ways nobody lists; the sandbox and the policy keep it from reading.

import { findSecrets, type SecretRange } from './secret-patterns.ts'

export interface SecretMask {
  /** Values that are secret whatever they look like; added to those known before. */
  know(values: Iterable<string>): void
  /** The text with a placeholder for each secret. */
  mask(text: string): string
  /**
   * The text a model wrote with its placeholders turned back, for a write to a file that reads `fileText` now (null: no file).
   * Numbers that were never given out are plain text.
   */
  unmask(text: string, fileText: string | null): { ok: true; text: string } | { ok: false; message: string }
  /** Numbers of the placeholders in any string of a value (the arguments of a call). */
  carried(value: unknown): number[]
}

const PLACEHOLDER = /⟦secret:(\d+)⟧/g
// Shorter values would turn up in innocent words.
const SHORTEST_KNOWN = 6
const SHORTEST_ENCODED = 12

export function createSecretMask(): SecretMask {
  const known = new Set<string>()
  const values: string[] = []
  const numbers = new Map<string, number>()
  let pattern: RegExp | null = null

  function know(added: Iterable<string>): void {
    const before = known.size
    for (const value of added) {
      if (value.length < SHORTEST_KNOWN) continue
      known.add(value)
      for (const encoded of value.length < SHORTEST_ENCODED ? [] : encodingsOf(value)) known.add(encoded)
    }
    if (known.size === before) return
    const longestFirst = [...known].sort((a, b) => b.length - a.length)
    pattern = new RegExp(longestFirst.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
  }

  function numberOf(value: string): number {
    let number = numbers.get(value)
    if (number === undefined) {
      number = values.push(value)
      numbers.set(value, number)
    }
    return number
  }

  function mask(text: string): string {
    const ranges = [...knownIn(text), ...findSecrets(text)]
    if (ranges.length === 0) return text
    let masked = ''
    let at = 0
    for (const { start, end } of apart(ranges)) {
      masked += `${text.slice(at, start)}⟦secret:${numberOf(text.slice(start, end))}⟧`
      at = end
    }
    return masked + text.slice(at)
  }

  function knownIn(text: string): SecretRange[] {
    if (pattern === null) return []
    return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }))
  }

  function unmask(text: string, fileText: string | null): { ok: true; text: string } | { ok: false; message: string } {
    const foreign = carried(text).filter((number) => fileText?.includes(values[number - 1]!) !== true)
    if (foreign.length > 0) {
      const named = foreign.map((number) => `⟦secret:${number}⟧`).join(', ')
      return {
        ok: false,
        message: `${named} stands for a secret that is not in this file, so it cannot be written here. Read the value at run time instead, from the environment for example.`,
      }
    }
    const turned = text.replace(PLACEHOLDER, (placeholder, number: string) => values[Number(number) - 1] ?? placeholder)
    return { ok: true, text: turned }
  }

  function carried(value: unknown): number[] {
    const found = new Set<number>()
    for (const text of stringsIn(value)) {
      for (const [, number] of text.matchAll(PLACEHOLDER))
        if (Number(number) <= values.length) found.add(Number(number))
    }
    found.delete(0)
    return [...found]
  }

  return { know, mask, unmask, carried }
}

/** Ranges without overlap: those of known values and of patterns may cover one another. */
function apart(ranges: SecretRange[]): SecretRange[] {
  const result: SecretRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last === undefined || range.start >= last.end) result.push({ ...range })
    else last.end = Math.max(last.end, range.end)
  }
  return result
}

/** A value as it looks in JSON, in an address, in hexadecimal, and inside base64 at each of the three alignments. */
function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  // The characters at either end depend on the neighbours: only those whose six bits are all of the value count.
  const aligned = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  })
  const hex = bytes.toString('hex')
  const others = [JSON.stringify(value).slice(1, -1), encodeURIComponent(value), hex, hex.toUpperCase(), ...aligned]
  return others.filter((encoded) => encoded !== value && encoded.length >= SHORTEST_ENCODED)
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const each of value) yield* stringsIn(each)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      yield key
      yield* stringsIn(each)
    }
  }
}
