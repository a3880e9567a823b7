import { findBackend } from '../config/backend.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { withPreset } from '../model/create-model.ts'
import { ModelError } from '../model/language-model.ts'
import type { LanguageModel, ModelInfo } from '../model/language-model.ts'
import type { BackendSettings } from '../model/settings.ts'
import { goesOn } from './model-port.ts'

export interface ReachedModel {
  /** `backend/model`. */
  name: string
  backend: string
  modelName: string
  /** With those of a preset. */
  settings: BackendSettings
  model: LanguageModel
  /** What the server says; undefined when the configuration says enough and it was not asked. */
  info: ModelInfo | undefined
  /** Fallbacks that come after it. */
  others: string[]
}

/**
 * The first of the models whose server answers, or whose window is configured: then it needs no question, and the first
 * request leaves sooner. Throws UserError for a name that means nothing, the ModelError of the last one when none answers.
 */
export async function reachModel(
  names: readonly string[],
  { loaded, backend: open }: { loaded: LoadedConfig; backend: (name: string) => Promise<LanguageModel> },
  warn: (text: string) => void,
  signal: AbortSignal,
): Promise<ReachedModel> {
  for (const [place, name] of names.entries()) {
    const { backend, model: modelName, settings: given } = findBackend(loaded, name)
    const settings = withPreset(given)
    const others = names.slice(place + 1)
    try {
      const model = await open(backend)
      const known = settings.contextMaxTokens ?? (model.provider === 'ollama' ? settings.numCtx : undefined)
      const info = known === undefined ? await model.info(modelName, signal) : undefined
      return { name, backend, modelName, settings, model, info, others }
    } catch (thrown) {
      if (!(thrown instanceof ModelError) || !goesOn(thrown) || others[0] === undefined || signal.aborted) throw thrown
      warn(`${thrown.message} Going on with ${others[0]}.`)
    }
  }
  throw new Error('reachModel was given no names')
}
