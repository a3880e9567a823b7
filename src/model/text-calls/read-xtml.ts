import { brokenCall, lineAhead, type FoundCall, type Unit } from './found.ts'
import { readJson } from './read-json.ts'
import { endsBadly } from './read-payload.ts'
import { isWord, type Reader, type Wait } from './reader.ts'
import { decodeEntities } from './tags.ts'

type Found = Omit<Unit, 'place'>

// Kimi K3's markup: `<|open|>name key="value"<|sep|>` opens an element, `<|close|>name<|sep|>` closes it.
const OPEN = '<|open|>'
const CLOSE = '<|close|>'
const SEP = '<|sep|>'
const MAX_HEAD = 400
const MAX_NAME = 40
const MAX_SPACE = 200

/** The name of the element that opens or closes at the current place; `length` reaches past its last mark. */
export interface ElementAhead {
  name: string
  close: boolean
  length: number
}

/** Looks at the element at the current `<|open|>` or `<|close|>`; undefined where it is not one. */
export function elementAhead(reader: Reader, offset = 0): ElementAhead | undefined {
  const close = reader.looksAt(CLOSE, offset)
  if (!close && !reader.looksAt(OPEN, offset)) return undefined
  const from = offset + (close ? CLOSE : OPEN).length
  const name = reader.runAhead(from, MAX_NAME, isWord)
  const head = reader.runAhead(from + name.length, MAX_HEAD, (code) => code >= 32 && code !== 60)
  const end = from + name.length + head.length
  if (name === '' || !reader.looksAt(SEP, end)) return undefined
  return { name: name.toLowerCase(), close, length: end + SEP.length - offset }
}

/** Reads `<|open|>tools<|sep|>` with its calls, or calls without it. Undefined: no call. */
export function* readXtmlUnit(reader: Reader): Wait<Found | undefined> {
  const calls: FoundCall[] = []
  while (true) {
    const from = yield* reader.settled(() => reader.spaceAhead(0, MAX_SPACE))
    const element = yield* reader.settled(() => elementAhead(reader, from))
    if (!element || (element.name !== 'tools' && element.name !== 'call')) break
    reader.at += from
    const head = reader.take(element.length)
    if (element.close) {
      if (element.name === 'tools') break
      continue
    }
    if (element.name === 'tools') continue
    const call = yield* readXtmlCall(reader, attributesOf(head)['tool'] ?? '')
    calls.push(call)
    if (call.broken || call.truncated) break
  }
  if (calls.length > 0) return { dialect: 'xtml', strong: true, calls }
  if ((yield* reader.space()) >= 0) return undefined
  const empty = { ...brokenCall('', 'a call', 'nothing after the opening mark', true), empty: true }
  return { dialect: 'xtml', strong: true, calls: [empty] }
}

function* readXtmlCall(reader: Reader, name: string): Wait<FoundCall> {
  const call: FoundCall = { name, value: undefined, textual: true, repairs: [], truncated: false }
  const fields: [string, unknown][] = []
  while (true) {
    if ((yield* reader.space()) < 0) {
      call.truncated = true
      break
    }
    const element = yield* reader.settled(() => elementAhead(reader))
    if (!element) return brokenCall(name, 'an argument or the end of the call', yield* lineAhead(reader))
    // The end of the tools closes a call that was not closed.
    if (element.close && element.name !== 'call') {
      call.repairs.push('unclosed-tag')
      break
    }
    const head = reader.take(element.length)
    if (element.close) break
    if (element.name === 'json') {
      const read = yield* readJson(reader)
      if (yield* endsBadly(reader, read)) return brokenCall(name, 'one JSON object', yield* lineAhead(reader))
      call.textual = false
      call.value = read.value
      call.repairs.push(...read.repairs)
      call.truncated = read.state === 'cut'
      if (call.truncated) return call
      yield* reader.space()
      const end = yield* reader.settled(() => elementAhead(reader))
      if (end?.close && end.name === 'json') reader.at += end.length
      continue
    }
    const { key, type } = attributesOf(head)
    const value = yield* readText(reader, element.name)
    if (value === undefined) {
      call.truncated = true
      break
    }
    if (key !== undefined) fields.push([key, type === 'string' ? value : value.trim()])
  }
  if (fields.length > 0) call.value = Object.fromEntries(fields)
  return call
}

/** The text of an element up to and with its closing mark; undefined where the text ends before. */
function* readText(reader: Reader, name: string): Wait<string | undefined> {
  let text = ''
  while (reader.there() || (yield* reader.more())) {
    const next = reader.text.indexOf('<', reader.at)
    if (next !== reader.at) {
      text += reader.take((next < 0 ? reader.text.length : next) - reader.at)
      continue
    }
    const element = yield* reader.settled(() => elementAhead(reader))
    if (element?.close && element.name === name) {
      reader.at += element.length
      return text
    }
    text += reader.take(1)
  }
  return undefined
}

const attributesOf = (head: string): Record<string, string> =>
  Object.fromEntries(Array.from(head.matchAll(/(\w+)="([^"]*)"/g), ([, key, value]) => [key!, decodeEntities(value!)]))
