import { brokenCall, excerpt, lineAhead, type FoundCall, type Unit } from './found.ts'
import { givesName, readCallBody } from './read-call-body.ts'
import { isNamePart, readFence, readPayload } from './read-payload.ts'
import { pythonName } from './read-python.ts'
import { isWordStart, type Reader, type Wait } from './reader.ts'
import { opensMinimax, readMinimaxUnit } from './read-minimax.ts'
import {
  ARGUMENT_TAGS,
  CALL_TAGS,
  NAME_ATTRIBUTES,
  NAME_TAGS,
  readTag,
  tagAhead,
  WEAK_WRAPPERS,
  WRAPPERS,
  type Tag,
} from './tags.ts'
import { toolCalled, type ToolIndex } from './tool-index.ts'
import type { Dialect } from './types.ts'

const ID_ATTRIBUTES = ['id', 'call_id', 'tool_call_id', 'type']
const MAX_SPACE = 200
/** Between a name and the object after it. */
const MAX_GAP = 3
/** A call that cannot be read is looked through this far for its end. */
const MAX_UNREAD = 2000
/** Opening tags without a call after them, before it is the noise of a model that repeats itself. */
const MAX_OPENINGS = 10
const MAX_NAME = 100

type Found = Omit<Unit, 'place'>
/** `openings` counts the tags opened inside. */
type Wrapped = Found & { openings?: number }

/** Whether a tag may open a call: `name` is simplified by `tagAhead`, `written` as it stands. */
export const opensCall = (index: ToolIndex, name: string, written: string): boolean =>
  WRAPPERS.has(name) || WEAK_WRAPPERS.has(name) || CALL_TAGS.has(name) || toolCalled(index, written) !== undefined

/** Reads calls in tags from the opening tag on. Undefined: no call; what was looked at is consumed. */
export function* readTagUnit(reader: Reader, index: ToolIndex): Wait<Found | undefined> {
  const { name, written } = yield* reader.settled(() => tagAhead(reader))
  const wrapper = WRAPPERS.has(name)
  const tag = yield* readTag(reader)
  if (!tag || tag === 'cut') {
    const certain = wrapper || name === 'invoke' || index.exact.has(written)
    if (tag !== 'cut' || !certain) return undefined
    const call = brokenCall(index.exact.has(written) ? written : '', 'a complete call', 'the text ends inside it', true)
    return { dialect: 'invoke', strong: wrapper || name === 'invoke', calls: [call] }
  }
  const given = tag.value?.trim() ?? find(tag, NAME_ATTRIBUTES)
  if (WEAK_WRAPPERS.has(name)) {
    const unit = tag.close ? undefined : yield* readWrapped(reader, index, tag)
    return unit && !unit.calls.some((call) => call.broken) ? { ...unit, strong: false } : undefined
  }
  if (wrapper && given === undefined) {
    const block = (yield* reader.settled(() => reader.code())) === 10
    return (yield* readWrapped(reader, index, tag)) ?? (block ? yield* readUnread(reader, index, tag.name) : undefined)
  }
  return yield* readCallTag(reader, index, tag, written, given, [])
}

/** One call whose opening tag was read: `<function=name>`, `<invoke name="…">`, `<read_file>`. */
function* readCallTag(
  reader: Reader,
  index: ToolIndex,
  tag: Tag,
  written: string,
  given: string | undefined,
  around: readonly string[],
): Wait<Found | undefined> {
  const element = !WRAPPERS.has(tag.name) && !CALL_TAGS.has(tag.name)
  const name = element ? written : (given ?? '')
  const attributes = argumentAttributes(index, tag, name, element)
  const dialect: Dialect = element ? 'element' : tag.value === undefined ? 'invoke' : 'function'
  const strong = WRAPPERS.has(tag.name) || tag.name === 'invoke' || tag.name === 'function'
  if (tag.empty) {
    if (!name) return undefined
    const call: FoundCall = {
      name,
      value: Object.fromEntries(attributes),
      textual: true,
      repairs: [],
      truncated: false,
    }
    return { dialect, strong, calls: [{ ...call, id: find(tag, ID_ATTRIBUTES.slice(0, -1)) }] }
  }
  const call = yield* readCallBody(reader, { index, name, tag: tag.name, around, given: attributes })
  if (!call) return undefined
  // `<tool>` and its like are words of many markups: without a name of their own they need a child that gives it.
  return { dialect, strong, calls: [{ ...call, id: call.id ?? find(tag, ID_ATTRIBUTES.slice(0, -1)) }] }
}

