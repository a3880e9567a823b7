// The languages that are read through a grammar, as the index wants them. Adding one is adding a folder of data beside this one.
import type { Language } from '../../language.ts'
import { readLanguages } from './language-data.ts'
import { compileResolver, type Resolve } from './resolve.ts'

/** Reads the languages' data; their grammars and queries are read when one is loaded. */
export function grammarLanguages(): Language[] {
  return readLanguages().map((data): Language => {
    let resolve: Resolve | undefined
    return {
      id: data.id,
      extensions: data.extensions,
      filenames: data.filenames ?? [],
      shares: data.shares,
      family: data.family ?? data.id,
      load: async () => (await import('./engine.ts')).loadExtract(data),
      resolve: (spec, from, files) => (resolve ??= compileResolver(data))(spec, from, files),
    }
  })
}
