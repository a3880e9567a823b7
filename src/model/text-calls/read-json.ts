import { MOST_NESTED } from '../../lib/foreign-json.ts'
import { isWord, isWordStart, type Reader, type Wait } from './reader.ts'
import { readString, type StringRead } from './read-string.ts'
import type { RepairKind } from './types.ts'

/**
 * How reading a JSON value ended: `closed` after its last character; `short` before a character that cannot
 * follow, where only closing brackets are missing; `cut` at the end of the text; `bad` where no rule fits.
 */
export interface JsonRead {
  state: 'closed' | 'short' | 'cut' | 'bad'
  value: unknown
  repairs: Set<RepairKind>
  /** Set when the text ended inside a string: what had arrived of it. */
  openString?: string
}

const MAX_WORD = 64

type Box = { list: unknown[] } | { entries: [string, unknown][]; key: string }
type Expect = 'value' | 'key' | 'colon' | 'next'

const WORDS: Record<string, { value: unknown; python: boolean }> = {
  true: { value: true, python: false },
  false: { value: false, python: false },
  null: { value: null, python: false },
  True: { value: true, python: true },
  False: { value: false, python: true },
  None: { value: null, python: true },
}
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 0x201c

/**
 * Reads one JSON value (strictly valid, or with the faults models make, each flagged) and stops right after it.
 * One pass, no going back; consumes what it read even when it ends `bad`.
 */
export function* readJson(reader: Reader): Wait<JsonRead> {
  const stack: Box[] = []
  const repairs = new Set<RepairKind>()
  let expect = 'value' as Expect
  let root: unknown
  let comma = false

  const top = (): Box | undefined => stack.at(-1)
  /** Puts a finished value where it belongs; true when it is the whole. */
  const put = (value: unknown): boolean => {
    const box = stack.at(-1)
    expect = 'next'
    if (!box) {
      root = value
      return true
    }
    if ('list' in box) box.list.push(value)
    else box.entries.push([box.key, value])
    return false
  }
  const close = (): boolean => {
    const box = stack.pop()!
    return put('list' in box ? box.list : Object.fromEntries(box.entries))
  }
  const finish = (state: JsonRead['state'], openString?: string): JsonRead => {
    if (state === 'short' || state === 'cut') {
      if (stack.length === 0 && expect !== 'next') return { state: 'bad', value: undefined, repairs, openString }
      repairs.add('missing-closer')
      while (stack.length > 0) close()
    }
    return { state, value: root, repairs, openString }
  }

  while (true) {
    let code = reader.spaceNow()
    if (code < 0) code = yield* reader.space()
    if (code < 0) return finish(expect === 'next' && top() && reader.ending === 'stopped' ? 'short' : 'cut')
    const box = top()

    if (code === 125 || code === 93) {
      if (!box || expect === 'colon') return finish('bad')
      const isList = 'list' in box
      if (isList !== (code === 93)) {
        // The closer of the box around this one: the inner closer is missing.
        const outer = stack.at(-2)
        if (expect !== 'next' || !outer || 'list' in outer !== (code === 93)) return finish('bad')
        repairs.add('missing-closer')
        close()
      } else if (expect === 'value' && !isList) return finish('bad')
      if (comma) repairs.add('trailing-comma')
      comma = false
      reader.at++
      if (close()) return finish('closed')
      continue
    }

    if (expect === 'next') {
      if (code === 44) {
        reader.at++
        comma = true
      } else if (box && (isQuote(code) || (code === 123 && 'list' in box))) repairs.add('missing-comma')
      else return finish(box ? 'short' : 'bad')
      expect = box && 'entries' in box ? 'key' : 'value'
      continue
    }

    if (expect === 'colon') {
      if (code !== 58) return finish('bad')
      reader.at++
      expect = 'value'
      continue
    }

    if (isQuote(code)) {
      comma = false
      const string: StringRead = yield* readString(reader, repairs)
      if (!string.closed) {
        // A key that was cut off goes; a value that was cut off stays, marked by `openString`.
        if (expect === 'value') put(string.value)
        return finish('cut', string.value)
      }
      if (expect === 'key') {
        if (box && 'entries' in box) box.key = string.value
        expect = 'colon'
      } else if (put(string.value)) return finish('closed')
      continue
    }

    if (expect === 'key') {
      if (!isWordStart(code)) return finish(comma || (code !== 60 && code !== 96) ? 'bad' : 'short')
      const word = yield* readRun(reader)
      if (word.length > MAX_WORD || !/^\w+$/.test(word)) return finish('bad')
      repairs.add('unquoted-key')
      if (box && 'entries' in box) box.key = word
      expect = 'colon'
      continue
    }

    comma = false
    if (code === 123 || code === 91) {
      if (stack.length >= MOST_NESTED) return finish('bad')
      reader.at++
      stack.push(code === 123 ? { entries: [], key: '' } : { list: [] })
      expect = code === 123 ? 'key' : 'value'
      continue
    }

    const word = yield* readRun(reader)
    const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
    // At the end of the text nobody knows whether a number went on.
    if (!known && stack.length > 0 && !(yield* reader.more()) && reader.ending !== 'stopped') return finish('cut', word)
    if (known?.python) repairs.add('python-literal')
    if (!known && !NUMBER.test(word)) return finish('bad')
    if (put(known ? known.value : Number(word))) return finish('closed')
  }
}

/** Letters, digits and the signs of numbers; stops after `MAX_WORD`. */
function* readRun(reader: Reader): Wait<string> {
  let word = ''
  while (word.length <= MAX_WORD && (reader.there() || (yield* reader.more()))) {
    const code = reader.text.charCodeAt(reader.at)
    if (!isWord(code) && code !== 43 && code !== 45 && code !== 46) break
    word += reader.take(1)
  }
  return word
}
