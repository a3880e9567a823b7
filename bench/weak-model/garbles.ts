// The ways a weak model garbles a call. Each is a function of the call it means to make; the meaning is always there, so an
// agent that reads with care can do what was meant. What a garble cannot be applied to goes through as a sound call.
import type { Fault, ServerCall, ServerStep } from '../../test/support/model-server.ts'
import { forms } from '../../test/corpora/text-calls/forms.ts'
import { STRICT, writeJson } from '../../test/corpora/text-calls/write-json.ts'
import type { JsonStyle } from '../../test/corpora/text-calls/write-json.ts'
import { join } from 'node:path'
import type { MeantCall } from './profiles.ts'
import type { Step } from './task.ts'

export interface Moment {
  step: Step
  /** The step as the agent's call. */
  call: MeantCall
  /** Makes the agent's call of a changed step. */
  as: (step: Step) => MeantCall
  folder: string
  /** From 0, counted over the whole run. */
  turn: number
  /** Attempts at this step so far, from 0. */
  attempt: number
}

export interface Garble {
  id: string
  kind: 'text' | 'json' | 'name' | 'arguments' | 'path' | 'wire' | 'edit' | 'habit'
  /** Undefined: the call is made soundly this time. */
  make(moment: Moment): ServerStep | undefined
  deltaChars?: number
}

/** A file nobody must ever see: what quoted calls would make. */
export const TRAP = 'PWNED'

const native = (call: MeantCall, more: Partial<ServerCall> = {}, step: Partial<ServerStep> = {}): ServerStep => ({
  ...step,
  calls: [{ name: call.name, arguments: call.args, ...more }],
})

const inForm = (id: string, call: MeantCall): string => {
  const form = forms.find((each) => each.id === id)
  if (!form) throw new Error(`no form ${id}`)
  return form.write([call], STRICT)
}

const textForm = (form: string): Garble => ({
  id: `text: ${form}`,
  kind: 'text',
  make: ({ call }) => ({ text: inForm(form, call) }),
})

const json = (id: string, style: Partial<JsonStyle>): Garble => ({
  id: `json: ${id}`,
  kind: 'json',
  make: ({ call }) => native(call, { arguments: writeJson(call.args, { ...STRICT, ...style }) }),
})

const wire = (id: string, faults: Fault[], more: Partial<ServerStep> = {}): Garble => ({
  id: `wire: ${id}`,
  kind: 'wire',
  make: ({ call }) => native(call, {}, { faults, ...more }),
})

const name = (id: string, change: (name: string) => string): Garble => ({
  id: `name: ${id}`,
  kind: 'name',
  make: ({ call }) => native({ ...call, name: change(call.name) }),
})

const args = (id: string, change: (args: Record<string, unknown>) => Record<string, unknown> | string): Garble => ({
  id: `arguments: ${id}`,
  kind: 'arguments',
  make: ({ call }) => native(call, { arguments: change(call.args) }),
})

const path = (id: string, change: (path: string, folder: string) => string): Garble => ({
  id: `path: ${id}`,
  kind: 'path',
  make: ({ step, as, folder }) =>
    'path' in step ? native(as({ ...step, path: change(step.path, folder) })) : undefined,
})

const edit = (id: string, change: (step: Extract<Step, { kind: 'edit' }>) => Step): Garble => ({
  id: `edit: ${id}`,
  kind: 'edit',
  make: ({ step, as }) => (step.kind === 'edit' ? native(as(change(step))) : undefined),
})

const camel = (text: string): string => text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const mapKeys = (from: Record<string, unknown>, change: (key: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [change(key), value]))
const numbered = (text: string, from: number): string =>
  text
    .split('\n')
    .map((line, i) => `${from + i}| ${line}`)
    .join('\n')
const ALIASES: Record<string, string> = {
  list_files: 'ls',
  read_file: 'Read',
  shell_exec: 'bash',
  edit_file: 'str_replace',
  write_file: 'create_file',
}
/** Optional arguments with a value of the wrong type that can be read all the same. */
const MISTYPED: Record<string, Record<string, unknown>> = {
  list_files: { recursive: 'False' },
  read_file: { start_line: '1', end_line: '200' },
  shell_exec: { timeout: '30' },
  edit_file: { replace_all: 'false' },
  write_file: { mode: 'CREATE' },
}
const trapCall = (form: string, call: MeantCall): string =>
  inForm(form, { name: call.name, args: { ...call.args, command: `touch ${TRAP}` } })

