// Promises one validated configuration from defaults < user's file (or --config) < workspace's file < environment < flags,
// and for each value where it came from. Every fault names key, file and line. Loads neither zod nor, on a usual start, YAML.
// Does not read keys from commands and opens no connection.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../protocol/user-error.ts'
import { readEnvironment } from './environment.ts'
import { configJsonSchema, defaultsOf } from './json-schema.ts'
import { fileLayer, type Layer, type LayerFaults, valueLayer } from './layer.ts'
import { mergeLayer } from './merge.ts'
import { configError, readConfigFile } from './read-file.ts'
import type { Config } from './schema.ts'

/** A value at any depth may be missing. */
export type PartialConfig = Partial<{
  [Key in keyof Config]: Config[Key] extends unknown[] ? Config[Key] : Partial<Config[Key]>
}>

export interface LoadOptions {
  env?: NodeJS.ProcessEnv
  /** `--config FILE`: read in place of the user's own file, and must exist. */
  file?: string
  /** Folder whose `.codehound/config.yaml` counts. None is read when it is missing. */
  workspaceRoot?: string
  /** Asked only when the workspace's file has keys that need trust. Default: not trusted. */
  isTrusted?: (root: string) => boolean
  /** What the command line says, by key. */
  flags?: PartialConfig
  /** Folder where parsed files are kept; none are when it is missing. */
  cacheFolder?: string
}

export interface LoadedConfig {
  config: Config
  /** Lines for the user; the configuration holds all the same. */
  warnings: string[]
  /** Lowest first. */
  layers: Layer[]
  /** Backends that cannot be used, with the reason. */
  brokenBackends: Record<string, UserError>
}

const NAMES = ['config.yaml', 'config.yml', 'config.json']

/** Finds the folder of the user's own configuration: `$XDG_CONFIG_HOME/codehound`, else `~/.config/codehound`. */
export function userConfigFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env['XDG_CONFIG_HOME']
  if (xdg?.startsWith('/') === true) return join(xdg, 'codehound')
  if (process.platform === 'win32' && env['APPDATA'] !== undefined) return join(env['APPDATA'], 'codehound')
  return join(env['HOME'] ?? homedir(), '.config', 'codehound')
}

/** The configuration file of a folder: the first of config.yaml, config.yml, config.json that exists, else the first name. */
export function configFileIn(folder: string): string {
  return join(folder, NAMES.find((name) => existsSync(join(folder, name))) ?? NAMES[0]!)
}

/** Throws UserError `config` (exit code 2) that lists every fault with its file and line. */
export async function loadConfig(options: LoadOptions = {}): Promise<LoadedConfig> {
  const { env = process.env, workspaceRoot, isTrusted = () => false, cacheFolder } = options
  const faults: LayerFaults = { errors: [], warnings: [], missing: new Map() }
  const layers: Layer[] = [defaultLayer()]

  const userFile = options.file ?? configFileIn(userConfigFolder(env))
  const user = await readConfigFile(userFile, cacheFolder)
  if (user !== undefined) layers.push(fileLayer('user', userFile, user, env, () => true, faults))
  else if (options.file !== undefined)
    throw configError(`there is no configuration file ${options.file}`, 'Check the path after --config.')

  if (workspaceRoot !== undefined) {
    const file = configFileIn(join(workspaceRoot, '.codehound'))
    const trusted = (): boolean => isTrusted(workspaceRoot)
    const parsed = file === userFile ? undefined : await readWorkspaceFile(file, cacheFolder, trusted, faults)
    if (parsed !== undefined) layers.push(fileLayer('workspace', file, parsed, env, trusted, faults))
  }

  const backends = layers.flatMap((layer) => Object.keys(layer.value['backends'] ?? {}))
  const environment = readEnvironment(env, backends)
  faults.warnings.push(...environment.warnings)
  const variable = (path: readonly string[]): string | undefined => environment.names.get(path.join('\0'))
  layers.push(valueLayer('environment', environment.value, variable, faults))
  if (options.flags !== undefined)
    layers.push(valueLayer('flag', options.flags, (path) => `the option for ${path.join('.')}`, faults))

  let value: unknown = {}
  for (const layer of layers) value = mergeLayer(value, layer.value, layer.name === 'workspace')
  const config = value as Config
  checkBackends(config, layers, faults)
  if (faults.errors.length > 0)
    throw configError(
      faults.errors.join('\n'),
      'Every key is described in docs/config.md and by `codehound config --explain KEY`.',
    )
  const brokenBackends = Object.fromEntries([...faults.missing].map(([name, text]) => [name, configError(text)]))
  return { config, warnings: faults.warnings, layers, brokenBackends }
}

/** What cannot be read in a folder that is not trusted is told and left out: anybody may have put it there. */
async function readWorkspaceFile(
  file: string,
  cache: string | undefined,
  trusted: () => boolean,
  faults: LayerFaults,
): ReturnType<typeof readConfigFile> {
  try {
    return await readConfigFile(file, cache)
  } catch (error) {
    if (!(error instanceof UserError) || trusted()) throw error
    faults.warnings.push(`${error.message}; it is left out, since this folder is not trusted`)
    return undefined
  }
}

function defaultLayer(): Layer {
  return {
    name: 'default',
    value: defaultsOf(configJsonSchema) as Record<string, unknown>,
    line: () => undefined,
    place: () => undefined,
  }
}

/** What the schema cannot ask of one layer: a backend as a whole has a type. */
function checkBackends(config: Config, layers: readonly Layer[], faults: LayerFaults): void {
  for (const [name, backend] of Object.entries(config.backends)) {
    if (backend.type !== undefined) continue
    const at = layers.findLast((layer) => Object.hasOwn((layer.value['backends'] as object | undefined) ?? {}, name))
    const place = at?.place(['backends', name])
    // A wrong type has been reported already.
    if (faults.errors.some((error) => error.includes(`backends.${name}.type`))) continue
    faults.errors.push(
      `${place === undefined ? '' : `${place}: `}backends.${name}: needs a type, for example type: openai-compatible`,
    )
  }
}
