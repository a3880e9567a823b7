// What the models of today write when they call a tool: one entry for each format, with the models and where its form was
// read (chat templates and the parsers of the servers that serve them). Written anew from what those say.
import type { MeantCall } from './forms.ts'

/** How one family of models writes calls. */
export interface Format {
  id: string
  models: string
  /** Projects whose parser or template shows the form. */
  source: string
  /** Written with marks that mean a call and nothing else. */
  special: boolean
  /** Several calls in one message. */
  many: boolean
  write: (calls: readonly MeantCall[]) => string
  /** What stands around thinking. */
  think?: readonly [open: string, close: string]
  /** Puts a sentence before the calls, where that needs marks of its own. */
  lead?: (sentence: string, calls: string) => string
}

const THINK = ['<think>\n', '\n</think>\n\n'] as const

const fieldsOf = ({ args }: MeantCall): [string, unknown][] => Object.entries(args)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const json = (call: MeantCall, name = 'name', args = 'arguments'): string =>
  JSON.stringify({ [name]: call.name, [args]: call.args })
const list = (calls: readonly MeantCall[]): string => `[${calls.map((call) => json(call)).join(', ')}]`
const each =
  (write: (call: MeantCall, at: number) => string, joiner = '') =>
  (calls: readonly MeantCall[]): string =>
    calls.map(write).join(joiner)
const fields = (call: MeantCall, write: (key: string, value: string, raw: unknown) => string, joiner = '\n'): string =>
  fieldsOf(call)
    .map(([key, value]) => write(key, textOf(value), value))
    .join(joiner)

const python = (value: unknown): string => {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}: ${python(inner)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}
const pythonic = (call: MeantCall): string =>
  `${call.name}(${fields(call, (key, _, raw) => `${key}=${python(raw)}`, ', ')})`

