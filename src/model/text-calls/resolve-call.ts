import { isTooDeep, parseForeignJson, TOO_DEEP, TooDeepError } from '../../lib/foreign-json.ts'
import { dereference, show } from './coerce.ts'
import { fitArguments } from './fit-arguments.ts'
import type { FoundCall } from './found.ts'
import { readJson, type JsonRead } from './read-json.ts'
import { hidesItsEnd } from './read-payload.ts'
import { readWhole } from './reader.ts'
import { resolveName, suggestNames } from './resolve-name.ts'
import { toolIndex, type ToolIndex } from './tool-index.ts'
import type { CallFault, JsonSchema, KnownTool, Repair, RepairKind, Resolution } from './types.ts'

/** A call as a provider hands it over: the arguments as text, or already as a value. */
export interface WrittenCall {
  name: string
  argumentsText?: string
  arguments?: unknown
  /** Whether the server cut the answer at a limit. When nobody knows, text that ends too early counts as cut. */
  cut?: boolean
}

/** JSON in a string in a string …: more is not tried. */
const MAX_UNWRAPPED = 4

const WORDS: Record<RepairKind, string> = {
  'name-case': '',
  'name-alias': '',
  'name-prefix': '',
  'name-spelling': '',
  'argument-name': '',
  'argument-spelling': '',
  'argument-dropped': '',
  positional: 'An argument without a name was taken for the only required one.',
  'flat-arguments': 'The arguments stood beside the name instead of under "arguments".',
  'double-encoded': 'The arguments were JSON inside a string.',
  coerced: '',
  'trailing-comma': 'A comma stood before a closing bracket.',
  'missing-comma': 'A comma was missing.',
  'single-quotes': 'Strings were in single quotes.',
  'smart-quotes': 'Strings were in typographic quotes.',
  'triple-quotes': 'A string was in triple quotes.',
  'unquoted-key': 'A key was without quotes.',
  'python-literal': 'True, False or None were written as in Python.',
  'raw-newline': 'A string had line breaks that were not escaped.',
  'bad-escape': 'A backslash before a character that needs none was kept.',
  'missing-closer': 'Closing brackets were missing.',
  'extra-closer': 'There were closing brackets too many.',
  'unclosed-tag': 'A closing tag was missing.',
  cut: 'The text ended inside the call.',
}

/**
 * Resolves a call's name and arguments against the registered tools: the same rules for native calls and
 * for calls found in text. Never throws; never adds a value that was not written.
 */
export function resolveCall(call: WrittenCall, tools: readonly KnownTool[]): Resolution {
  const value = call.argumentsText === undefined ? call.arguments : call.argumentsText
  const found: FoundCall = { name: call.name, value, repairs: [], truncated: false, whole: call.cut === false }
  return resolveFound(found, toolIndex(tools))
}

/** The same for a call in the scanner's form. */
export function resolveFound(call: FoundCall, index: ToolIndex): Resolution {
  const named = resolveName(index, call.name)
  if (call.broken)
    return {
      ok: false,
      tool: named?.tool.name,
      truncated: call.truncated,
      fault: brokenFault(call, named?.tool, index),
    }
  if (!named) return unknownTool(call, index)
  const { tool } = named
  const repairs: Repair[] = []
  const add = (kind: RepairKind): void => {
    if (!repairs.some((each) => each.kind === kind)) repairs.push({ kind, text: WORDS[kind] })
  }
  if (named.repair) repairs.push({ kind: named.repair, text: `The tool "${call.name}" was read as "${tool.name}".` })
  for (const kind of call.repairs) add(kind)
  const given = argumentsOf(call, tool, add)
  if ('misfit' in given)
    return {
      ok: false,
      tool: tool.name,
      truncated: call.truncated,
      fault: { ...given.misfit, example: example(tool, {}) },
    }
  const truncated = call.truncated || given.truncated
  if (truncated) add('cut')
  const inner = unwrapped(given.value, tool)
  if (inner !== given.value) add('double-encoded')
  const fit = fitArguments(tool, inner, named.alias, call.textual ?? false)
  if ('misfit' in fit) {
    const fault = { ...fit.misfit, example: example(tool, given.value) }
    return named.repair === 'name-spelling'
      ? unknownTool(call, index)
      : { ok: false, tool: tool.name, truncated, fault }
  }
  const changes = tool.effect === 'write' || tool.effect === 'execute' || tool.effect === 'network'
  if (changes && fit.repairs.some((each) => isGuess(each.kind, named.repair))) return unknownTool(call, index)
  repairs.push(...fit.repairs)
  // A cut read may still read; but a value over several lines has taken in what followed it.
  const swallowed = Object.values(fit.args).some((value) => typeof value === 'string' && value.includes('\n'))
  const harmless = (tool.effect === 'read' || tool.effect === 'ask') && !swallowed
  return { ok: true, tool: tool.name, args: fit.args, repairs, truncated, executable: !truncated || harmless }
}

/**
 * Whether a mended argument makes a mended name too bold: a misspelt name becomes a tool that changes something only
 * when the arguments speak for it as they are, one in another case unless an argument is misspelt as well.
 */
const isGuess = (argument: RepairKind, name: RepairKind | undefined): boolean =>
  (name === 'name-spelling' && argument !== 'coerced') || (name === 'name-case' && argument === 'argument-spelling')

type Given = { value: Record<string, unknown>; truncated: boolean } | { misfit: Omit<CallFault, 'example'> }

