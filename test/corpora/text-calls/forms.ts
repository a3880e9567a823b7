import type { Dialect } from '../../../src/model/text-calls/types.ts'
import { STRICT, writeJson, writeWhole, type JsonStyle } from './write-json.ts'

/** A call as the model means it. */
export interface MeantCall {
  name: string
  /** An object, or the text a model made of it. */
  args: Record<string, unknown> | string
}

/** One way to write calls. `json` says in which JSON the arguments stand, so that its faults can be applied. */
export interface Form {
  id: string
  dialect: Dialect
  /** `envelope`: JSON with the name in it; `arguments`: JSON of the arguments; `text`: none; `python`: Python. */
  json: 'envelope' | 'arguments' | 'text' | 'python'
  /** Several calls in one message. */
  many: boolean
  /** Opening and closing mark, where the closing one can be missing. */
  close?: string
  /** Markup that means a call and nothing else: it may stand in the middle of a line. */
  strong: boolean
  write: (calls: readonly MeantCall[], style: JsonStyle) => string
}

const envelope =
  (nameKey: string, argumentsKey: string) =>
  (call: MeantCall, style: JsonStyle): string =>
    writeWhole({ [nameKey]: call.name, [argumentsKey]: call.args }, style)

const plain = envelope('name', 'arguments')
const each =
  (write: (call: MeantCall, style: JsonStyle) => string, joiner = '\n') =>
  (calls: readonly MeantCall[], style: JsonStyle): string =>
    calls.map((call) => write(call, style)).join(joiner)
const list =
  (write: (calls: string) => string, nameKey = 'name', argumentsKey = 'arguments') =>
  (calls: readonly MeantCall[], style: JsonStyle): string =>
    write(
      writeWhole(
        calls.map((call) => ({ [nameKey]: call.name, [argumentsKey]: call.args })),
        style,
      ),
    )

const fieldsOf = (call: MeantCall): Record<string, unknown> => (typeof call.args === 'string' ? {} : call.args)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const parameters = (call: MeantCall, write: (key: string, value: string) => string): string =>
  Object.entries(fieldsOf(call))
    .map(([key, value]) => write(key, textOf(value)))
    .join('\n')
const python = (call: MeantCall): string =>
  `${call.name}(${Object.entries(fieldsOf(call))
    .map(([key, value]) => `${key}=${writeJson(value, PYTHON)}`)
    .join(', ')})`
const PYTHON: JsonStyle = { ...STRICT, python: true, spaced: true }

const escaped = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')

