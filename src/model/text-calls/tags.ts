import { isSpace, isWord, isWordStart, type Reader, type Wait } from './reader.ts'

/** A tag as read: `<name=value attr="…">`, `</name>` or `<name/>`. `name` is simplified by `tagName`. */
export interface Tag {
  name: string
  close: boolean
  empty: boolean
  /** What follows the name directly: `read_file` in `<function=read_file>`. */
  value?: string
  attributes: [string, string][]
}

export const MAX_TAG_NAME = 64
/** Letters of a vendor's mark between two bars, with the first bar. */
const MIN_MARK = 3
const MAX_MARK = 9
const MAX_ATTRIBUTE_NAME = 64
const MAX_UNQUOTED = 200
const MAX_ATTRIBUTES = 100

/** Markup around several calls, or around one written as JSON or with a name of its own inside. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  'tool_call',
  'tool_calls',
  'toolcall',
  'toolcalls',
  'tool-call',
  'function_call',
  'function_calls',
  'functioncall',
  'tool_use',
  'use_tool',
  'tool_request',
  'tool_code',
])
/** Markup within a call that only some models write, beside parameters: what stands between a name and its arguments. */
export const SEPARATOR_TAGS: ReadonlySet<string> = new Set(['tool_sep'])
/** Markup that holds calls with some models and data with others: what is no call in it is text. */
export const WEAK_WRAPPERS: ReadonlySet<string> = new Set(['tools', 'json', 'xml'])
/** Markup of one call whose name is an attribute or stands after `=`. */
export const CALL_TAGS: ReadonlySet<string> = new Set(['invoke', 'function', 'tool', 'call', 'action'])
/** Attributes that give the name of a tool. */
export const NAME_ATTRIBUTES: readonly string[] = ['name', 'tool_name', 'tool', 'function', 'function_name']
export const PARAMETER_TAGS: ReadonlySet<string> = new Set(['parameter', 'param', 'arg', 'argument'])
export const NAME_TAGS: ReadonlySet<string> = new Set(['name', 'tool_name', 'function_name'])
export const ARGUMENT_TAGS: ReadonlySet<string> = new Set([
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'tool_input',
])
export const THINK_TAGS: ReadonlySet<string> = new Set([
  'think',
  'thinking',
  'thought',
  'reasoning',
  'scratchpad',
  'think_fast',
  'think_faster',
])
/** What is inside was said by a tool or is shown, never called. Only at the start of a line. */
export const QUOTE_TAGS: ReadonlySet<string> = new Set([
  'tool_response',
  'tool_responses',
  'tool_result',
  'tool_results',
  'tool_output',
  'function_response',
  'function_result',
  'function_results',
  'observation',
  'output',
  'result',
  'example',
  'examples',
  'pre',
  'code',
  'blockquote',
])

const isNamePart = (code: number): boolean => isWord(code) || code === 58 || code === 45 || code === 46
const isBar = (code: number): boolean => code === 124 || code === 0xff5c
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

/** What a vendor puts around the names of its tags: `minimax:tool_call`, `ifm|think`, `tool_call:6124c78e`. */
const PREFIX = /^[a-z]{1,10}[:|]/
const VENDOR = /^(?!start_|end_|begin_)[a-z]{2,12}_/

/** Names of structure, which a vendor's prefix or suffix may surround. */
const isStructure = (name: string): boolean =>
  WRAPPERS.has(name) || THINK_TAGS.has(name) || SEPARATOR_TAGS.has(name) || name === 'arg_key' || name === 'arg_value'

const tagName = (written: string): string => {
  const lower = written.toLowerCase()
  const colon = lower.indexOf(':')
  if (colon > 0 && isStructure(lower.slice(0, colon))) return lower.slice(0, colon)
  return PREFIX.test(lower) ? lower.replace(PREFIX, '') : lower
}

/** `longcat_tool_call`: a prefix that looks like a part of the name counts only before a name of structure. */
const withoutVendor = (name: string): string => {
  if (!VENDOR.test(name) || isStructure(name)) return name
  const rest = name.replace(VENDOR, '')
  return isStructure(rest) ? rest : name
}

interface TagAhead {
  name: string
  /** The name without the `/` of a closing tag. */
  bare: string
  close: boolean
  written: string
  /** Offset right after the name. */
  end: number
}
const NO_TAG: TagAhead = { name: '', bare: '', close: false, written: '', end: 0 }

/**
 * The name of the tag at the current `<`, looking only: simplified, with a leading `/` for a closing tag,
 * or empty. `written` keeps the letters' case.
 */
