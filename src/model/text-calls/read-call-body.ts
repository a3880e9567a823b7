import { callsFromJson } from './json-calls.ts'
import { brokenCall, excerpt, lineAhead, type FoundCall } from './found.ts'
import { readJson } from './read-json.ts'
import { endsBadly, isNamePart, readFence, readStrayClosers } from './read-payload.ts'
import { readValue } from './read-value.ts'
import type { Reader, Wait } from './reader.ts'
import {
  ARGUMENT_TAGS,
  CALL_TAGS,
  NAME_TAGS,
  PARAMETER_TAGS,
  readTag,
  SEPARATOR_TAGS,
  tagAhead,
  WRAPPERS,
  type Tag,
} from './tags.ts'
import { resolveName } from './resolve-name.ts'
import { toolCalled, type ToolIndex } from './tool-index.ts'

export interface BodyFrame {
  index: ToolIndex
  /** Known from the tag already, or empty: then it stands inside. */
  name: string
  /** The tag that closes this call. */
  tag: string
  /** Other tags that are open around it; they end the call too, and are left to the caller. */
  around: readonly string[]
  /** Arguments given as attributes. */
  given: readonly [string, string][]
}

/** No tool has so many; a model that repeats itself writes more. */
const MAX_ARGUMENTS = 200

/** A call's body as it is collected. */
interface Body {
  name: string
  entries: [string, string][]
  json?: { value: unknown }
  positional?: string
  open: string[]
  key?: string
  call: FoundCall
  /** Whether the tool has such an argument, once the name is known. */
  isArgument?: (name: string) => boolean
}

/**
 * Reads what stands between a call's tags, up to and with its closing tag: parameters as tags (`<parameter=x>`,
 * `<parameter name="x">`, `<x>`), GLM's key and value pairs, or JSON. Undefined: this is no call.
 */
export function* readCallBody(reader: Reader, frame: BodyFrame): Wait<FoundCall | undefined> {
  const call: FoundCall = { name: frame.name, value: undefined, textual: true, repairs: [], truncated: false }
  const body: Body = { name: frame.name, entries: [...frame.given], open: [], call }
  while (true) {
    const code = yield* reader.space()
    if (code < 0) {
      call.repairs.push('unclosed-tag')
      call.truncated = reader.ending === 'cut'
      break
    }
    let step: Step
    if (body.entries.length > MAX_ARGUMENTS) step = 'no'
    else if (code === 60) step = yield* readChild(reader, frame, body)
    else if (code === 96) step = (yield* readFence(reader)) ? 'on' : 'no'
    else if ((code === 123 || code === 91) && body.entries.length === 0 && !body.json)
      step = yield* readJsonBody(reader, body)
    else if (body.entries.length === 0 && !body.json && body.positional === undefined && canBeText(frame, body))
      step = yield* readText(reader, frame, body)
    else step = 'no'
    if (step === 'done') break
    if (step === 'no') return call.broken ? call : undefined
  }
  return finish(frame.index, body)
}

type Step = 'on' | 'done' | 'no'

function finish(index: ToolIndex, body: Body): FoundCall | undefined {
  const { call } = body
  call.name = body.name
  if (call.broken) return call
  if (body.json) {
    call.textual = false
    if (!body.name) {
      const [inner, ...more] = callsFromJson(body.json.value, index, true) ?? []
      if (!inner || more.length > 0) return undefined
      return { ...inner, repairs: [...call.repairs, ...inner.repairs], truncated: call.truncated }
    }
    // The tag names the tool, and the JSON inside is a whole call again.
    const inner = callsFromJson(body.json.value, index, true)?.[0]
    const again =
      inner && inner.value !== undefined && inner.name === body.name && !inner.repairs.includes('flat-arguments')
    call.value = again ? inner.value : body.json.value
    return call
  }
  if (!body.name) return undefined
  if (body.positional !== undefined) call.positional = [body.positional]
  if (body.entries.length > 0) call.value = gather(body.entries)
  return call
}

/** The same name twice makes a list; what the tool thinks of that its schema says. */
function gather(entries: [string, string][]): Record<string, unknown> {
  const values = new Map<string, string | string[]>()
  for (const [key, value] of entries) {
    const before = values.get(key)
    if (before === undefined || before === value) values.set(key, value)
    else values.set(key, Array.isArray(before) ? [...before, value] : [before, value])
  }
  return Object.fromEntries(values)
}

/** `<bash>npm test</bash>`: only a tool's own name makes text a call. */
const canBeText = (frame: BodyFrame, body: Body): boolean =>
  body.name !== '' && body.open.length === 0 && toolCalled(frame.index, body.name) !== undefined

function* readText(reader: Reader, frame: BodyFrame, body: Body): Wait<Step> {
  const read = yield* readValue(reader, { tag: frame.tag, around: frame.around, isArgument: () => false })
  if (read.state === 'bad') return 'no'
  body.positional = read.text.trim()
  const key = /^(\w+)\s*[:=]/.exec(body.positional)?.[1]
  if (key && argumentsOf(frame.index, body.name)(key)) {
    body.call.broken = { expected: `<${key}>…</${key}>`, found: excerpt(body.positional) }
    return 'done'
  }
  if (read.state === 'cut') body.call.truncated = true
  if (read.state !== 'closed') body.call.repairs.push('unclosed-tag')
  return 'done'
}

