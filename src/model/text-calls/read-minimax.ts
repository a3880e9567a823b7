import { brokenCall, excerpt, type FoundCall, type Unit } from './found.ts'
import type { Reader, Wait } from './reader.ts'
import { NAME_ATTRIBUTES, readTag, tagAhead, WRAPPERS } from './tags.ts'

type Found = Omit<Unit, 'place'>

/** MiniMax-M3 writes this token before each of its tags, so that no value can contain one of them. */
const MARK = ']<]minimax[>['
const MAX_DEPTH = 50
const MAX_SPACE = 200

/** Whether the mark of MiniMax-M3's tags stands at the current place. */
export const opensMinimax = (reader: Reader): boolean => reader.looksAt(MARK)

interface Opened {
  name: string
  close: boolean
  given: string | undefined
  empty: boolean
}

/** Reads the calls from a mark on: `<tool_call>`, `<invoke name="…">`, one tag for each argument. Undefined: no call. */
export function* readMinimaxUnit(reader: Reader): Wait<Found | undefined> {
  const calls: FoundCall[] = []
  let open = 0
  while (yield* reader.settled(() => reader.looksAt(MARK, reader.spaceAhead(0, MAX_SPACE)))) {
    yield* reader.space()
    const tag = yield* readMarkedTag(reader)
    if (tag === 'cut') {
      calls.push(brokenCall('', 'a complete call', 'the text ends inside it', true))
      break
    }
    if (!tag) return undefined
    if (WRAPPERS.has(tag.name)) {
      open += tag.close ? -1 : 1
      if (open <= 0) break
    } else if (tag.name === 'invoke' && tag.given !== undefined && !tag.close) {
      const call = yield* readInvoke(reader, tag)
      calls.push(call)
      if (call.truncated || call.broken) break
    } else if (!tag.close || tag.name !== 'invoke') return undefined
  }
  if (calls.length === 0) {
    if ((yield* reader.space()) >= 0) return undefined
    calls.push({ ...brokenCall('', 'a call', 'nothing after the opening mark', true), empty: true })
  }
  return { dialect: 'minimax', strong: true, calls }
}

/** A mark and the tag behind it. `cut`: the text ended in them. */
function* readMarkedTag(reader: Reader): Wait<Opened | 'cut' | undefined> {
  reader.at += MARK.length
  if ((yield* reader.space()) < 0) return 'cut'
  const { written } = yield* reader.settled(() => tagAhead(reader))
  const tag = yield* readTag(reader)
  if (!tag || tag === 'cut') return tag
  const given = tag.value ?? tag.attributes.find(([key]) => NAME_ATTRIBUTES.includes(key))?.[1]
  const isStructure = WRAPPERS.has(tag.name) || tag.name === 'invoke'
  return { name: isStructure ? tag.name : written, close: tag.close, given, empty: tag.empty }
}

function* readInvoke(reader: Reader, { given, empty }: Opened): Wait<FoundCall> {
  const call: FoundCall = { name: given!.trim(), value: {}, textual: true, repairs: [], truncated: false }
  if (empty) return call
  const read = yield* readContent(reader, 'invoke', call, 0)
  if (call.broken) return call
  if (typeof read === 'string') {
    if (read.trim() !== '') call.value = read
  } else call.value = read
  return call
}

/** What stands in a tag, up to and with its closing tag: text, or the tags in it as an object or a list. */
function* readContent(reader: Reader, name: string, call: FoundCall, depth: number): Wait<unknown> {
  let text = ''
  const children: [string, unknown][] = []
  while (true) {
    if (!reader.there() && !(yield* reader.more())) {
      call.truncated = true
      break
    }
    const next = reader.text.indexOf(']', reader.at)
    if (next !== reader.at) {
      text += reader.take((next < 0 ? reader.text.length : next) - reader.at)
      continue
    }
    if (!(yield* reader.settled(() => reader.looksAt(MARK)))) {
      text += reader.take(1)
      continue
    }
    const tag = yield* readMarkedTag(reader)
    if (tag === 'cut') {
      call.truncated = true
      break
    }
    if (!tag || depth > MAX_DEPTH || (tag.close && tag.name !== name)) {
      call.broken = { expected: `the end of <${name}>`, found: tag ? `</${tag.name}>` : excerpt(text) }
      return undefined
    }
    if (tag.close) break
    // The name in an attribute is MiniMax-M2's habit.
    const key = tag.given ?? tag.name
    children.push([key, tag.empty ? '' : yield* readContent(reader, tag.name, call, depth + 1)])
    if (call.broken) return undefined
    if (call.truncated) break
  }
  return children.length === 0 ? text : toValue(children)
}

function toValue(children: [string, unknown][]): unknown {
  if (children.every(([key]) => key === 'item')) return children.map(([, value]) => value)
  const fields = new Map<string, unknown>()
  const repeated = new Set<string>()
  for (const [key, value] of children) {
    if (!fields.has(key)) fields.set(key, value)
    else if (repeated.has(key)) (fields.get(key) as unknown[]).push(value)
    else {
      fields.set(key, [fields.get(key), value])
      repeated.add(key)
    }
  }
  return Object.fromEntries(fields)
}
