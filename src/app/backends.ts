// The backends of an open application, each made when it is first used.
import { join } from 'node:path'
import type { LoadedConfig } from '../config/load-config.ts'
import { isLoopback } from '../model/address.ts'
import { createModel } from '../model/create-model.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import { cacheFolder } from '../store/data-folder.ts'
import type { Opened } from './opened.ts'

/** A backend by its name in the configuration; the same one each time. */
export function backendOf({ backends, loaded, options }: Opened, name: string): Promise<LanguageModel> {
  let model = backends.get(name)
  if (!model) {
    model = createModel(
      name,
      loaded.config.backends[name]!,
      options.script === undefined ? {} : { script: options.script },
    )
    if (options.offline) model = model.then(requireLocal)
    if (loaded.config.cache.agent !== 'off' && options.ephemeral !== true)
      model = withAnswerCache(model, loaded.config.cache)
    backends.set(name, model)
  }
  return model
}

/** Answers that are kept and reused (`cache.agent`); the file is closed with the model. */
async function withAnswerCache(
  opening: Promise<LanguageModel>,
  { agent: policy, ttl, ignoreCase }: LoadedConfig['config']['cache'],
): Promise<LanguageModel> {
  const [model, { cachedModel }, { ResponseCache }, { openResponseCache }] = await Promise.all([
    opening,
    import('../model/cached-model.ts'),
    import('../model/response-cache.ts'),
    import('../store/sqlite/response-cache.ts'),
  ])
  if (model.provider === 'scripted') return model
  const store = openResponseCache(join(cacheFolder(), 'responses.db'))
  const cached = cachedModel(model, new ResponseCache({ policy, ttlMs: ttl * 1000, ignoreCase, store }))
  return { ...cached, close: () => cached.close().finally(() => store.close()) }
}

/** `--offline`: no backend but one on this machine. */
function requireLocal(model: LanguageModel): LanguageModel {
  if (model.url === undefined || isLoopback(model.url)) return model
  throw new UserError('usage', `--offline refuses the backend ${model.backend}: ${model.url} is not on this machine.`, {
    exitCode: EXIT.usage,
    suggestion: 'Choose a local model with --model, or run without --offline.',
  })
}