function* readJsonBody(reader: Reader, body: Body): Wait<Step> {
  const read = yield* readJson(reader)
  body.call.repairs.push(...read.repairs)
  if (yield* endsBadly(reader, read)) {
    const found = read.openString === undefined ? yield* lineAhead(reader) : 'a string that is not closed'
    body.call.broken = brokenCall(body.name, 'one JSON object', found).broken
    return 'no'
  }
  if (read.state === 'cut') body.call.truncated = true
  else if (yield* readStrayClosers(reader)) body.call.repairs.push('extra-closer')
  body.json = { value: read.value }
  return read.state === 'cut' ? 'done' : 'on'
}

function* readChild(reader: Reader, frame: BodyFrame, body: Body): Wait<Step> {
  const { call } = body
  const ahead = yield* reader.settled(() => tagAhead(reader))
  if (!ahead.name) {
    // A special token such as an end of turn: the call was not closed. Anything else does not belong here.
    const token = yield* reader.settled(() => reader.code(1) === 124 || reader.code(1) === 0xff5c)
    call.repairs.push('unclosed-tag')
    return token ? 'done' : 'no'
  }
  const isArgument = (body.isArgument ??= body.name ? argumentsOf(frame.index, body.name) : undefined) ?? (() => false)

  if (ahead.name.startsWith('/')) {
    const name = ahead.name.slice(1)
    if (frame.around.includes(name) && name !== frame.tag) {
      call.repairs.push('unclosed-tag')
      return 'done'
    }
    const tag = yield* readTag(reader)
    if (tag === 'cut' || !tag) return 'no'
    if (name === frame.tag) return 'done'
    if (body.open.at(-1) === name) body.open.pop()
    else if (PARAMETER_TAGS.has(name) || ARGUMENT_TAGS.has(name) || name === 'arg_value')
      call.repairs.push('unclosed-tag')
    else return 'no'
    return 'on'
  }
  const namesTool = !body.name && (yield* reader.settled(() => givesName(reader)))
  if ((CALL_TAGS.has(ahead.name) || WRAPPERS.has(ahead.name)) && !isArgument(ahead.name) && !namesTool) {
    call.repairs.push('unclosed-tag')
    return 'done'
  }
  const tag = yield* readTag(reader)
  if (!tag) return 'no'
  if (tag === 'cut') {
    call.truncated = true
    call.repairs.push('cut')
    return 'done'
  }
  if (SEPARATOR_TAGS.has(tag.name)) return 'on'
  if (ARGUMENT_TAGS.has(tag.name) && !isArgument(tag.name)) {
    if (!tag.empty) body.open.push(tag.name)
    return 'on'
  }
  const key = keyOf(tag, ahead.written, body)
  if (key === undefined) return 'no'
  if (tag.empty) {
    const value = attribute(tag, 'value')
    if (key && value !== undefined) body.entries.push([key, value])
    return 'on'
  }
  const around = [frame.tag, ...frame.around, ...body.open]
  const read = yield* readValue(reader, { tag: tag.name, around, isArgument, vendor: ahead.written.charCodeAt(0) | 32 })
  if (read.state === 'bad') {
    call.broken = { expected: `the next argument or the end of the call after </${tag.name}>`, found: 'other text' }
    return 'no'
  }
  // K2's `<arg_type>` says of what type the value is, which the schema knows.
  if (tag.name === 'arg_type') return read.state === 'cut' ? 'done' : 'on'
  if (tag.name === 'arg_key') body.key = read.text.trim()
  else if (key === '') body.name = read.text.trim()
  else body.entries.push([key, read.text])
  if (read.state !== 'closed') call.repairs.push('unclosed-tag')
  if (read.state !== 'cut') return 'on'
  call.truncated = true
  return 'done'
}

const MAX_NAME = 100

/** Whether the tag at the current place holds a name and nothing else: `<tool>read_file</tool>`. */
export function givesName(reader: Reader): boolean {
  const { name, end } = tagAhead(reader)
  if (!(NAME_TAGS.has(name) || CALL_TAGS.has(name)) || reader.code(end) !== 62) return false
  const given = reader.runAhead(end + 1, MAX_NAME, isNamePart)
  return given !== '' && reader.looksAt(`</${name}>`, end + 1 + given.length)
}

/** Which names are arguments of the tool `name` stands for, under its own names or an alias's. */
function argumentsOf(index: ToolIndex, name: string): (name: string) => boolean {
  const tool = resolveName(index, name)?.tool
  const names = new Set(Object.keys(tool?.schema.properties ?? {}))
  for (const alias of tool?.aliases ?? []) for (const key of Object.keys(alias.map ?? {})) names.add(key)
  return (each) => names.has(each)
}

const attribute = (tag: Tag, ...names: string[]): string | undefined =>
  tag.attributes.find(([name]) => names.includes(name.toLowerCase()))?.[1]

/** The argument a tag gives; empty for a tag that gives the call's name or the next argument's. */
function keyOf(tag: Tag, written: string, body: Body): string | undefined {
  if (tag.name === 'arg_key' || tag.name === 'arg_type') return ''
  if (tag.name === 'arg_value') {
    const { key } = body
    body.key = undefined
    return key
  }
  if (PARAMETER_TAGS.has(tag.name)) return tag.value?.trim() ?? attribute(tag, 'name', 'key')
  if ((NAME_TAGS.has(tag.name) || CALL_TAGS.has(tag.name)) && !body.name) return ''
  return tag.value === undefined ? written : undefined
}