/** Gemma's values: text between two marks, keys without quotes. */
const gemma = (value: unknown, mark: string): string => {
  if (typeof value === 'string') return `${mark}${value}${mark}`
  if (Array.isArray(value)) return `[${value.map((item) => gemma(item, mark)).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${key}:${gemma(inner, mark)}`)
      .join(',')}}`
  return String(value)
}

const MINIMAX = ']<]minimax[>['
/** MiniMax-M3's values: tags all the way down, each behind the mark. */
const marked = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((item) => `${MINIMAX}<item>${marked(item)}${MINIMAX}</item>`).join('')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, inner]) => `${MINIMAX}<${key}>${marked(inner)}${MINIMAX}</${key}>`)
      .join('')
  return String(value)
}

const invokes = (prefix: string, wrapper: string, flag = ''): ((calls: readonly MeantCall[]) => string) => {
  const tag = (name: string): string => `${prefix}${name}`
  return (calls) =>
    `<${tag(wrapper)}>\n${calls
      .map(
        (call) =>
          `<${tag('invoke')} name="${call.name}">\n${fields(call, (key, value, raw) => `<${tag('parameter')} name="${key}"${flag && ` string="${typeof raw === 'string'}"`}>${value}</${tag('parameter')}>\n`, '')}</${tag('invoke')}>`,
      )
      .join('\n')}\n</${tag(wrapper)}>`
}

/** GLM's pairs of keys and values, with what a vendor puts around the names. */
const pairs = (
  named: (name: string) => string,
  { gap = '\n', separator = '', wrapper = true }: { gap?: string; separator?: string; wrapper?: boolean } = {},
): ((calls: readonly MeantCall[]) => string) => {
  const open = (name: string): string => `<${named(name)}>`
  const close = (name: string): string => `</${named(name)}>`
  return (calls) => {
    const inner = calls
      .map(
        (call) =>
          `${open('tool_call')}${call.name}${separator && open(separator)}${gap}${fields(call, (key, value) => `${open('arg_key')}${key}${close('arg_key')}${gap}${open('arg_value')}${value}${close('arg_value')}${gap}`, '')}${close('tool_call')}`,
      )
      .join('\n')
    return wrapper ? `${open('tool_calls')}\n${inner}\n${close('tool_calls')}` : inner
  }
}

const functions = (open: string, close: string): ((calls: readonly MeantCall[]) => string) =>
  each(
    (call) =>
      `${open}<function=${call.name}>\n${fields(call, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`, '')}</function>${close}`,
    '\n',
  )

const xtml = (call: MeantCall, at: number, body: string): string =>
  `<|open|>call tool="${call.name}" index="${at + 1}"<|sep|>${body}<|close|>call<|sep|>`
const xtmlType = (raw: unknown): string =>
  Array.isArray(raw) ? 'array' : raw !== null && typeof raw === 'object' ? 'object' : typeof raw

// prettier-ignore
export const formats: readonly Format[] = [
  { id: 'hermes', models: 'Hermes 2 and 3, Qwen 2.5 and 3, Granite 4, EXAONE 4, ERNIE 4.5, SmolLM3, Trinity', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: THINK, write: each((call) => `<tool_call>\n${json(call)}\n</tool_call>`, '\n') },
  { id: 'llama3-json', models: 'Llama 3.1 to 3.3', source: 'llama.cpp, vLLM, SGLang', special: false, many: false, write: each((call) => json(call, 'name', 'parameters')) },
  { id: 'llama3-tag', models: 'Llama 3.1 to 3.3', source: 'llama.cpp, SGLang', special: true, many: true, write: (calls) => `<|python_tag|>${calls.map((call) => json(call, 'name', 'parameters')).join('; ')}<|eom_id|>` },
  { id: 'llama4', models: 'Llama 4', source: 'vLLM', special: true, many: true, write: (calls) => `<|python_start|>[${calls.map(pythonic).join(', ')}]<|python_end|>` },
  { id: 'pythonic', models: 'Llama 3.2, Llama 4, ToolACE', source: 'vLLM, SGLang', special: false, many: true, write: (calls) => `[${calls.map(pythonic).join(', ')}]` },
  { id: 'xlam', models: 'xLAM', source: 'vLLM', special: false, many: true, think: THINK, write: list },
  { id: 'mistral', models: 'Mistral 7B v0.3, Nemo, Mixtral', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: ['[THINK]', '[/THINK]'], write: (calls) => `[TOOL_CALLS]${list(calls)}` },
  { id: 'mistral-closed', models: 'Mistral behind Ollama', source: 'Ollama', special: true, many: true, write: (calls) => `[TOOL_CALLS] ${list(calls)} [/TOOL_CALLS]` },
  { id: 'mistral-args', models: 'Mistral Small 3.2, Ministral 3, Devstral, Magistral', source: 'llama.cpp, vLLM, Ollama', special: true, many: true, think: ['[THINK]', '[/THINK]'], write: each((call) => `[TOOL_CALLS]${call.name}[ARGS]${JSON.stringify(call.args)}`) },
  { id: 'mistral-ids', models: 'Mistral Small 3.1', source: 'llama.cpp, vLLM', special: true, many: true, write: each((call, at) => `[TOOL_CALLS]${call.name}[CALL_ID]a1b2c3d4${at}[ARGS]${JSON.stringify(call.args)}`) },
  { id: 'lm-studio', models: 'any model in LM Studio', source: 'LM Studio', special: true, many: true, think: THINK, write: each((call) => `[TOOL_REQUEST]${json(call)}[END_TOOL_REQUEST]`, '\n') },
  { id: 'qwen3-coder', models: 'Qwen3-Coder, Qwen3.5, Nemotron 3, Step 3.5, MiroThinker', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: THINK, write: functions('<tool_call>\n', '\n</tool_call>') },
  { id: 'seed-oss', models: 'Seed-OSS', source: 'llama.cpp, vLLM', special: true, many: true, think: ['<seed:think>', '</seed:think>'], write: functions('<seed:tool_call>\n', '\n</seed:tool_call>') },
  { id: 'glm-4.5', models: 'GLM 4.5 and 4.6, Ling 3, Laguna', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: THINK, write: pairs((name) => name, { wrapper: false }) },
  { id: 'glm-4.7', models: 'GLM 4.7', source: 'vLLM, SGLang, Ollama', special: true, many: true, think: ['<think>', '</think>'], write: pairs((name) => name, { wrapper: false, gap: '' }) },
  { id: 'hunyuan-v3', models: 'Hunyuan V3', source: 'vLLM, SGLang', special: true, many: true, think: THINK, write: pairs((name) => name, { separator: 'tool_sep' }) },
  { id: 'hunyuan-v3-suffix', models: 'Hunyuan V3', source: 'vLLM, SGLang', special: true, many: true, think: ['<think:opensource>', '</think:opensource>'], write: pairs((name) => `${name}:opensource`, { separator: 'tool_sep' }) },
  { id: 'hunyuan-v4', models: 'Hunyuan V4', source: 'vLLM', special: true, many: true, think: ['<think:6124c78e>', '</think:6124c78e>'], write: pairs((name) => `${name}:6124c78e`, { gap: '' }) },
  { id: 'hunyuan-a13b', models: 'Hunyuan A13B, Jamba 1.5, Apriel', source: 'vLLM', special: true, many: true, think: THINK, write: (calls) => `<tool_calls>${list(calls)}</tool_calls>` },
  { id: 'longcat', models: 'LongCat Flash', source: 'vLLM, SGLang', special: true, many: true, think: ['<longcat_think>\n', '\n</longcat_think>\n'], write: each((call) => `<longcat_tool_call>\n${json(call)}\n</longcat_tool_call>`) },
  { id: 'longcat-pairs', models: 'LongCat Flash', source: 'vLLM', special: true, many: true, think: ['<longcat_think>\n', '\n</longcat_think>\n'], write: pairs((name) => `longcat_${name}`, { wrapper: false }) },
  { id: 'k2-horizon', models: 'K2 Horizon', source: 'llama.cpp, vLLM', special: true, many: true, think: ['<ifm|think_fast>', '</ifm|think>'], write: pairs((name) => `ifm|${name}`) },
  { id: 'k2-horizon-json', models: 'K2 Horizon', source: 'llama.cpp', special: true, many: true, think: ['<ifm|think>', '</ifm|think>'], write: (calls) => `<ifm|tool_calls>${calls.map((call) => `<ifm|tool_call>${json(call)}</ifm|tool_call>`).join('')}</ifm|tool_calls>` },
  { id: 'minimax-m1', models: 'MiniMax-M1', source: 'vLLM', special: true, many: true, think: THINK, write: (calls) => `<tool_calls>\n${calls.map((call) => json(call)).join('\n')}\n</tool_calls>` },
  { id: 'minimax-m2', models: 'MiniMax-M2', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: THINK, write: (calls) => invokes('', 'minimax:tool_call')(calls) },
  { id: 'minimax-m3', models: 'MiniMax-M3', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: ['<mm:think>', '</mm:think>'], write: (calls) => `${MINIMAX}<tool_call>\n${calls.map((call) => `${MINIMAX}<invoke name="${call.name}">${marked(call.args)}${MINIMAX}</invoke>\n`).join('')}${MINIMAX}</tool_call>` },
  { id: 'gemma-4', models: 'Gemma 4', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: ['<|channel>thought\n', '<channel|>'], write: each((call) => `<|tool_call>call:${call.name}${gemma(call.args, '<|"|>')}<tool_call|>`) },
  { id: 'function-gemma', models: 'FunctionGemma', source: 'vLLM, Ollama', special: true, many: true, think: ['<think>', '</think>'], write: each((call) => `<start_function_call>call:${call.name}${gemma(call.args, '<escape>')}<end_function_call>`) },
  { id: 'gigachat-3', models: 'GigaChat 3', source: 'llama.cpp, vLLM, SGLang', special: true, many: false, lead: (sentence, calls) => `${sentence}<|message_sep|>\n\n${calls}`, write: each((call) => `function call<|role_sep|>\n${json(call)}`) },
  { id: 'gigachat-3.1', models: 'GigaChat 3.1', source: 'vLLM, SGLang', special: true, many: false, write: each((call) => `<|function_call|>${json(call)}`) },
  { id: 'gigachat-3.5', models: 'GigaChat 3.5', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: THINK, write: invokes('｜GCML｜', 'tool_calls', 'string') },
  { id: 'deepseek-v3', models: 'DeepSeek V3 and R1', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: THINK, write: (calls) => `<｜tool▁calls▁begin｜>${calls.map((call) => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${call.name}\n\`\`\`json\n${JSON.stringify(call.args)}\n\`\`\`<｜tool▁call▁end｜>`).join('\n')}<｜tool▁calls▁end｜>` },
  { id: 'deepseek-v3.1', models: 'DeepSeek V3.1, Cogito', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: THINK, write: (calls) => `<｜tool▁calls▁begin｜>${calls.map((call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${JSON.stringify(call.args)}<｜tool▁call▁end｜>`).join('')}<｜tool▁calls▁end｜>` },
  { id: 'deepseek-v3.2', models: 'DeepSeek V3.2', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: THINK, write: invokes('｜DSML｜', 'function_calls', 'string') },
  { id: 'deepseek-v4', models: 'DeepSeek V4', source: 'vLLM, SGLang', special: true, many: true, think: THINK, write: invokes('｜DSML｜', 'tool_calls', 'string') },
  { id: 'kimi-k2', models: 'Kimi K2, Kimi-K2-Thinking', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: THINK, write: (calls) => `<|tool_calls_section_begin|>${calls.map((call, at) => `<|tool_call_begin|>functions.${call.name}:${at}<|tool_call_argument_begin|>${JSON.stringify(call.args)}<|tool_call_end|>`).join('')}<|tool_calls_section_end|>` },
  { id: 'kimi-k3', models: 'Kimi K3', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: ['<|open|>think<|sep|>', '<|close|>think<|sep|>'], lead: (sentence, calls) => `<|open|>response<|sep|>${sentence}<|close|>response<|sep|>${calls}`, write: (calls) => `<|open|>tools<|sep|>${calls.map((call, at) => xtml(call, at, fields(call, (key, value, raw) => `<|open|>argument key="${key}" type="${xtmlType(raw)}"<|sep|>${value}<|close|>argument<|sep|>`, ''))).join('')}<|close|>tools<|sep|>` },
  { id: 'kimi-k3-json', models: 'Kimi K3', source: 'SGLang', special: true, many: true, think: ['<|open|>think<|sep|>', '<|close|>think<|sep|>'], lead: (sentence, calls) => `<|open|>response<|sep|>${sentence}<|close|>response<|sep|>${calls}`, write: (calls) => `<|open|>tools<|sep|>${calls.map((call, at) => xtml(call, at, `<|open|>json type="object"<|sep|>${JSON.stringify(call.args)}<|close|>json<|sep|>`)).join('')}<|close|>tools<|sep|><|close|>message<|sep|>` },
  { id: 'harmony', models: 'gpt-oss', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: ['<|channel|>analysis<|message|>', '<|end|>'], lead: (sentence, calls) => `<|channel|>commentary<|message|>${sentence}<|end|>${calls}`, write: each((call) => `<|start|>assistant<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${JSON.stringify(call.args)}<|call|>`) },
  { id: 'glimmer', models: 'Muse Glimmer', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: ['<|start|>assistant to=self<|message|>', '<|eom|>'], lead: (sentence, calls) => `<|start|>assistant to=user<|message|>${sentence}<|eom|>${calls}`, write: each((call) => `<|start|>assistant to=${call.name}<|message|>${invokes('atem:', 'function_calls')([call])}<|eom|>`) },
  { id: 'inkling', models: 'Inkling', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: ['<|content_thinking|>', '<|end_message|>'], lead: (sentence, calls) => `<|content_text|>${sentence}<|end_message|>${calls}`, write: each((call) => `<|message_model|>${call.name}<|content_invoke_tool_json|>${json(call, 'name', 'args')}<|end_message|>`) },
  { id: 'solar', models: 'Solar Open', source: 'llama.cpp, vLLM', special: true, many: true, think: ['<|think|>', '<|end|><|begin|>assistant'], lead: (sentence, calls) => `<|content|>${sentence}<|end|><|begin|>assistant${calls}`, write: (calls) => `<|tool_calls|>${calls.map((call, at) => `<|tool_call:begin|>${at}<|tool_call:name|>${call.name}<|tool_call:args|>${JSON.stringify(call.args)}<|tool_call:end|>`).join('')}<|calls|>` },
  { id: 'plamo', models: 'PLaMo 3', source: 'vLLM', special: true, many: true, think: ['<|plamo:begin_think:plamo|>', '<|plamo:end_think:plamo|>'], write: (calls) => `<|plamo:begin_tool_requests:plamo|>${calls.map((call) => `<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>${call.name}<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:msg|>${JSON.stringify(call.args)}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>`).join('')}<|plamo:end_tool_requests:plamo|>` },
  { id: 'functionary', models: 'Functionary v3.2', source: 'llama.cpp', special: true, many: true, lead: (sentence, calls) => `>>>all\n${sentence}\n${calls}`, write: each((call) => `>>>${call.name}\n${JSON.stringify(call.args)}`, '\n') },
  { id: 'llama-function', models: 'Functionary v3.1, Llama 3.1', source: 'llama.cpp', special: true, many: true, write: each((call) => `<function=${call.name}>${JSON.stringify(call.args)}</function>`, '\n') },
  { id: 'hyperclova', models: 'HyperCLOVA X SEED Think', source: 'vLLM', special: true, many: true, lead: (sentence, calls) => `${sentence}<|im_end|>\n<|im_start|>assistant${calls}`, write: (calls) => ` -> tool/function_call\n${list(calls)}<|im_end|>` },
  { id: 'pangu', models: 'openPangu', source: 'vLLM', special: true, many: true, think: ['[unused16]', '[unused17]'], write: (calls) => `[unused11]${list(calls)}[unused12]` },
  { id: 'step-3', models: 'Step 3', source: 'vLLM, SGLang', special: true, many: true, think: ['<think>', '</think>'], write: (calls) => `<｜tool_calls_begin｜>\n${calls.map((call) => `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${call.name}">\n${fields(call, (key, value) => `<steptml:parameter name="${key}">${value}</steptml:parameter>\n`, '')}</steptml:invoke><｜tool_call_end｜>`).join('\n')}\n<｜tool_calls_end｜>` },
  { id: 'command-r', models: 'Command R and R+', source: 'llama.cpp', special: false, many: true, write: (calls) => `Action: \`\`\`json\n[${calls.map((call) => json(call, 'tool_name', 'parameters')).join(',\n')}]\n\`\`\`` },
  { id: 'command-a', models: 'Command R7B, Command A', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: ['<|START_THINKING|>', '<|END_THINKING|>'], write: (calls) => `<|START_ACTION|>[\n${calls.map((call, at) => `    {"tool_call_id": "${at}", "tool_name": ${JSON.stringify(call.name)}, "parameters": ${JSON.stringify(call.args)}}`).join(',\n')}\n]<|END_ACTION|>` },
  { id: 'lfm2', models: 'LFM2, LFM2.5', source: 'llama.cpp, vLLM, SGLang, Ollama', special: true, many: true, think: ['<think>', '</think>'], write: (calls) => `<|tool_call_start|>[${calls.map(pythonic).join(', ')}]<|tool_call_end|>` },
  { id: 'minicpm5', models: 'MiniCPM5', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: ['<think>', '</think>'], write: each((call) => `<function name="${call.name}">${fields(call, (key, value) => `<param name="${key}">${/[<&\n]/.test(value) ? `<![CDATA[${value}]]>` : value}</param>`, '')}</function>`, '\n') },
  { id: 'nemotron', models: 'Nemotron-H, Nemotron Nano v2', source: 'llama.cpp, vLLM', special: true, many: true, think: THINK, write: (calls) => `<TOOLCALL>${list(calls)}</TOOLCALL>` },
  { id: 'phi-4-mini', models: 'Phi-4-mini', source: 'llama.cpp, vLLM', special: true, many: true, write: (calls) => `functools${list(calls)}` },
  { id: 'apertus', models: 'Apertus', source: 'llama.cpp, vLLM, SGLang', special: true, many: true, think: ['<|inner_prefix|>', '<|inner_suffix|>'], write: (calls) => `<|tools_prefix|>[${calls.map((call) => `{${JSON.stringify(call.name)}: ${JSON.stringify(call.args)}}`).join(', ')}]<|tools_suffix|>` },
  { id: 'olmo-3', models: 'OLMo 3', source: 'vLLM, Ollama', special: true, many: true, think: ['<think>', '</think>'], write: (calls) => `<function_calls>\n${calls.map(pythonic).join('\n')}\n</function_calls>` },
  { id: 'granite-3', models: 'Granite 3', source: 'llama.cpp, vLLM', special: true, many: true, write: (calls) => `<|tool_call|>${list(calls)}` },
  { id: 'granite-20b', models: 'Granite 20B function calling', source: 'vLLM', special: true, many: true, write: each((call) => `<function_call> ${json(call)}`, ' ') },
  { id: 'internlm', models: 'InternLM 2.5', source: 'vLLM, SGLang', special: true, many: false, write: each((call) => `<|action_start|><|plugin|>\n${json(call, 'name', 'parameters')}<|action_end|>`) },
  { id: 'anthropic', models: 'Claude behind a proxy', source: 'Anthropic', special: true, many: true, write: invokes('antml:', 'function_calls') },
]
