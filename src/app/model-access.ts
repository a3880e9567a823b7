// Models for a front: those configured, those found on this machine, choosing and downloading one.
import type { ModelOffer, Workbench } from '../client/workbench.ts'
import { findBackend } from '../config/backend.ts'
import { configFileIn, userConfigFolder } from '../config/load-config.ts'
import { sourceOf } from '../config/explain.ts'
import { ModelError } from '../model/language-model.ts'
import { UserError } from '../protocol/user-error.ts'
import { backendOf } from './backends.ts'
import { wantedBackends } from './wanted-backends.ts'
import type { Opened } from './opened.ts'

/** A server that does not answer by then is left out of the list. */
const LIST_TIMEOUT_MS = 3000

type Backends = Opened['loaded']['config']['backends']

export function modelAccess(opened: Opened): Pick<Workbench, 'model' | 'models' | 'discover' | 'choose' | 'pull'> {
  const { loaded, options } = opened
  const { config } = loaded
  /** Backends that were found and could be written down. */
  const found: Backends = {}
  const configured =
    options.model !== undefined ||
    options.script !== undefined ||
    sourceOf(loaded, ['model']).layer !== 'default' ||
    sourceOf(loaded, ['backends']).layer !== 'default'
  /** A server that was found stands for a backend of that name that nobody has configured. */
  const adopt = (backend: string): void => {
    const known = found[backend]
    const own = Object.hasOwn(config.backends, backend) && sourceOf(loaded, ['backends']).layer !== 'default'
    if (!known || own) return
    config.backends[backend] = {
      ...known,
      ...(known.apiKey === undefined ? {} : { apiKey: process.env[known.apiKey.slice(2, -1)] ?? '' }),
    }
    opened.backends.delete(backend)
  }
  return {
    model: { name: options.model ?? config.model, configured },
    models: async () => {
      const names: string[] = []
      const faults: string[] = []
      await Promise.all(
        wantedBackends(loaded).map(async (backend) => {
          try {
            const model = await backendOf(opened, backend)
            for (const name of await model.list(AbortSignal.timeout(LIST_TIMEOUT_MS))) names.push(`${backend}/${name}`)
          } catch (thrown) {
            faults.push(`${backend}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
          }
        }),
      )
      return { names: names.sort(), faults }
    },
    discover: async () => {
      const { discoverKeys, discoverServers, ollamaFromEnvironment, usualServers } =
        await import('../model/discover.ts')
      const own = ollamaFromEnvironment(process.env)
      const servers = await discoverServers(
        own ? [own, ...usualServers.filter((each) => each.name !== 'ollama')] : usualServers,
      )
      const offers: ModelOffer[] = servers.map(({ name, title, type, url, models }) => {
        found[name] = { type, url }
        return { title, where: url, models: models.map((model) => `${name}/${model}`), backend: name }
      })
      for (const { name } of servers) adopt(name)
      if (options.offline) return offers
      for (const { variable, name, title, settings } of discoverKeys(process.env)) {
        found[name] = settings as Backends[string]
        offers.push({ title, where: `$${variable}`, models: [], backend: name })
      }
      return offers
    },
    choose: async (name) => {
      const backend = name.slice(0, name.indexOf('/'))
      const known = found[backend]
      adopt(backend)
      findBackend(loaded, name)
      const [{ setInFile }, { parseKey }] = await Promise.all([
        import('../config/edit-file.ts'),
        import('../config/key-path.ts'),
      ])
      const file = options.config ?? configFileIn(userConfigFolder())
      if (known)
        for (const [key, value] of Object.entries(known))
          if (typeof value === 'string') setInFile(file, parseKey(`backends."${backend}".${key}`), value)
      setInFile(file, parseKey('model'), name)
      return file
    },
    pull: async (name, onStep, signal) => {
      const { backend, model } = findBackend(loaded, name)
      const server = await backendOf(opened, backend)
      if (!server.pull)
        throw new UserError('usage', `${backend} cannot download models.`, {
          suggestion: 'Only an Ollama server can; or choose another with /model.',
        })
      try {
        await server.pull(model, onStep, signal)
      } catch (thrown) {
        if (!(thrown instanceof ModelError) || thrown.code === 'cancelled') throw thrown
        const { code, message, suggestion } = thrown.toInfo()
        throw new UserError(code, message, { suggestion: suggestion ?? `Pull it with \`ollama pull ${model}\`.` })
      }
    },
  }
}
