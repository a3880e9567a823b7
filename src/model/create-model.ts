// Makes the LanguageModel of a backend. A provider's code is loaded only when its backend is used; unknown types are
// an error that names the known ones.
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { HttpTimeouts } from './http.ts'
import { readApiKey } from './api-key.ts'
import type { LanguageModel } from './language-model.ts'
import { presets } from './providers/presets.ts'
import type { ModelScript } from './providers/scripted.ts'
import type { BackendSettings } from './settings.ts'

const OLLAMA_URL = 'http://127.0.0.1:11434'
const ANTHROPIC_URL = 'https://api.anthropic.com'
/** The version of the API, not of a model. */
const ANTHROPIC_VERSION = '2023-06-01'

/** Types a backend may have, in the order the documentation lists them. */
export const backendTypes = ['ollama', 'openai-compatible', 'anthropic', 'scripted', ...Object.keys(presets)]

/** Settings of a backend with those of its preset below them. */
export function withPreset(settings: BackendSettings): BackendSettings & { model?: string } {
  const preset = presets[settings.type]
  if (preset === undefined) return settings
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  return { ...preset, ...given, type: preset.type ?? settings.type }
}

/**
 * Throws UserError `config` for a type that does not exist or a URL that is none. Opens no connection.
 * `script` is what a backend of type `scripted` plays.
 */
export async function createModel(
  backend: string,
  given: BackendSettings,
  options: { script?: ModelScript } = {},
): Promise<LanguageModel> {
  const settings = withPreset(given)
  const common = {
    backend,
    caFile: settings.caFile,
    timeouts: timeoutsOf(settings),
  }
  switch (settings.type) {
    case 'ollama': {
      const { Ollama } = await import('./providers/ollama.ts')
      const url = checkedUrl(backend, settings.url ?? OLLAMA_URL)
      return new Ollama({ ...common, url, headers: bearer(settings), keepAlive: settings.keepAlive })
    }
    case 'openai-compatible': {
      const { OpenAiCompatible } = await import('./providers/openai-compatible.ts')
      const url = checkedUrl(backend, settings.url)
      const oneCallAtATime = settings.maxParallelTools === 1
      return new OpenAiCompatible({ ...common, url, headers: bearer(settings), oneCallAtATime })
    }
    case 'anthropic': {
      const { Anthropic } = await import('./providers/anthropic.ts')
      const headers = async (): Promise<Record<string, string>> => {
        const key = await readApiKey(settings)
        return {
          ...(key === undefined ? {} : { 'x-api-key': key }),
          'anthropic-version': ANTHROPIC_VERSION,
          ...settings.headers,
        }
      }
      return new Anthropic({ ...common, url: checkedUrl(backend, settings.url ?? ANTHROPIC_URL), headers })
    }
    case 'scripted': {
      const { ScriptedModel } = await import('./providers/scripted.ts')
      return new ScriptedModel(backend, options.script ?? { steps: [] })
    }
    default:
      throw new UserError('config', `the backend "${backend}" has the unknown type "${settings.type}"`, {
        exitCode: EXIT.usage,
        suggestion: `Known types are ${backendTypes.join(', ')}.`,
      })
  }
}

function checkedUrl(backend: string, url: string | undefined): string {
  const parsed = url === undefined ? null : URL.parse(url)
  if (url !== undefined && (parsed?.protocol === 'http:' || parsed?.protocol === 'https:')) return url
  const what = url === undefined ? 'has no url' : `has the url "${url}", which is no http address`
  throw new UserError('config', `the backend "${backend}" ${what}`, {
    exitCode: EXIT.usage,
    suggestion: `Set it to the base of the API, for example http://127.0.0.1:8000/v1.`,
  })
}

function bearer(settings: BackendSettings): () => Promise<Record<string, string>> {
  return async () => {
    const key = await readApiKey(settings)
    return { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...settings.headers }
  }
}

function timeoutsOf({ timeout, idleTimeout }: BackendSettings): Partial<HttpTimeouts> {
  return {
    ...(timeout === undefined ? {} : { firstByteMs: timeout * 1000 }),
    ...(idleTimeout === undefined ? {} : { idleMs: idleTimeout * 1000, blankMs: idleTimeout * 1000 }),
  }
}
