import type { FoundCall } from './found.ts'
import { toolCalled, type ToolIndex } from './tool-index.ts'

const NAME_KEYS = ['tool', 'tool_name', 'function_name', 'function', 'name', 'recipient_name', 'action']
const ARGUMENT_KEYS = [
  'arguments',
  'parameters',
  'input',
  'args',
  'params',
  'tool_input',
  'action_input',
  'kwargs',
  'tool_args',
  'tool_arguments',
]
const LIST_KEYS = ['tool_calls', 'calls', 'function_calls']
const INNER_KEYS = ['function', 'tool_call', 'function_call', 'tool', 'tool_use', 'action']
const ID_KEYS = ['id', 'tool_call_id', 'call_id']
/** Keys beside a name that do not make a call something else. */
const SIDE_KEYS = new Set([...ID_KEYS, 'type', 'index', 'thought', 'thoughts', 'reasoning', 'explanation'])
/** Keys of a record of a call that has run, or of a tool's definition: not calls. */
const RECORD_KEYS = ['result', 'output', 'response', 'observation', 'error', 'status', 'input_schema', 'inputSchema']

/** The keys with which an object that may be a call can begin. */
export const FIRST_KEYS: ReadonlySet<string> = new Set([
  ...NAME_KEYS,
  ...ARGUMENT_KEYS,
  ...LIST_KEYS,
  ...INNER_KEYS,
  ...SIDE_KEYS,
  'role',
  'content',
])

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The calls a JSON value stands for, or undefined when it is data.
 * `wrapped` says that markup around it already calls it a call: then a name alone, and arguments beside
 * the name, are enough.
 */
export function callsFromJson(value: unknown, index: ToolIndex, wrapped: boolean): FoundCall[] | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined
    const calls: FoundCall[] = []
    for (const item of value) {
      if (!isFields(item)) return undefined
      const found = callsFromJson(item, index, wrapped)
      if (!found) return undefined
      calls.push(...found)
    }
    return calls
  }
  if (!isFields(value)) return undefined
  for (const key of LIST_KEYS) {
    const list = value[key]
    if (Array.isArray(list) && !has(value, 'name')) return callsFromJson(list, index, true)
  }
  for (const key of INNER_KEYS) {
    const inner = value[key]
    if (!isFields(inner) || RECORD_KEYS.some((record) => has(value, record))) continue
    // `{"function": {…}, "arguments": …}`: the name inside, the arguments beside it.
    const argumentKey = ARGUMENT_KEYS.find((name) => has(value, name))
    const whole = argumentKey && !ARGUMENT_KEYS.some((name) => has(inner, name))
    const calls = callsFromJson(whole ? { ...inner, [argumentKey]: value[argumentKey] } : inner, index, wrapped)
    for (const call of calls ?? []) call.id ??= idOf(value)
    return calls
  }
  const call = fromFields(value, index, wrapped)
  return call && [call]
}

function fromFields(fields: Fields, index: ToolIndex, wrapped: boolean): FoundCall | undefined {
  const keys = Object.keys(fields)
  const nameKey = NAME_KEYS.find((key) => typeof fields[key] === 'string' && has(fields, key))
  if (!nameKey) return fromSingleKey(fields, keys, index, wrapped)
  const name = String(fields[nameKey]).trim()
  const id = idOf(fields)
  const argumentKey = ARGUMENT_KEYS.find((key) => has(fields, key))
  if (argumentKey) {
    const value = fields[argumentKey]
    if ((!wrapped && keys.some((key) => RECORD_KEYS.includes(key))) || isDefinition(value)) return undefined
    const call: FoundCall = { name, value: undefined, id, repairs: [], truncated: false }
    // A definition without parameters looks the same.
    if (!wrapped && has(fields, 'description')) call.loose = true
    if (Array.isArray(value)) return toolCalled(index, name) && { ...call, positional: value as unknown[] }
    if (value !== null && typeof value !== 'string' && !isFields(value)) return undefined
    return { ...call, value: value ?? undefined }
  }
  const tool = toolCalled(index, name)
  if (!tool) return wrapped ? { name, value: undefined, id, repairs: [], truncated: false } : undefined
  const rest = keys.filter((key) => key !== nameKey && (!SIDE_KEYS.has(key) || has(tool.schema.properties ?? {}, key)))
  if (rest.length === 0) return { name, value: undefined, id, repairs: [], truncated: false, loose: !wrapped }
  if (!wrapped && keys.some((key) => RECORD_KEYS.includes(key))) return undefined
  return {
    name,
    value: Object.fromEntries(rest.map((key) => [key, fields[key]])),
    id,
    repairs: ['flat-arguments'],
    truncated: false,
    loose: !wrapped && nameKey === 'name',
  }
}

/** `{"read_file": {"path": "a.ts"}}` */
function fromSingleKey(fields: Fields, keys: string[], index: ToolIndex, wrapped: boolean): FoundCall | undefined {
  const [name] = keys
  if (keys.length !== 1 || name === undefined || !index.exact.has(name) || !isFields(fields[name])) return undefined
  return { name, value: fields[name], repairs: ['flat-arguments'], truncated: false, loose: !wrapped }
}

const has = (fields: object, key: string): boolean => Object.hasOwn(fields, key)

const idOf = (fields: Fields): string | undefined => {
  const key = ID_KEYS.find((name) => typeof fields[name] === 'string' && fields[name] !== '')
  return key && String(fields[key])
}

/** `parameters` of a definition are a JSON Schema, not arguments. */
const isDefinition = (value: unknown): boolean =>
  isFields(value) && (isFields(value['properties']) || typeof value['$schema'] === 'string')
