// `codehound config`: what holds and why, and changing it with the comments kept. Keys and passwords are never shown.
import { existsSync } from 'node:fs'
import { configJsonSchema, shortForms } from '../config/json-schema.ts'
import { explain, valueAt } from '../config/explain.ts'
import { allKeys, parseKey } from '../config/key-path.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { needsTrust } from '../config/trust.ts'
import { expectation } from '../config/validate.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { GlobalStore } from '../session/session-store.ts'
import type { Output } from './deps.ts'

export type ConfigRequest =
  | { action: 'show'; json?: boolean }
  | { action: 'get'; key: string; json?: boolean }
  | { action: 'explain'; key: string; json?: boolean }
  | { action: 'set'; key: string; value: string; workspace?: boolean }
  | { action: 'unset'; key: string; workspace?: boolean }
  | { action: 'keys' }
  | { action: 'schema' }
  | { action: 'path' }
  | { action: 'trust'; trusted: boolean }

type Request<Action> = Extract<ConfigRequest, { action: Action }>

export interface ConfigDeps {
  stdout: Output
  stderr: Output
  /** Loads the configuration as a run here would, with the same options. Throws UserError when it is not valid. */
  load(): Promise<LoadedConfig>
  /** The user's file, and the workspace's; either may not exist. */
  files(): { user: string; workspace: string }
  /** Workspace that trust is about. */
  root: string
  openGlobal(): Promise<GlobalStore>
  /** The answer about a very large workspace that is kept outside of the configuration, as far as it holds. */
  answeredScope(loaded: LoadedConfig): Promise<{ folder: string } | 'all' | undefined>
}

/** Does one action and returns the exit code. Throws UserError with what to do. */
export async function run(request: ConfigRequest, deps: ConfigDeps): Promise<number> {
  const text = await answer(request, deps)
  if (text === undefined) return EXIT.failed
  deps.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  return EXIT.done
}

/** What stdout gets; undefined when what was asked for is not there, and stderr has been told. */
function answer(request: ConfigRequest, deps: ConfigDeps): string | undefined | Promise<string | undefined> {
  switch (request.action) {
    case 'show':
      return show(request, deps)
    case 'get':
      return get(request, deps)
    case 'explain':
      return explanation(request, deps)
    case 'set':
    case 'unset':
      return change(request, deps)
    case 'keys':
      return allKeys()
        .map(({ key, schema }) => `${key}\n  ${schema.description ?? ''}`)
        .join('\n')
    case 'schema':
      return JSON.stringify(configJsonSchema, null, 2)
    case 'path':
      return Object.entries(deps.files())
        .map(([name, file]) => `${name.padEnd(9)}  ${file}${existsSync(file) ? '' : '  (not there)'}`)
        .join('\n')
    case 'trust':
  }
  return trust(request.trusted, deps)
}

async function show({ json }: Request<'show'>, deps: ConfigDeps): Promise<string> {
  const config = hide([], (await loadWithWarnings(deps)).config)
  return json === true ? JSON.stringify(config, null, 2) : yaml(config)
}

async function get({ key, json }: Request<'get'>, deps: ConfigDeps): Promise<string | undefined> {
  const { path } = parseKey(key)
  const value = hide(path, valueAt((await loadWithWarnings(deps)).config, path))
  if (value === undefined) {
    deps.stderr.write(`${path.join('.')} is not set and has no default\n`)
    return undefined
  }
  if (typeof value === 'string' && json !== true) return value
  return json === true ? JSON.stringify(value, null, 2) : yaml(value)
}

