import { nearestName } from '../lib/edit-distance.ts'
import type { LoadedConfig } from './load-config.ts'
import { configError } from './read-file.ts'
import type { Backend } from './schema.ts'

/** What holds for a backend where neither the configuration nor the preset of its type says anything. */
export const backendDefaults = {
  maxTokens: 4096,
  temperature: 0.1,
  maxParallelTools: 4,
  toolFormat: 'auto',
} as const satisfies Partial<Backend>

export interface FoundBackend {
  /** Name in the configuration. */
  backend: string
  /** Name of the model as the server knows it; may hold slashes. */
  model: string
  /** As configured, without defaults. */
  settings: Backend
}

/**
 * Finds the backend of a model written `backend/model`.
 *
 * @throws UserError `config` when there is no such backend, or a variable it needs is not set
 */
export function findBackend({ config, brokenBackends }: LoadedConfig, name: string): FoundBackend {
  const slash = name.indexOf('/')
  const known = Object.keys(config.backends)
  if (slash <= 0 || slash === name.length - 1)
    throw configError(
      `the model ${JSON.stringify(name)} is not written backend/model`,
      `The backends are ${known.join(', ')}; for example ${known[0]}/${name === '' ? 'some-model' : name.replaceAll('/', '')}.`,
    )
  const backend = name.slice(0, slash)
  const broken = Object.hasOwn(brokenBackends, backend) ? brokenBackends[backend] : undefined
  if (broken !== undefined) throw broken
  const settings = Object.hasOwn(config.backends, backend) ? config.backends[backend] : undefined
  if (settings === undefined) {
    const near = nearestName(backend, known)
    throw configError(
      `there is no backend ${JSON.stringify(backend)} (model ${JSON.stringify(name)})`,
      `${near === undefined ? '' : `Did you mean ${near}? `}The backends are ${known.join(', ')}; add one under backends: in the configuration.`,
    )
  }
  return { backend, model: name.slice(slash + 1), settings }
}
