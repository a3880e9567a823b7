import type { LanguageModel } from './language-model.ts'
import type { ResponseCache } from './response-cache.ts'

/** A model whose answers are kept and reused; a reused answer is announced with the note `cache-hit` before its first part. */
export function cachedModel(model: LanguageModel, cache: ResponseCache): LanguageModel {
  const { backend, provider, url, local } = model
  return {
    backend,
    provider,
    url,
    local,
    stream: (request, signal, onNote) =>
      cache.stream(
        // Two servers may give different models the same name.
        { ...request, model: `${backend}/${request.model}` },
        () => model.stream(request, signal, onNote),
        ({ tier }) => onNote?.({ type: 'cache-hit', tier }),
      ),
    info: (name, signal) => model.info(name, signal),
    list: (signal) => model.list(signal),
    ...(model.pull === undefined ? {} : { pull: model.pull.bind(model) }),
    close: () => model.close(),
  }
}
