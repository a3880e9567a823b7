// Puts placeholders (⟦secret:N⟧) for secrets into what a model reads, and the secrets back into what it writes to the file they came
// from. Promises: one number per text and session; a known value never passes, also not in the forms of secret-forms.ts, over line
// ends or in a dump; a value is turned back only into a file that holds it already. Pure but for its list of values. Not a wall: a
// program can encode what it reads in ways nobody lists; the sandbox and the policy keep it from reading.

import { findInDumps } from './byte-dump.ts'
import { FormIndex } from './form-index.ts'
import { OutgoingCheck } from './outgoing-check.ts'
import type { NamedValue } from './secret-file-values.ts'
import { formsOf } from './secret-forms.ts'
import { isParticular } from './secret-names.ts'
import { findSecrets, type SecretRange } from './secret-patterns.ts'
import { createStreamMask, type StreamMask } from './stream-mask.ts'
import { WeakValues } from './weak-values.ts'

export interface SecretMask {
  /** Values that are secret whatever they look like; added to those known before. */
  know(values: Iterable<string | NamedValue>): void
  /** The text with a placeholder for each secret. */
  mask(text: string): string
  /** The same for every string in a value, keys included; the value itself when there is nothing to hide. */
  maskDeep: <T>(value: T) => T
  /** The same for known values alone: what only looks like a secret is the word of whoever wrote it. */
  maskKnown: <T>(value: T) => T
  /** Masks a text that comes in pieces: what may be the beginning of a secret is kept back until it is known not to be one. */
  stream: () => StreamMask
  /**
   * The text a model wrote with its placeholders turned back, for a write to a file that reads `fileText` now (null: no file).
   * Numbers that were never given out are plain text.
   */
  unmask(text: string, fileText: string | null): { ok: true; text: string } | { ok: false; message: string }
  /** Numbers of the placeholders in any string of a value (the arguments of a call). */
  carried(value: unknown): number[]
  /** Whether a string of a value that is to leave holds a known secret, in any form, case or split by separators. */
  holdsKnown: (value: unknown) => boolean
}

const PLACEHOLDER = /⟦secret:(\d+)⟧/g
/** Shorter values would turn up in innocent words. */
const SHORTEST_GIVEN = 6
/** A form shorter than this may come about by chance where words are joined. */
const SHORTEST_SQUEEZED = 12
/** Values that were found by their looks and are kept. */
const MOST_FOUND = 2_000
/** Long texts that were masked and come again: a result is stored, told as an event and sent. */
const REMEMBERED = 32
const WORTH_REMEMBERING = 256