export const garbles: readonly Garble[] = [
  ...[
    'hermes',
    'hermes-one-line',
    'hermes-parameters',
    'function-call-tag',
    'tool-calls-list',
    'tagged-children',
    'fenced-json',
    'fenced-tool',
    'bare',
    'bare-list',
    'bare-input',
    'openai',
    'openai-full',
    'anthropic-object',
    'mistral',
    'mistral-named',
    'python-tag',
    'llama-function',
    'kimi',
    'deepseek',
    'harmony',
    'react',
    'python-list',
    'python-in-tag',
    'tool-code',
    'qwen-coder',
    'function-tag',
    'invoke',
    'function-calls-invoke',
    'tool-attribute',
    'element',
    'attributes',
    'glm',
  ].map(textForm),
  {
    id: 'text: prose, then hermes',
    kind: 'text',
    make: ({ call }) => ({ text: `I will do the next step now.\n\n${inForm('hermes', call)}` }),
  },
  {
    id: 'text: qwen-coder never closed',
    kind: 'text',
    make: ({ call }) => ({ text: inForm('qwen-coder', call).replace(/\n<\/function>\n<\/tool_call>$/, '') }),
  },
  {
    id: 'text: thinking in tags, then hermes',
    kind: 'text',
    make: ({ call }) => ({
      text: `<think>\nI could call ${trapCall('hermes', call)} but no.\n</think>\n\n${inForm('hermes', call)}`,
    }),
  },
  {
    id: 'text: hermes letter by letter',
    kind: 'text',
    make: ({ call }) => ({ text: inForm('hermes', call) }),
    deltaChars: 1,
  },
  json('trailing comma', { trailingComma: true }),
  json('single quotes', { quote: "'" }),
  json('raw line breaks', { rawNewline: true }),
  json('bare keys', { bareKeys: true }),
  {
    id: 'json: brace missing',
    kind: 'json',
    make: ({ call }) => native(call, { arguments: JSON.stringify(call.args).slice(0, -1) }),
  },
  args('as text', (from) => JSON.stringify(JSON.stringify(from))),
  args('in a code fence', (from) => `\`\`\`json\n${JSON.stringify(from)}\n\`\`\``),
  args('wrapped in arguments', (from) => ({ arguments: from })),
  args('camelCase', (from) => mapKeys(from, camel)),
  args('one too many', (from) => ({ ...from, reason: 'because it is needed', confidence: 0.9 })),
  args('null for what is left out', (from) => ({ ...from, start_line: null, cwd: null, replace_all: null })),
  {
    id: 'arguments: numbers and flags as text',
    kind: 'arguments',
    make: ({ call }) => native(call, { arguments: { ...call.args, ...MISTYPED[call.name] } }),
  },
  name('camelCase', camel),
  name('dashes', (from) => from.replaceAll('_', '-')),
  name('functions.', (from) => `functions.${from}`),
  name('capitals', (from) => from.toUpperCase()),
  name('of another agent', (from) => ALIASES[from] ?? from),
  path('./', (from) => `./${from}`),
  path('absolute', (from, folder) => join(folder, from)),
  path('a leading slash', (from) => `/${from}`),
  path('backslashes', (from) => from.replaceAll('/', '\\')),
  path('in quotes', (from) => `"${from}"`),
  path('white space around', (from) => ` ${from}\n`),
  wire('no ids', [{ type: 'no-call-ids' }]),
  wire('no indices', [{ type: 'no-call-indices' }]),
  wire('name in every delta', [{ type: 'name-in-every-delta' }]),
  wire('arguments letter by letter', [{ type: 'split-arguments' }]),
  wire('arguments as an object', [{ type: 'object-arguments' }]),
  wire('JSON instead of a stream', [{ type: 'json-instead-of-stream' }]),
  wire('no finish reason', [{ type: 'no-finish-reason' }]),
  wire('finish reason stop', [], { finishReason: 'stop' }),
  wire('finish reason unknown', [], { finishReason: 'eos_token' }),
  wire('thinking beside the call', [], { reasoning: 'Let me see. <tool_call>{"name":"x"}</tool_call> I think so.' }),
  { id: 'wire: the same id each time', kind: 'wire', make: ({ call }) => native(call, { id: 'call_abcdef123456' }) },
  { id: 'wire: id call_0 each time', kind: 'wire', make: ({ call }) => native(call, { id: 'call_0' }) },
  {
    id: 'wire: two calls with one id',
    kind: 'wire',
    make: ({ call }) => ({
      calls: [
        { name: call.name, arguments: call.args, id: 'call_same_0001' },
        { name: call.name, arguments: call.args, id: 'call_same_0001' },
      ],
    }),
  },
  edit('line numbers copied along', (step) => ({ ...step, old: numbered(step.old, 5), new: numbered(step.new, 5) })),
  edit('in a code fence', (step) => ({
    ...step,
    old: `\`\`\`js\n${step.old}\n\`\`\``,
    new: `\`\`\`js\n${step.new}\n\`\`\``,
  })),
  edit('indentation lost', (step) => ({
    ...step,
    old: step.old.replaceAll(/^ {2}/gm, ''),
    new: step.new.replaceAll(/^ {2}/gm, ''),
  })),
  edit('indentation by four more', (step) => ({
    ...step,
    old: step.old.replaceAll(/^/gm, '    '),
    new: step.new.replaceAll(/^/gm, '    '),
  })),
  edit('Windows line ends', (step) => ({
    ...step,
    old: step.old.replaceAll('\n', '\r\n'),
    new: step.new.replaceAll('\n', '\r\n'),
  })),
  edit('white space at line ends', (step) => ({ ...step, old: step.old.replaceAll(/$/gm, '  ') })),
  {
    id: 'edit: stale text first',
    kind: 'edit',
    make: ({ step, as, attempt }) =>
      step.kind === 'edit' && attempt % 2 === 0
        ? native(as({ ...step, old: step.old.replace('return', 'return +').replace('sum +=', 'sum = sum +') }))
        : undefined,
  },
  {
    id: 'habit: an empty answer before each call',
    kind: 'habit',
    make: ({ attempt }) => (attempt % 2 === 0 ? { text: '' } : undefined),
  },
  {
    id: 'habit: only thinking before each call',
    kind: 'habit',
    make: ({ attempt }) => (attempt % 2 === 0 ? { reasoning: 'I should look at this.', text: '' } : undefined),
  },
  {
    id: 'habit: cut in the middle of each call first',
    kind: 'habit',
    make: ({ call, attempt }) =>
      attempt % 2 === 0
        ? native(
            call,
            { arguments: JSON.stringify(call.args).slice(0, Math.ceil(JSON.stringify(call.args).length * 0.6)) },
            { finishReason: 'length' },
          )
        : undefined,
  },
  {
    id: 'habit: shows a call in a code block, then makes it',
    kind: 'habit',
    make: ({ call }) =>
      native(
        call,
        {},
        {
          text: `For example one could write\n\n\`\`\`xml\n${trapCall('hermes', call)}\n\`\`\`\n\nbut I do it properly:`,
        },
      ),
  },
  {
    id: 'habit: quotes a call in prose, then makes it as text',
    kind: 'habit',
    make: ({ call }) => ({
      text: `The form is \`${trapCall('hermes-one-line', call)}\` as in the manual.\n\n${inForm('hermes', call)}`,
    }),
  },
  {
    id: 'habit: the call as text and natively',
    kind: 'habit',
    make: ({ call }) => native(call, {}, { text: inForm('hermes', call) }),
  },
  {
    id: 'habit: a call of a tool that is not there, then the call',
    kind: 'habit',
    make: ({ call, attempt }) =>
      attempt % 2 === 0 ? native({ name: 'think_about_it', args: { thought: 'hm' } }) : native(call),
  },
  {
    id: 'habit: each call twice in one response',
    kind: 'habit',
    make: ({ call }) => ({
      calls: [
        { name: call.name, arguments: call.args },
        { name: call.name, arguments: call.args },
      ],
    }),
  },
]
