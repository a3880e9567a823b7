import type { RepairKind } from '../../../src/model/text-calls/types.ts'
import type { Form, MeantCall } from './forms.ts'
import type { JsonStyle } from './write-json.ts'

/** A message in the making: what is written, and what must come out. */
export interface Draft {
  form: Form
  written: MeantCall[]
  style: JsonStyle
  /** Changes to the finished markup, in order. */
  markup: ((text: string) => string)[]
  /** The kinds of repair each call must name. */
  repairs: Set<RepairKind>
  /** The closing mark is there, so missing brackets before it do not mean that the text was cut. */
  closed: boolean
  /** Brackets are missing at the end. */
  short: boolean
}

/** One fault. `fits` says where it can be made; `make` makes it and notes what must be repaired. */
export interface Fault {
  id: string
  kind: 'call' | 'json' | 'markup'
  fits: (form: Form, calls: readonly MeantCall[]) => boolean
  make: (draft: Draft) => void
}

const isJson = (form: Form): boolean => form.json === 'envelope' || form.json === 'arguments'
/** The arguments are JSON that the style reaches (OpenAI's are a string inside it). */
const isStyled = (form: Form): boolean => isJson(form) && form.id !== 'openai'
const single = (calls: readonly MeantCall[]): boolean => calls.length === 1
const values = (calls: readonly MeantCall[]): unknown[] => calls.flatMap((call) => Object.values(call.args))
const hasArguments = (calls: readonly MeantCall[]): boolean => calls.every((call) => Object.keys(call.args).length > 0)

const rename = (draft: Draft, name: (from: string) => string): void => {
  draft.written = draft.written.map((call) => ({ name: name(call.name), args: call.args }))
}
const rewrite = (
  draft: Draft,
  change: (args: Record<string, unknown>, name: string) => Record<string, unknown> | string,
): void => {
  draft.written = draft.written.map((call) => ({
    name: call.name,
    args: typeof call.args === 'string' ? call.args : change(call.args, call.name),
  }))
}
const mapKeys = (args: Record<string, unknown>, names: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).map(([key, value]) => [names[key] ?? key, value]))