/** The attributes that are arguments: not the one that gives the name, nor an id unless the tool asks for one. */
function argumentAttributes(index: ToolIndex, tag: Tag, name: string, element: boolean): [string, string][] {
  if (element) return tag.attributes
  const properties = toolCalled(index, name)?.schema.properties ?? {}
  const naming = tag.value === undefined ? tag.attributes.find(([key]) => NAME_ATTRIBUTES.includes(key)) : undefined
  return tag.attributes.filter((each) => {
    const [key] = each
    if (each === naming) return false
    return Object.hasOwn(properties, key) || !(NAME_ATTRIBUTES.includes(key) || ID_ATTRIBUTES.includes(key))
  })
}

/** What stands in `<tool_call>…</tool_call>` and its like: JSON, Python, tags, a bare name. */
function* readWrapped(reader: Reader, index: ToolIndex, outer: Tag): Wait<Found | undefined> {
  const unit: Wrapped = { dialect: 'tagged-json', strong: true, calls: [] }
  const open = [outer.name]
  const id = find(outer, ID_ATTRIBUTES.slice(0, -1))
  if (outer.empty) return undefined
  while (open.length > 0) {
    const code = yield* reader.space()
    if (code < 0) {
      if (unit.calls.length === 0)
        unit.calls.push({ ...brokenCall('', 'a call', 'nothing after the opening tag', true), empty: true })
      else unit.calls.at(-1)!.repairs.push('unclosed-tag')
      break
    }
    if (code === 44 || code === 59) {
      reader.at++
      continue
    }
    if (code === 96) {
      if (yield* readFence(reader)) continue
      return undefined
    }
    // MiniMax-M3 with its outer tag unmarked.
    if (code === 93 && (yield* reader.settled(() => opensMinimax(reader)))) {
      const marked = yield* readMinimaxUnit(reader)
      if (!marked) return undefined
      unit.dialect = marked.dialect
      unit.calls.push(...marked.calls)
      yield* skipNoise(reader, open[0]!)
      break
    }
    if (code === 60) {
      const step = yield* readInWrapper(reader, index, unit, open)
      if (step === 'end') break
      if (step === 'no') return unit.calls.at(-1)?.broken ? unit : undefined
      continue
    }
    const bare = isWordStart(code) ? yield* reader.settled(() => bareName(reader)) : ''
    if (bare) {
      reader.at += bare.length
      const call = yield* readCallBody(reader, {
        index,
        name: bare,
        tag: open.at(-1)!,
        around: open.slice(0, -1),
        given: [],
      })
      open.pop()
      if (!call) return undefined
      unit.dialect = 'arg-key'
      unit.calls.push(call)
      continue
    }
    // Granite closes no tag: what follows a whole call is prose.
    const mayEnd = outer.name === 'function_call' && unit.calls.length > 0 && code !== 123 && code !== 91
    if (mayEnd && !(yield* reader.settled(() => opensPiece(reader)))) {
      unit.calls.at(-1)!.repairs.push('unclosed-tag')
      break
    }
    const payload = yield* readPayload(reader, index, WRAPPERS.has(outer.name))
    if (!payload) {
      const last = unit.calls.at(-1)
      if (last) last.broken = { expected: 'nothing but calls between the tags', found: yield* lineAhead(reader) }
      // Only JSON shows that a call was meant; a word after the tag is prose about it.
      else if (code !== 123 && code !== 91) return undefined
      else unit.calls.push(brokenCall('', 'an object with "name" and "arguments"', yield* lineAhead(reader)))
    } else {
      if (payload.form === 'python') unit.dialect = 'pythonic'
      unit.calls.push(...payload.calls)
    }
    if (unit.calls.at(-1)!.broken) {
      yield* skipToClose(reader, open[0]!)
      break
    }
    if (unit.calls.at(-1)!.truncated) break
  }
  if (unit.calls.length === 0) unit.calls.push(brokenCall('', 'a call', 'nothing between the tags'))
  if (id && unit.calls.length === 1) unit.calls[0]!.id ??= id
  return unit
}

/** Consumes the closing tag of a wrapper, where it stands next. */
function* skipNoise(reader: Reader, name: string): Wait<void> {
  const length = yield* reader.settled(() => {
    const from = reader.spaceAhead(0, MAX_SPACE)
    const { close, bare, end } = tagAhead(reader, from)
    return close && bare === name && reader.code(end) === 62 ? end + 1 : 0
  })
  reader.at += length
}