export function tagAhead(reader: Reader, offset = 0): TagAhead {
  let from = offset + 1
  const close = reader.code(from) === 47
  if (close) from++
  // A vendor's mark before the name: DeepSeek's `<｜DSML｜invoke …>`, GigaChat's `<｜GCML｜invoke …>`.
  if (isBar(reader.code(from))) {
    let mark = from + 1
    while (mark - from <= MAX_MARK && isLetter(reader.code(mark))) mark++
    if (mark - from < MIN_MARK || !isBar(reader.code(mark))) return NO_TAG
    from = mark + 1
  }
  if (!isWordStart(reader.code(from))) return NO_TAG
  // Not with `runAhead`: a text full of tags is read here, letter by letter.
  const { text } = reader
  const start = reader.at + from
  const most = Math.min(text.length, start + MAX_TAG_NAME + 1)
  let end = start
  let plain = true
  while (end < most) {
    const code = text.charCodeAt(end)
    if (!isNamePart(code)) {
      // A bar after a prefix, as in `<ifm|think>`; before the bracket it is the end of a token such as `<tool_call|>`.
      if (code !== 124 || !isWordStart(reader.code(end + 1 - reader.at))) break
      plain = false
    }
    if (code === 58 || (code >= 65 && code <= 90)) plain = false
    end++
  }
  if (end - start > MAX_TAG_NAME) return NO_TAG
  // Asked for the character after the name, the reader notes that it is not there yet.
  if (reader.code(end - reader.at) < 0 && !reader.ended) return NO_TAG
  const written = text.slice(start, end)
  const bare = withoutVendor(plain ? written : tagName(written))
  return { name: close ? `/${bare}` : bare, bare, close, written, end: end - reader.at }
}

/** Reads the tag at the current `<`. Undefined: not a tag, what was read is consumed. `cut`: the text ended in it. */
export function* readTag(reader: Reader): Wait<Tag | 'cut' | undefined> {
  let ahead = reader.look(() => tagAhead(reader))
  if (reader.short) ahead = yield* reader.again(() => tagAhead(reader))
  if (!ahead.name) return undefined
  const close = ahead.name.startsWith('/')
  const tag: Tag = { name: close ? ahead.name.slice(1) : ahead.name, close, empty: false, attributes: [] }
  reader.at += ahead.end
  let next = reader.look(() => reader.code())
  if (reader.short) next = yield* reader.again(() => reader.code())
  if (next === 61) {
    reader.at++
    const value = yield* readAttribute(reader)
    if (typeof value !== 'string') return value && 'cut'
    tag.value = value
  }
  while (true) {
    const code = yield* reader.space()
    if (code < 0) return 'cut'
    if (code === 62) {
      reader.at++
      return tag
    }
    // Llama's `<function=name{…}</function>`, its bracket forgotten.
    if (code === 123 && tag.value) return tag
    if (code === 47) {
      reader.at++
      tag.empty = true
      continue
    }
    if (!isWordStart(code) || tag.attributes.length > MAX_ATTRIBUTES) return undefined
    const word = (): string => reader.runAhead(0, MAX_ATTRIBUTE_NAME, isNamePart)
    let name = reader.look(word)
    if (reader.short) name = yield* reader.again(word)
    reader.at += name.length
    const sign = yield* reader.space()
    if (sign !== 61) return sign < 0 ? 'cut' : undefined
    reader.at++
    const value = yield* readAttribute(reader)
    if (typeof value !== 'string') return value && 'cut'
    tag.attributes.push([name, value])
  }
}

/** A value in quotes (of any length, entities decoded) or a bare word. Undefined: neither; true: the text ended. */
function* readAttribute(reader: Reader): Wait<string | true | undefined> {
  const quote = yield* reader.space()
  if (quote < 0) return true
  let value = ''
  if (quote === 34 || quote === 39) {
    reader.at++
    while (reader.there() || (yield* reader.more())) {
      const end = reader.text.indexOf(String.fromCharCode(quote), reader.at)
      if (end < 0) {
        value += reader.take(reader.text.length)
        continue
      }
      value += reader.take(end - reader.at)
      reader.at++
      return decodeEntities(value)
    }
    return true
  }
  while (value.length <= MAX_UNQUOTED) {
    if (!reader.there() && !(yield* reader.more())) return true
    const code = reader.text.charCodeAt(reader.at)
    if (isSpace(code) || code === 62 || code === 123) return value
    if (code === 47 && (yield* reader.settled(() => reader.code(1))) === 62) return value
    if (code === 60) return undefined
    value += reader.take(1)
  }
  return undefined
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", '#10': '\n', '#39': "'" }

export const decodeEntities = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|apos|#10|#39);/g, (_, name: string) => ENTITIES[name]!)