/** The arguments as one object: out of strings, and with a value given by place under its name. */
function argumentsOf(call: FoundCall, tool: KnownTool, add: (kind: RepairKind) => void): Given {
  let { value } = call
  let truncated = false
  for (let layer = 0; typeof value === 'string' && layer < MAX_UNWRAPPED; layer++) {
    if (value.trim() === '') {
      value = undefined
      break
    }
    const read = readText(value, call.whole ?? false)
    if (read.state === 'bad' || hidesItsEnd(read)) {
      return { misfit: { field: 'arguments', expected: 'one JSON object', found: foundIn(value) } }
    }
    for (const repair of read.repairs) add(repair)
    if (read.state === 'cut') truncated = true
    // A provider's arguments are text by design; a string inside that text is not.
    if (layer > 0) add('double-encoded')
    value = read.value
  }
  value ??= {}
  if (typeof value !== 'object' || Array.isArray(value))
    return { misfit: { field: 'arguments', expected: 'one JSON object', found: show(value) } }
  const fields = value as Record<string, unknown>
  if (!call.positional) return { value: fields, truncated }
  // `read_file({"path": "a.ts"})`
  const [first] = call.positional
  if (call.positional.length === 1 && isObject(first) && Object.keys(fields).length === 0)
    return { value: first as Record<string, unknown>, truncated }
  const required = tool.schema.required ?? []
  const [only] = required
  if (call.positional.length > 1 || required.length !== 1 || only === undefined || Object.hasOwn(fields, only)) {
    const names = Object.keys(tool.schema.properties ?? {}).join(', ') || 'none'
    return {
      misfit: { field: 'arguments', expected: `each argument with its name (${names})`, found: show(call.positional) },
    }
  }
  add('positional')
  return { value: { [only]: call.positional[0], ...fields }, truncated }
}

/** Names under which models put the whole arguments once more. */
const AGAIN = new Set(['arguments', 'parameters', 'args', 'params', 'input', 'kwargs'])

/** `{"arguments": {…}}` for a tool that has no such argument is what stands inside. */
function unwrapped(fields: Record<string, unknown>, tool: KnownTool): Record<string, unknown> {
  const [key, ...others] = Object.keys(fields)
  if (key === undefined || others.length > 0 || !AGAIN.has(key)) return fields
  if (Object.hasOwn(tool.schema.properties ?? {}, key)) return fields
  const inner = fields[key]
  if (isObject(inner)) return inner as Record<string, unknown>
  if (typeof inner !== 'string') return fields
  const read = readText(inner, true)
  return read.state === 'closed' && isObject(read.value) ? (read.value as Record<string, unknown>) : fields
}

/** A text that is no object, in words for the model. */
const foundIn = (text: string): string => (isTooDeep(text) ? `a value that is ${TOO_DEEP}` : show(text))

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Strict JSON at once; else the tolerant reader. */
function readText(text: string, whole: boolean): JsonRead {
  try {
    const value = parseForeignJson(text)
    if (isObject(value) || typeof value === 'string' || value === null)
      return { state: 'closed', value: value ?? undefined, repairs: new Set() }
  } catch (error) {
    if (error instanceof TooDeepError) return { state: 'bad', value: undefined, repairs: new Set() }
    // Not strict JSON: the tolerant reader says what it is.
  }
  return readWhole(text, function* (reader) {
    if (whole) reader.ending = 'stopped'
    const fence = (yield* reader.space()) === 96
    if (fence) reader.at = Math.max(reader.text.indexOf('\n', reader.at), reader.at)
    const read = yield* readJson(reader)
    if (read.state === 'cut' || read.state === 'bad') return read
    const rest = reader.text.slice(reader.at).trim()
    if (rest === '' || (fence && /^`+$/.test(rest))) return read
    if (read.state === 'closed' && /^[}\]]{1,3}$/.test(rest)) read.repairs.add('extra-closer')
    else read.state = 'bad'
    return read
  })
}

const unknownTool = (call: FoundCall, index: ToolIndex): Resolution => ({
  ok: false,
  truncated: call.truncated,
  fault: unknownName(call.name, index),
})

function unknownName(name: string, index: ToolIndex): CallFault {
  const near = suggestNames(index, name)
  const first = index.exact.get(near[0] ?? '')
  return {
    field: 'name',
    expected:
      near.length > 0 ? `a registered tool, for example ${near.join(', ')}` : 'a registered tool; there are none',
    found: name === '' ? 'no name' : show(name),
    example: first ? example(first, {}) : '',
  }
}

const brokenFault = (call: FoundCall, tool: KnownTool | undefined, index: ToolIndex): CallFault => ({
  field: 'arguments',
  expected: call.broken!.expected,
  found: call.broken!.found,
  example: example(tool ?? index.tools[0], {}),
})

const MAX_EXAMPLE_VALUE = 80

/** A right call as a line of JSON: what was given where the tool knows it, `<type>` where it is missing. */
export function example(tool: KnownTool | undefined, given: Record<string, unknown>): string {
  if (!tool) return ''
  const { properties = {}, required = [] } = tool.schema
  const usual = Object.values(given).some(Array.isArray) ? [] : (tool.usual ?? [])
  const args: [string, unknown][] = []
  for (const [key, schema] of Object.entries(properties)) {
    const value = given[key]
    const short = value !== undefined && show(value).length <= MAX_EXAMPLE_VALUE
    if (short && fits(value, dereference(schema, tool.schema))) args.push([key, value])
    else if (required.includes(key) || usual.includes(key))
      args.push([key, placeholder(dereference(schema, tool.schema))])
  }
  return JSON.stringify({ name: tool.name, arguments: Object.fromEntries(args) })
}

const fits = (value: unknown, schema: JsonSchema): boolean =>
  typeof value === 'string' ? schema.type === 'string' && !schema.enum : schema.type === typeof value

function placeholder(schema: JsonSchema): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return []
  if (schema.type === 'object') return {}
  return '<text>'
}
