import type { ServerResponse } from 'node:http'
import { object, string } from './read.ts'
import type { ServerOptions } from './types.ts'

/** Answers what is asked besides completions: model lists, capabilities, windows, downloads. */
export function answerQuestion(response: ServerResponse, path: string, text: string, options: ServerOptions): void {
  const models = options.models ?? ['mock']
  const window = options.window ?? 32_768
  if (path === '/api/tags') return json(response, { models: models.map((name) => ({ name, model: name })) })
  if (path === '/api/version') return json(response, { version: '0.12.0' })
  if (path === '/api/show') return show(response, text, models, window, options)
  if (path === '/api/pull') return pull(response, text)
  const isTold = options.tellsWindow !== false
  if (path === '/props' && isTold) return json(response, { default_generation_settings: { n_ctx: window } })
  if (path.endsWith('/models'))
    return json(response, {
      object: 'list',
      data: models.map((id) =>
        Object.assign({ id, object: 'model' }, isTold && { max_model_len: window }, options.modelFields),
      ),
    })
  const one = /\/models\/([^/]+)$/.exec(path)?.[1]
  if (one !== undefined) return json(response, { id: decodeURIComponent(one), type: 'model', max_input_tokens: window })
  return json(response, { error: { message: `no such path ${path}`, type: 'not_found_error' } }, 404)
}

function show(response: ServerResponse, text: string, models: string[], window: number, options: ServerOptions): void {
  const model = string(object(JSON.parse(text))['model'])
  if (options.models !== undefined && !models.includes(model))
    return json(response, { error: `model '${model}' not found` }, 404)
  return json(response, {
    model_info: { 'general.architecture': 'mock', 'mock.context_length': window },
    capabilities: options.capabilities ?? ['completion', 'tools'],
  })
}

function pull(response: ServerResponse, text: string): void {
  const model = string(object(JSON.parse(text))['model'])
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const lines =
    model === 'no-such-model'
      ? [{ status: 'pulling manifest' }, { error: 'pull model manifest: file does not exist' }]
      : [
          { status: 'pulling manifest' },
          { status: 'pulling 1', digest: 'sha256:1', total: 100, completed: 50 },
          { status: 'pulling 1', digest: 'sha256:1', total: 100, completed: 100 },
          { status: 'success' },
        ]
  response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