export function createSecretMask(): SecretMask {
  const seen = new Set<string>()
  const forms = new FormIndex(SHORTEST_GIVEN)
  const squeezed = new FormIndex(SHORTEST_SQUEEZED)
  const weak = new WeakValues()
  const outgoing = new OutgoingCheck()
  const values: string[] = []
  const numbers = new Map<string, number>()
  const clean = new Set<string>()
  const found = new FormIndex(SHORTEST_GIVEN)

  function know(added: Iterable<string | NamedValue>): void {
    for (const each of added) {
      const { name, value } = typeof each === 'string' ? { name: '', value: each } : each
      const key = `${name}\0${value}`
      if (seen.has(key)) continue
      seen.add(key)
      if (value.length < 3) continue
      clean.clear()
      // Given without a name: whoever gives it knows that it is one.
      if (typeof each === 'string' ? value.length >= SHORTEST_GIVEN : isParticular(value))
        learn(value, [value, ...formsOf(value)])
      else {
        weak.add(name, value)
        // Beside its name it is particular enough to be known in its forms.
        for (const pair of weak.pairs(name, value)) learn(pair, formsOf(pair))
      }
    }
  }

  function learn(value: string, all: readonly string[]): void {
    for (const form of all) {
      forms.add(form)
      const bare = form.replaceAll(/\s+/g, '')
      if (bare.length >= SHORTEST_SQUEEZED) squeezed.add(bare)
    }
    outgoing.add(value, all)
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
    if (text.length < 4 || clean.has(text)) return text
    const looks = findSecrets(text)
    for (const { start, end } of looks) noteFound(text.slice(start, end))
    const masked = without(text, [...knownIn(text), ...looks, ...found.find(text)])
    remember(masked)
    return masked
  }

  /** What was hidden once for what stood around it is hidden where it stands alone: `cut -d= -f2 config.ts` behind a look at the file. */
  function noteFound(value: string): void {
    if (found.size >= MOST_FOUND || !isParticular(value)) return
    const before = found.size
    for (const form of [
      value,
      ...value.split('\n').filter((line) => line.length >= SHORTEST_SQUEEZED && !line.startsWith('-----')),
    ])
      found.add(form)
    if (found.size > before) clean.clear()
  }

  const known = (text: string): string => (text.length < 4 || clean.has(text) ? text : without(text, knownIn(text)))

  function without(text: string, found: SecretRange[]): string {
    if (found.length === 0) return text
    const ranges = outsidePlaceholders(text, apart(found))
    let masked = ''
    let at = 0
    for (const { start, end } of ranges) {
      masked += `${text.slice(at, start)}⟦secret:${numberOf(text.slice(start, end))}⟧`
      at = end
    }
    return masked + text.slice(at)
  }

  function remember(masked: string): void {
    if (masked.length < WORTH_REMEMBERING) return
    clean.add(masked)
    if (clean.size > REMEMBERED) clean.delete(clean.values().next().value!)
  }

  function knownIn(text: string): SecretRange[] {
    if (forms.size === 0 && weak.size === 0) return []
    return [
      ...forms.find(text),
      ...overLineEnds(text),
      ...findInDumps(text, (decoded) => dumped(decoded)),
      ...weak.find(text),
    ]
  }

  /** Bytes of a dump are read as latin1; values are known as what they say. */
  function dumped(decoded: string): SecretRange[] {
    const utf8 = Buffer.from(decoded, 'latin1').toString('utf8')
    const found = utf8.length === decoded.length ? [...forms.find(decoded), ...weak.find(decoded)] : []
    // With wider characters the places differ: the whole block is hidden.
    if (utf8.length !== decoded.length && (forms.find(utf8).length > 0 || weak.find(utf8).length > 0))
      return [{ start: 0, end: decoded.length }]
    return found
  }

  /** Forms that white space was put into: wrapped base64, spaced hexadecimal. */
  function overLineEnds(text: string): SecretRange[] {
    const bare = text.replaceAll(/\s+/g, '')
    if (bare.length === text.length) return []
    const hits = squeezed.find(bare)
    if (hits.length === 0) return []
    const at = placesIn(text, new Set(hits.flatMap(({ start, end }) => [start, end - 1])))
    return hits.map(({ start, end }) => ({ start: at.get(start)!, end: at.get(end - 1)! + 1 }))
  }

  /** How much of a text can be let go before `until` although more will come: no known value is cut, and none may be begun. */
  function settledUntil(text: string, until: number): number {
    let settled = Math.min(until, openFrom(text))
    if (settled === text.length) return settled
    for (const { start, end } of apart([...forms.find(text), ...overLineEnds(text)])) {
      if (start < settled && end > settled) settled = start
    }
    return settled
  }

  /** Where the end of a text begins that may become a known value with what follows. */
  function openFrom(text: string): number {
    const plain = forms.openFrom(text)
    const bare = text.replaceAll(/\s+/g, '')
    const spaced = squeezed.openFrom(bare)
    return spaced === bare.length ? plain : Math.min(plain, placesIn(text, new Set([spaced])).get(spaced)!)
  }

  function maskDeep<T>(value: T): T {
    return deep(value, mask) as T
  }

  function maskKnown<T>(value: T): T {
    return deep(value, known) as T
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

  function holdsKnown(value: unknown): boolean {
    for (const text of stringsIn(value)) if (outgoing.holds(text) || knownIn(text).length > 0) return true
    return false
  }

  const stream = (): StreamMask => createStreamMask(mask, settledUntil)

  return { know, mask, maskDeep, maskKnown, stream, unmask, carried, holdsKnown }
}

/** Where characters counted without white space stand in a text. */
function placesIn(text: string, counted: ReadonlySet<number>): Map<number, number> {
  const at = new Map<number, number>()
  for (let i = 0, count = 0; i < text.length && at.size < counted.size; i++) {
    if (isSpace(text.charCodeAt(i))) continue
    if (counted.has(count)) at.set(count, i)
    count += 1
  }
  return at
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)))
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

/** What a placeholder is made of is not masked again; a range that reaches over one stays. */
function outsidePlaceholders(text: string, ranges: SecretRange[]): SecretRange[] {
  if (!text.includes('⟦secret:')) return ranges
  const taken = [...text.matchAll(PLACEHOLDER)].map(({ index, 0: whole }) => ({
    start: index,
    end: index + whole.length,
  }))
  return ranges.filter(({ start, end }) => !taken.some((each) => start >= each.start && end <= each.end))
}

function deep(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) {
    let changed = false
    const items = value.map((each: unknown) => {
      const masked = deep(each, mask)
      changed ||= masked !== each
      return masked
    })
    return changed ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  let changed = false
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
    const [name, masked] = [mask(key), deep(each, mask)]
    changed ||= name !== key || masked !== each
    return [name, masked]
  })
  return changed ? Object.fromEntries(entries) : value
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
