// Where an OpenAI-style error body becomes a kind of failure: the only place that looks at what such servers write.
import type { StatusFailure } from '../errors.ts'
import { asCount, asObject, asString, parseJson } from '../json.ts'
import type { OptionalField } from './openai-request.ts'

// code or type of the body, by server: OpenAI, vLLM/llama.cpp (exceed_context_size_error), LM Studio, Groq, Mistral.
const codes: Record<string, NonNullable<StatusFailure['kind']>> = {
  context_length_exceeded: 'context_too_long',
  exceed_context_size_error: 'context_too_long',
  model_not_found: 'model_not_found',
  invalid_model: 'model_not_found',
  model_not_available: 'model_not_found',
  insufficient_quota: 'quota',
}

// Servers without codes say it only in words.
const tooLong =
  /maximum (context|model) length|context (length|size|window)|exceeds? the (available )?context|prompt is too long|too many (input )?tokens/i
const noModel = /model\b.*\b(not found|does not exist|not exist|unknown|not (loaded|available))|no such model/i
const noTools =
  /does not support (tools|function)|tool(s| use| calling| choice)?\b.*(not supported|not enabled|requires --)/i

// Of vLLM, llama.cpp, LM Studio, OpenAI, OpenRouter, Mistral, and of servers whose schema knows text only (DeepSeek, Groq).
const imageStatus = new Set([400, 404, 415, 422, 500, 501])
const noImages =
  /(not support|n't support|support for)[^.]*\b(images?|vision|multi-?modal)|(image input|image_url|images?|multi-?modal input)\b[^.]*\b(not supported|unsupported|only supported by|not enabled)|support image input|at most 0 image|not a multimodal model|unknown variant .?image_url|content must be a string|missing data required for image/i

/** `sentImages`: the request had images, so words about them mean that the model takes none. */
export function readChatFailure(
  status: number,
  headers: StatusFailure['headers'],
  body: string,
  sentImages = false,
): StatusFailure & { kind?: StatusFailure['kind'] } {
  const parsed = asObject(parseJson(body))
  const error = asObject(parsed?.['error']) ?? parsed ?? {}
  const said = (
    asString(error['message']) ??
    asString(parsed?.['error']) ??
    asString(error['detail']) ??
    (body.trimStart().startsWith('<') ? '' : body)
  )
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
  // In a stream the real status stands in the body.
  const inBody = asCount(error['code']) ?? asCount(error['status'])
  const real = status === 500 && inBody !== undefined && inBody >= 400 && inBody < 600 ? inBody : status
  const named = codes[asString(error['code']) ?? ''] ?? codes[asString(error['type']) ?? '']
  const blind = sentImages && imageStatus.has(real) && noImages.test(said)
  return { status: real, headers, said, kind: blind ? 'no-images' : (named ?? kindOfWords(real, said)) }
}

function kindOfWords(status: number, said: string): StatusFailure['kind'] {
  if (status === 404) return noModel.test(said) ? 'model_not_found' : undefined
  if (status !== 400 && status !== 422 && status !== 500) return undefined
  if (tooLong.test(said)) return 'context_too_long'
  // llama.cpp answers 500 when it was started without --jinja.
  if (noTools.test(said)) return 'no-tools'
  if (status === 500) return undefined
  return noModel.test(said) ? 'model_not_found' : undefined
}

const optionalFields: OptionalField[] = [
  'stream_options',
  'parallel_tool_calls',
  'reasoning_effort',
  'max_tokens',
  'temperature',
  'top_p',
  'tool_choice',
]

/** The optional field a server refuses; undefined when the refusal is about something else. */
export function refusedField(status: number, body: string, sent: Record<string, unknown>): OptionalField | undefined {
  if (status !== 400 && status !== 422) return undefined
  const parsed = asObject(parseJson(body))
  const error = asObject(parsed?.['error']) ?? parsed ?? {}
  const param = asString(error['param'])
  const words =
    /unsupported|not supported|unknown|unrecognized|unexpected|extra|not permitted|not allowed|does not support/i
  return optionalFields.find((field) => {
    if (!(field in sent)) return false
    if (param === field) return words.test(body)
    return param === undefined && words.test(body) && new RegExp(`\\b${field}\\b`).test(body)
  })
}