export const forms: readonly Form[] = [
  {
    id: 'hermes',
    dialect: 'tagged-json',
    json: 'envelope',
    many: true,
    strong: true,
    close: '\n</tool_call>',
    write: each((call, style) => `<tool_call>\n${plain(call, style)}\n</tool_call>`),
  },
  {
    id: 'hermes-one-line',
    dialect: 'tagged-json',
    json: 'envelope',
    many: true,
    strong: true,
    close: '</tool_call>',
    write: each((call, style) => `<tool_call>${plain(call, style)}</tool_call>`, ''),
  },
  {
    id: 'hermes-parameters',
    dialect: 'tagged-json',
    json: 'envelope',
    many: true,
    strong: true,
    close: ' </tool_call>',
    write: each((call, style) => `<tool_call> ${envelope('name', 'parameters')(call, style)} </tool_call>`),
  },
  {
    id: 'function-call-tag',
    dialect: 'tagged-json',
    json: 'envelope',
    many: true,
    strong: true,
    close: '\n</function_call>',
    write: each((call, style) => `<function_call>\n${plain(call, style)}\n</function_call>`),
  },
  {
    id: 'tool-calls-list',
    dialect: 'tagged-json',
    json: 'envelope',
    many: true,
    strong: true,
    close: '</tool_calls>',
    write: list((calls) => `<tool_calls>${calls}</tool_calls>`),
  },
  {
    id: 'bars',
    dialect: 'tagged-json',
    json: 'envelope',
    many: true,
    strong: true,
    close: '<|/tool_call|>',
    write: list((calls) => `<|tool_call|>${calls}<|/tool_call|>`),
  },
  {
    id: 'cohere',
    dialect: 'tagged-json',
    json: 'envelope',
    many: true,
    strong: true,
    close: '<|END_ACTION|>',
    write: list((calls) => `<|START_ACTION|>${calls}<|END_ACTION|>`, 'tool_name', 'parameters'),
  },
  {
    id: 'tagged-children',
    dialect: 'element',
    json: 'arguments',
    many: true,
    strong: true,
    close: '</tool_call>',
    write: each(
      (call, style) =>
        `<tool_call><name>${call.name}</name><arguments>${writeWhole(call.args, style)}</arguments></tool_call>`,
    ),
  },
  {
    id: 'fenced-json',
    dialect: 'json',
    json: 'envelope',
    many: true,
    strong: false,
    close: '\n```',
    write: each((call, style) => `\`\`\`json\n${plain(call, style)}\n\`\`\``),
  },
  {
    id: 'fenced-bare',
    dialect: 'json',
    json: 'envelope',
    many: true,
    strong: false,
    close: '\n```',
    write: list((calls) => `\`\`\`\n${calls}\n\`\`\``),
  },
  {
    id: 'fenced-tool',
    dialect: 'json',
    json: 'envelope',
    many: true,
    strong: true,
    close: '\n```',
    write: each((call, style) => `\`\`\`tool_call\n${plain(call, style)}\n\`\`\``),
  },
  { id: 'bare', dialect: 'json', json: 'envelope', many: true, strong: false, write: each(plain) },
  { id: 'bare-list', dialect: 'json', json: 'envelope', many: true, strong: false, write: list((calls) => calls) },
  {
    id: 'bare-input',
    dialect: 'json',
    json: 'envelope',
    many: true,
    strong: false,
    write: each(envelope('name', 'input')),
  },
  {
    id: 'bare-tool',
    dialect: 'json',
    json: 'envelope',
    many: true,
    strong: false,
    write: each(envelope('tool', 'parameters')),
  },
  {
    id: 'openai',
    dialect: 'json',
    json: 'envelope',
    many: true,
    strong: false,
    write: each((call, style) =>
      writeWhole(
        { function: { name: call.name, arguments: JSON.stringify(call.args) } },
        { ...style, rawNewline: false },
      ),
    ),
  },
  {
    id: 'openai-full',
    dialect: 'json',
    json: 'envelope',
    many: true,
    strong: false,
    write: (calls, style) =>
      writeWhole(
        {
          tool_calls: calls.map((call, at) => ({
            id: `call_${at}`,
            type: 'function',
            function: { name: call.name, arguments: call.args },
          })),
        },
        style,
      ),
  },
  {
    id: 'anthropic-object',
    dialect: 'json',
    json: 'envelope',
    many: true,
    strong: false,
    write: each((call, style) =>
      writeWhole({ type: 'tool_use', id: 'toolu_1', name: call.name, input: call.args }, style),
    ),
  },
  {
    id: 'mistral',
    dialect: 'mistral',
    json: 'envelope',
    many: true,
    strong: true,
    write: list((calls) => `[TOOL_CALLS]${calls}`),
  },
  {
    id: 'mistral-named',
    dialect: 'mistral',
    json: 'arguments',
    many: true,
    strong: true,
    write: each((call, style) => `[TOOL_CALLS]${call.name}[ARGS]${writeWhole(call.args, style)}`, ''),
  },
  {
    id: 'python-tag',
    dialect: 'python-tag',
    json: 'envelope',
    many: true,
    strong: true,
    close: '<|eom_id|>',
    write: (calls, style) =>
      `<|python_tag|>${calls.map((call) => envelope('name', 'parameters')(call, style)).join('; ')}<|eom_id|>`,
  },
  {
    id: 'llama-function',
    dialect: 'function',
    json: 'arguments',
    many: true,
    strong: true,
    close: '</function>',
    write: each((call, style) => `<function=${call.name}>${writeWhole(call.args, style)}</function>`),
  },
  {
    id: 'kimi',
    dialect: 'kimi',
    json: 'arguments',
    many: true,
    strong: true,
    close: '<|tool_call_end|><|tool_calls_section_end|>',
    write: (calls, style) =>
      `<|tool_calls_section_begin|>${calls
        .map(
          (call, at) =>
            `<|tool_call_begin|>functions.${call.name}:${at}<|tool_call_argument_begin|>${writeWhole(call.args, style)}<|tool_call_end|>`,
        )
        .join('')}<|tool_calls_section_end|>`,
  },
  {
    id: 'deepseek',
    dialect: 'deepseek',
    json: 'arguments',
    many: true,
    strong: true,
    close: '<｜tool▁calls▁end｜>',
    write: (calls, style) =>
      `<｜tool▁calls▁begin｜>${calls
        .map(
          (call) =>
            `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${call.name}\n\`\`\`json\n${writeWhole(call.args, style)}\n\`\`\`<｜tool▁call▁end｜>`,
        )
        .join('\n')}<｜tool▁calls▁end｜>`,
  },
  {
    id: 'deepseek-short',
    dialect: 'deepseek',
    json: 'arguments',
    many: true,
    strong: true,
    close: '<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    write: (calls, style) =>
      `<｜tool▁calls▁begin｜>${calls
        .map(
          (call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${writeWhole(call.args, style)}<｜tool▁call▁end｜>`,
        )
        .join('')}<｜tool▁calls▁end｜>`,
  },
  {
    id: 'harmony',
    dialect: 'harmony',
    json: 'arguments',
    many: true,
    strong: true,
    close: '<|call|>',
    write: each(
      (call, style) =>
        `<|start|>assistant<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${writeWhole(call.args, style)}<|call|>`,
      '',
    ),
  },
  {
    id: 'harmony-channel',
    dialect: 'harmony',
    json: 'arguments',
    many: false,
    strong: true,
    close: '<|call|>',
    write: each(
      (call, style) =>
        `<|channel|>commentary to=functions.${call.name} json<|message|>${writeWhole(call.args, style)}<|call|>`,
      '',
    ),
  },
  {
    id: 'react',
    dialect: 'react',
    json: 'arguments',
    many: false,
    strong: false,
    write: each((call, style) => `Action: ${call.name}\nAction Input: ${writeWhole(call.args, style)}`),
  },
  {
    id: 'python-list',
    dialect: 'pythonic',
    json: 'python',
    many: true,
    strong: false,
    close: ']',
    write: (calls) => `[${calls.map(python).join(', ')}]`,
  },
  {
    id: 'python-start',
    dialect: 'pythonic',
    json: 'python',
    many: true,
    strong: true,
    close: '<|python_end|>',
    write: (calls) => `<|python_start|>[${calls.map(python).join(', ')}]<|python_end|>`,
  },
  {
    id: 'python-in-tag',
    dialect: 'pythonic',
    json: 'python',
    many: true,
    strong: true,
    close: '\n</tool_call>',
    write: (calls) => `<tool_call>\n[${calls.map(python).join(', ')}]\n</tool_call>`,
  },
  {
    id: 'tool-code',
    dialect: 'pythonic',
    json: 'python',
    many: true,
    strong: true,
    close: '\n```',
    write: (calls) => `\`\`\`tool_code\n${calls.map(python).join('\n')}\n\`\`\``,
  },
  {
    id: 'qwen-coder',
    dialect: 'function',
    json: 'text',
    many: true,
    strong: true,
    close: '\n</tool_call>',
    write: each(
      (call) =>
        `<tool_call>\n<function=${call.name}>\n${parameters(call, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)}\n</function>\n</tool_call>`,
    ),
  },
  {
    id: 'function-tag',
    dialect: 'function',
    json: 'text',
    many: true,
    strong: true,
    close: '\n</function>',
    write: each(
      (call) =>
        `<function=${call.name}>\n${parameters(call, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)}\n</function>`,
    ),
  },
  {
    id: 'invoke',
    dialect: 'invoke',
    json: 'text',
    many: true,
    strong: true,
    close: '\n</invoke>',
    write: each(
      (call) =>
        `<invoke name="${call.name}">\n${parameters(call, (key, value) => `<parameter name="${key}">${value}</parameter>`)}\n</invoke>`,
    ),
  },
  {
    id: 'function-calls-invoke',
    dialect: 'invoke',
    json: 'text',
    many: true,
    strong: true,
    close: '\n</function_calls>',
    write: (calls) =>
      `<function_calls>\n${calls
        .map(
          (call) =>
            `<invoke name="${call.name}">\n${parameters(call, (key, value) => `<parameter name="${key}">${value}</parameter>`)}\n</invoke>`,
        )
        .join('\n')}\n</function_calls>`,
  },
  {
    id: 'dsml',
    dialect: 'invoke',
    json: 'text',
    many: true,
    strong: true,
    close: '\n</｜DSML｜function_calls>',
    write: (calls) =>
      `<｜DSML｜function_calls>\n${calls
        .map(
          (call) =>
            `<｜DSML｜invoke name="${call.name}">\n${parameters(call, (key, value) => `<｜DSML｜parameter name="${key}" string="true">${value}</｜DSML｜parameter>`)}\n</｜DSML｜invoke>`,
        )
        .join('\n')}\n</｜DSML｜function_calls>`,
  },
  {
    id: 'tool-attribute',
    dialect: 'invoke',
    json: 'text',
    many: true,
    strong: false,
    close: '\n</tool>',
    write: each(
      (call) => `<tool name="${call.name}">\n${parameters(call, (key, value) => `<${key}>${value}</${key}>`)}\n</tool>`,
    ),
  },
  {
    id: 'element',
    dialect: 'element',
    json: 'text',
    many: true,
    strong: false,
    close: '\n</',
    write: each(
      (call) => `<${call.name}>\n${parameters(call, (key, value) => `<${key}>${value}</${key}>`)}\n</${call.name}>`,
    ),
  },
  {
    id: 'attributes',
    dialect: 'invoke',
    json: 'text',
    many: true,
    strong: true,
    write: each(
      (call) =>
        `<tool_call name="${call.name}"${Object.entries(fieldsOf(call))
          .map(([key, value]) => ` ${key}="${escaped(textOf(value))}"`)
          .join('')}/>`,
    ),
  },
  {
    id: 'glm',
    dialect: 'arg-key',
    json: 'text',
    many: true,
    strong: true,
    close: '\n</tool_call>',
    write: each(
      (call) =>
        `<tool_call>${call.name}\n${parameters(call, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)}\n</tool_call>`,
    ),
  },
]