/** A tag inside a wrapper: its end, another wrapper, or a call. */
function* readInWrapper(reader: Reader, index: ToolIndex, unit: Wrapped, open: string[]): Wait<'on' | 'end' | 'no'> {
  const { name, written } = yield* reader.settled(() => tagAhead(reader))
  if (name === '') {
    // An end-of-turn token, or anything else that belongs to nobody.
    if (unit.calls.length === 0) return 'no'
    unit.calls.at(-1)!.repairs.push('unclosed-tag')
    return 'end'
  }
  if (name.startsWith('/')) {
    const bare = name.slice(1)
    if (!open.includes(bare) && !CALL_TAGS.has(bare) && !WRAPPERS.has(bare)) return 'no'
    const tag = yield* readTag(reader)
    if (!tag || tag === 'cut') return tag ? 'end' : 'no'
    if (open.includes(bare)) open.splice(open.lastIndexOf(bare))
    return 'on'
  }
  if (NAME_TAGS.has(name) || ARGUMENT_TAGS.has(name) || (yield* reader.settled(() => givesName(reader)))) {
    const frame = { index, name: '', tag: open.at(-1)!, around: open.slice(0, -1), given: [] }
    const call = yield* readCallBody(reader, frame)
    open.pop()
    if (!call) return 'no'
    unit.calls.push(call)
    unit.dialect = 'element'
    return 'on'
  }
  const tag = yield* readTag(reader)
  if (tag === 'cut') {
    unit.calls.push(brokenCall('', 'a complete call', 'the text ends inside it', true))
    return 'end'
  }
  if (!tag) return 'no'
  const given = tag.value?.trim() ?? find(tag, NAME_ATTRIBUTES)
  if (WRAPPERS.has(tag.name) && given === undefined) {
    // The same tag again is a second opening without a close between.
    if (open.at(-1) !== tag.name && !tag.empty) open.push(tag.name)
    unit.openings = (unit.openings ?? 0) + 1
    return unit.openings > MAX_OPENINGS + unit.calls.length ? 'no' : 'on'
  }
  if (!CALL_TAGS.has(tag.name) && !WRAPPERS.has(tag.name) && !toolCalled(index, written)) {
    unit.calls.push(brokenCall(written, 'a call of a known tool', `<${written}>`))
    yield* skipToClose(reader, open[0]!)
    return 'end'
  }
  const inner = yield* readCallTag(reader, index, tag, written, given, open)
  if (!inner) return 'no'
  unit.dialect = inner.dialect
  unit.calls.push(...inner.calls)
  return inner.calls.at(-1)!.truncated ? 'end' : 'on'
}

/**
 * What could not be read between tags on lines of their own: a fault, when a tool's name stands there and the tag is
 * closed soon; else text.
 */
function* readUnread(reader: Reader, index: ToolIndex, name: string): Wait<Found | undefined> {
  let text = ''
  while (text.length < MAX_UNREAD && (reader.there() || (yield* reader.more()))) {
    const ahead = yield* reader.settled(() => (reader.code() === 60 ? tagAhead(reader).name : ''))
    if (ahead === name) return undefined
    if (ahead === `/${name}`) {
      yield* readTag(reader)
      const tool = [...text.matchAll(/\w+/g)].find(([word]) => index.exact.has(word))?.[0]
      if (!tool) return undefined
      const call = brokenCall(tool, 'an object with "name" and "arguments"', excerpt(text))
      return { dialect: 'tagged-json', strong: true, calls: [call] }
    }
    text += reader.take(1)
  }
  return undefined
}

/** Whether the word at the current place begins a call in Python, or a name with an object after it. */
function opensPiece(reader: Reader): boolean {
  if (pythonName(reader) !== '') return true
  const name = reader.runAhead(0, MAX_NAME, isNamePart)
  const next = reader.code(reader.spaceAhead(name.length, MAX_GAP))
  return next === 123 || next === 91 || next === 96
}

/** GLM's `<tool_call>name` before its arguments, or a name that is all there is. */
function bareName(reader: Reader): string {
  const name = reader.runAhead(0, MAX_NAME, isNamePart)
  return reader.code(reader.spaceAhead(name.length, MAX_SPACE)) === 60 ? name : ''
}

/** Consumes everything up to and with the closing tag, or up to the end. */
export function* skipToClose(reader: Reader, name: string): Wait<void> {
  while (reader.there() || (yield* reader.more())) {
    const end = reader.text.indexOf('<', reader.at)
    reader.at = end < 0 ? reader.text.length : end
    if (end < 0) continue
    if (yield* reader.settled(() => tagAhead(reader).name === `/${name}`)) {
      yield* readTag(reader)
      return
    }
    reader.at++
  }
}

const find = (tag: Tag, names: readonly string[]): string | undefined =>
  tag.attributes.find(([name]) => names.includes(name.toLowerCase()))?.[1]