async function change(request: Extract<ConfigRequest, { action: 'set' | 'unset' }>, deps: ConfigDeps): Promise<string> {
  const asked = parseKey(request.key)
  const short = request.action === 'set' ? shortForms[asked.path.join('.')] : undefined
  const key = short === undefined ? asked : parseKey(`${request.key}.${short}`)
  const name = key.path.join('.')
  if (key.schema.properties !== undefined)
    throw new UserError('config', `${name} is a group of keys, not one value`, {
      exitCode: EXIT.usage,
      suggestion: `Set one of ${Object.keys(key.schema.properties)
        .map((inner) => `${name}.${inner}`)
        .join(', ')}.`,
    })
  const { user, workspace } = deps.files()
  const file = request.workspace === true ? workspace : user
  const { setInFile, unsetInFile } = await import('../config/edit-file.ts')
  if (request.action === 'unset') {
    const found = unsetInFile(file, key)
    return found ? `${name} is no longer set in ${file}` : `${name} is not set in ${file}`
  }
  const value = hide(key.path, setInFile(file, key, request.value))
  const stronger = explain(await loadWithWarnings(deps), key.path).sources[0]
  if (stronger !== undefined && stronger.layer !== (request.workspace === true ? 'workspace' : 'user'))
    deps.stderr.write(
      `note: ${stronger.place ?? stronger.layer} sets it too and wins: ${JSON.stringify(hide(key.path, stronger.value))}\n`,
    )
  return `${name} = ${JSON.stringify(value)} in ${file}`
}

async function trust(trusted: boolean, deps: ConfigDeps): Promise<string> {
  const global = await deps.openGlobal()
  try {
    global.setTrusted(deps.root, trusted)
  } finally {
    global.close()
  }
  if (!trusted) return `${deps.root} is no longer trusted`
  const layer = (await loadWithWarnings(deps)).layers.find((each) => each.name === 'workspace')
  const keys = layer === undefined ? [] : leaves(layer.value).filter(needsTrust)
  const lines = keys.map((path) => `  ${path.join('.')} = ${JSON.stringify(hide(path, valueAt(layer!.value, path)))}`)
  return [`${deps.root} is trusted`, ...(lines.length === 0 ? [] : ['Its configuration now sets:', ...lines])].join(
    '\n',
  )
}

/** Keys that hold a value. */
function leaves(value: Record<string, unknown>, path: string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? leaves(inner as Record<string, unknown>, [...path, key])
      : [[...path, key]],
  )
}

async function loadWithWarnings(deps: ConfigDeps): Promise<LoadedConfig> {
  const loaded = await deps.load()
  for (const warning of [...loaded.warnings, ...Object.values(loaded.brokenBackends).map((error) => error.message)])
    deps.stderr.write(`warning: ${warning}\n`)
  return loaded
}

async function explanation({ key: written, json }: Request<'explain'>, deps: ConfigDeps): Promise<string> {
  const { path } = parseKey(written)
  const loaded = await loadWithWarnings(deps)
  const { key, value: configured, sources, schema } = explain(loaded, path)
  const answered = key === 'project.scope' ? await deps.answeredScope(loaded) : undefined
  const value = typeof answered === 'object' ? answered.folder : configured
  const shown: { layer: string; place: string | undefined; value: unknown }[] = [
    ...(answered === undefined
      ? []
      : [{ layer: 'answered', place: ANSWERED, value: answered === 'all' ? 'repository' : value }]),
    ...sources.map(({ layer, place, value: set }) => ({ layer, place, value: hide(path, set) })),
  ]
  const lines = shown.map(
    (source, at) =>
      `${at === 0 ? 'holds' : 'below'}  ${source.layer.padEnd(11)}  ${JSON.stringify(source.value)}${source.place === undefined ? '' : `\n       ${source.place}`}`,
  )
  const meaning = schema?.description ?? ''
  if (json === true)
    return JSON.stringify({ key, value: hide(path, value), description: meaning, sources: shown }, null, 2)
  return [
    key,
    ...(meaning === '' ? [] : [`  ${meaning}`]),
    `  Takes ${expectation(schema ?? {})}.`,
    ...(lines.length === 0 ? ['not set, and no default'] : lines),
  ].join('\n')
}

const ANSWERED = 'when it was asked how much of this workspace to read; `codehound index --ask` asks anew'

/** Where a value is a key or may hold one. */
const SECRETS = new Set(['apiKey', 'headers'])
const HIDDEN = '(hidden)'

function hide(path: readonly string[], value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hide([...path, key], inner)]))
  if (typeof value !== 'string') return value
  if (path[0] === 'backends' && path.slice(2).some((key) => SECRETS.has(key))) return HIDDEN
  // A password in a URL, https://user:password@host.
  return value.replace(/(:\/\/[^/:@]*:)[^/@]*@/, `$1${HIDDEN}@`)
}

async function yaml(value: unknown): Promise<string> {
  const { toYaml } = await import('../config/yaml-text.ts')
  return toYaml(value)
}
