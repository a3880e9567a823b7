import { sourceOf } from '../config/explain.ts'
import type { LoadedConfig } from '../config/load-config.ts'

/** Names of the backends a person means: the built-in one only where nobody has named others, or where a model is taken from it. */
export function wantedBackends(loaded: LoadedConfig): string[] {
  const { backends, model, fallback } = loaded.config
  const layerOf = (...path: string[]) => sourceOf(loaded, ['backends', ...path]).layer
  if (layerOf() === 'default') return Object.keys(backends)
  const used = new Set([model, ...fallback].map((name) => name.slice(0, name.indexOf('/'))))
  return Object.keys(backends).filter((name) => used.has(name) || layerOf(name) !== 'default')
}