const ALIASES: Record<string, { name: string; keys: Record<string, string> }> = {
  read_file: { name: 'Read', keys: { path: 'file_path' } },
  search_text: { name: 'grep', keys: { query: 'pattern' } },
  edit_file: { name: 'str_replace', keys: { old_text: 'old_str', new_text: 'new_str' } },
  write_file: { name: 'create_file', keys: {} },
  shell_exec: { name: 'bash', keys: {} },
}
const READS = new Set(['read_file', 'search_text', 'list_files', 'git_status'])

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export const faults: readonly Fault[] = [
  {
    id: 'name-camel',
    kind: 'call',
    fits: () => true,
    make: (draft) => {
      rename(draft, camel)
      draft.repairs.add('name-case')
    },
  },
  {
    id: 'name-dash',
    kind: 'call',
    fits: () => true,
    make: (draft) => {
      rename(draft, (name) => name.replaceAll('_', '-'))
      draft.repairs.add('name-case')
    },
  },
  {
    id: 'name-alias',
    kind: 'call',
    fits: (_, calls) => calls.every((call) => ALIASES[call.name]),
    make: (draft) => {
      rewrite(draft, (args, name) => mapKeys(args, ALIASES[name]!.keys))
      rename(draft, (name) => ALIASES[name]!.name)
      draft.repairs.add('name-alias')
    },
  },
  {
    id: 'name-prefix',
    kind: 'call',
    // Kimi's and harmony's names have this prefix by design; a tag cannot hold it.
    fits: (form) => form.id !== 'element' && form.id !== 'kimi' && !form.id.startsWith('harmony'),
    make: (draft) => {
      rename(draft, (name) => `functions.${name}`)
      draft.repairs.add('name-prefix')
    },
  },
  {
    id: 'name-misspelt',
    kind: 'call',
    // A tag with an unknown name is any markup; a code block without its own word holds any Python.
    fits: (form) => form.id !== 'element',
    make: (draft) => {
      rename(draft, (name) => name.replace(/(.)(.)$/, '$2$1'))
      draft.repairs.add('name-spelling')
    },
  },
  {
    id: 'number-as-text',
    kind: 'call',
    fits: (form, calls) =>
      form.json !== 'text' && values(calls).some((value) => typeof value === 'number') && single(calls),
    make: (draft) => {
      rewrite(draft, (args) =>
        Object.fromEntries(
          Object.entries(args).map(([key, value]) => [key, typeof value === 'number' ? String(value) : value]),
        ),
      )
      draft.repairs.add('coerced')
    },
  },
  {
    id: 'boolean-as-text',
    kind: 'call',
    fits: (form, calls) =>
      form.json !== 'text' && values(calls).some((value) => typeof value === 'boolean') && single(calls),
    make: (draft) => {
      rewrite(draft, (args) =>
        Object.fromEntries(
          Object.entries(args).map(([key, value]) => [
            key,
            typeof value === 'boolean' ? (value ? 'True' : 'False') : value,
          ]),
        ),
      )
      draft.repairs.add('coerced')
    },
  },
  {
    id: 'null-for-nothing',
    kind: 'call',
    fits: (form, calls) => form.json !== 'text' && single(calls) && calls[0]!.name === 'search_text',
    make: (draft) => {
      rewrite(draft, (args) => ({ ...args, context: null }))
      draft.repairs.add('argument-dropped')
    },
  },
  {
    id: 'extra-argument',
    kind: 'call',
    fits: (_, calls) => calls.every((call) => READS.has(call.name)),
    make: (draft) => {
      rewrite(draft, (args) => ({ ...args, encoding: 'utf-8' }))
      draft.repairs.add('argument-dropped')
    },
  },
  {
    id: 'camel-arguments',
    kind: 'call',
    fits: (_, calls) => single(calls) && Object.keys(calls[0]!.args).some((key) => key.includes('_')),
    make: (draft) => {
      rewrite(draft, (args) => Object.fromEntries(Object.entries(args).map(([key, value]) => [camel(key), value])))
      draft.repairs.add('argument-name')
    },
  },
  {
    id: 'foreign-argument',
    kind: 'call',
    fits: (_, calls) => single(calls) && calls[0]!.name === 'edit_file',
    make: (draft) => {
      rewrite(draft, (args) => mapKeys(args, { old_text: 'old_str', new_text: 'new_str' }))
      draft.repairs.add('argument-name')
    },
  },
  {
    id: 'scalar-for-list',
    kind: 'call',
    fits: (_, calls) => single(calls) && calls[0]!.name === 'git_commit',
    make: (draft) => {
      rewrite(draft, (args) => ({ ...args, files: (args['files'] as string[])[0] }))
      draft.repairs.add('coerced')
    },
  },
  {
    id: 'arguments-as-text',
    kind: 'call',
    fits: (form) => form.json === 'envelope' && form.id !== 'openai',
    make: (draft) => rewrite(draft, (args) => JSON.stringify(args)),
  },
  {
    id: 'arguments-as-text-twice',
    kind: 'call',
    fits: (form, calls) => form.json === 'envelope' && form.id !== 'openai' && hasArguments(calls),
    make: (draft) => {
      rewrite(draft, (args) => JSON.stringify(JSON.stringify(args)))
      draft.repairs.add('double-encoded')
    },
  },
  {
    id: 'trailing-commas',
    kind: 'json',
    fits: (form, calls) => isJson(form) && hasArguments(calls),
    make: (draft) => {
      draft.style = { ...draft.style, trailingComma: true }
      draft.repairs.add('trailing-comma')
    },
  },
  {
    id: 'single-quotes',
    kind: 'json',
    fits: (form, calls) => isJson(form) && hasArguments(calls),
    make: (draft) => {
      draft.style = { ...draft.style, quote: "'" }
      draft.repairs.add('single-quotes')
    },
  },
  {
    id: 'python-words',
    kind: 'json',
    fits: (form, calls) => isStyled(form) && single(calls) && values(calls).some((value) => typeof value === 'boolean'),
    make: (draft) => {
      // Arguments that are text, and words that are in quotes, show no Python.
      const args = draft.written[0]!.args
      if (typeof args === 'string' || !values([{ name: '', args }]).some((value) => typeof value === 'boolean')) return
      draft.style = { ...draft.style, python: true }
      draft.repairs.add('python-literal')
    },
  },
  {
    id: 'raw-newlines',
    kind: 'json',
    fits: (form, calls) =>
      isStyled(form) && single(calls) && values(calls).some((value) => String(value).includes('\n')),
    make: (draft) => {
      if (typeof draft.written[0]!.args === 'string') return
      draft.style = { ...draft.style, rawNewline: true }
      draft.repairs.add('raw-newline')
    },
  },
  {
    id: 'bare-keys',
    kind: 'json',
    fits: (form, calls) => isJson(form) && hasArguments(calls),
    make: (draft) => {
      draft.style = { ...draft.style, bareKeys: true }
      draft.repairs.add('unquoted-key')
    },
  },
  {
    id: 'closer-missing',
    kind: 'json',
    // A number at the very end may have been cut off itself; the wild texts have that.
    fits: (form, calls) => isJson(form) && single(calls) && typeof values(calls).at(-1) !== 'number',
    make: (draft) => {
      draft.style = { ...draft.style, closers: -1 }
      draft.repairs.add('missing-closer')
      draft.short = true
    },
  },
  {
    id: 'closer-too-many',
    kind: 'json',
    fits: (form, calls) => isJson(form) && single(calls),
    make: (draft) => {
      draft.style = { ...draft.style, closers: 1 }
      draft.repairs.add('extra-closer')
    },
  },
  {
    id: 'end-tag-missing',
    kind: 'markup',
    fits: (form, calls) => form.close !== undefined && single(calls),
    make: (draft) => {
      const close = draft.form.close!
      draft.closed = false
      draft.markup.push((text) => text.slice(0, text.lastIndexOf(close)))
    },
  },
  {
    id: 'opened-twice',
    kind: 'markup',
    fits: (form) => form.id === 'hermes' || form.id === 'qwen-coder' || form.id === 'function-calls-invoke',
    make: (draft) => draft.markup.push((text) => `${/^<\w+>/.exec(text)![0]}\n${text}`),
  },
  {
    id: 'tags-in-capitals',
    kind: 'markup',
    fits: (form) => form.id.startsWith('hermes') || form.id === 'qwen-coder' || form.id === 'glm',
    make: (draft) => draft.markup.push((text) => text.replaceAll(/<(\/?)tool_call>/g, '<$1TOOL_CALL>')),
  },
  {
    id: 'end-of-turn-token',
    kind: 'markup',
    fits: () => true,
    make: (draft) => {
      // A token after a missing bracket shows that the model ended its turn itself.
      draft.markup.push((text) => `${text}<|im_end|>`)
    },
  },
  {
    id: 'windows-line-ends',
    kind: 'markup',
    fits: (_, calls) => !values(calls).some((value) => String(value).includes('\n')),
    make: (draft) => draft.markup.push((text) => text.replaceAll('\n', '\r\n')),
  },
  {
    id: 'space-around',
    kind: 'markup',
    fits: () => true,
    make: (draft) => draft.markup.push((text) => `\n\n  ${text}\n \n`),
  },
]
