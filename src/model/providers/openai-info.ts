import type { HttpClient } from '../http.ts'
import { asArray, asCount, asObject, asString, parseJson } from '../json.ts'
import type { Json } from '../json.ts'
import type { ModelInfo } from '../language-model.ts'

const INFO_TIMEOUT_MS = 3_000

// Where servers say the window: vLLM, OpenRouter, Groq, Mistral and LM Studio, in that order.
const windowFields = ['max_model_len', 'context_length', 'context_window', 'max_context_length', 'max_input_tokens']

/** What `/v1/models` says; on local servers also LM Studio's own list and llama.cpp's `/props`, which know the loaded window. */
export async function readModelInfo(
  http: HttpClient,
  model: string,
  base: string,
  signal: AbortSignal | undefined,
): Promise<ModelInfo> {
  const root = base.replace(/\/v1$/, '')
  const entry = find(await get(http, `${base}/models`, signal, true), model)
  let window = windowOf(entry)
  let vision = visionOf(entry)
  if (window === undefined && http.local) {
    const studio = find(await get(http, `${root}/api/v0/models`, signal, false), model)
    const props = studio === undefined ? await get(http, `${root}/props`, signal, false) : undefined
    window =
      asCount(studio?.['loaded_context_length']) ??
      asCount(studio?.['max_context_length']) ??
      asCount(asObject(props?.['default_generation_settings'])?.['n_ctx']) ??
      asCount(props?.['n_ctx'])
    vision ??= studio ? studioVision(studio) : asBoolean(asObject(props?.['modalities'])?.['vision'])
  }
  const tools = toolsOf(entry)
  return {
    id: model,
    ...(window ? { window } : {}),
    ...(tools === undefined ? {} : { tools }),
    ...(vision === undefined ? {} : { vision }),
  }
}

function windowOf(entry: Json | undefined): number | undefined {
  for (const field of windowFields) {
    const window = asCount(entry?.[field])
    if (window) return window
  }
  return asCount(asObject(entry?.['top_provider'])?.['context_length']) || undefined
}

// OpenRouter lists parameters, Mistral capabilities.
function toolsOf(entry: Json | undefined): boolean | undefined {
  const parameters = entry?.['supported_parameters']
  if (Array.isArray(parameters)) return parameters.includes('tools')
  const capability = asObject(entry?.['capabilities'])?.['function_calling']
  return asBoolean(capability)
}

// OpenRouter lists what a model takes, Mistral capabilities; llama.cpp and LM Studio say it elsewhere.
function visionOf(entry: Json | undefined): boolean | undefined {
  const modalities = asObject(entry?.['architecture'])?.['input_modalities']
  if (Array.isArray(modalities)) return modalities.includes('image')
  return asBoolean(asObject(entry?.['capabilities'])?.['vision'])
}

const studioVision = ({ type }: Json): boolean | undefined =>
  type === 'vlm' ? true : type === 'llm' ? false : undefined

const asBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

function find(list: Json | undefined, model: string): Json | undefined {
  const entries = asArray(list?.['data']).map(asObject)
  return entries.find((entry) => asString(entry?.['id']) === model)
}

async function get(
  http: HttpClient,
  url: string,
  signal: AbortSignal | undefined,
  must: boolean,
): Promise<Json | undefined> {
  try {
    const response = await http.send({ method: 'GET', path: url, signal, timeoutMs: INFO_TIMEOUT_MS })
    const body = await response.body.text()
    return response.status === 200 ? asObject(parseJson(body)) : undefined
  } catch (error) {
    if (must) throw error
    return undefined
  }
}
