// The rules of the configuration as the policy wants them: of every file that holds some, each with its place.
import { lstatSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { valueAt } from '../config/explain.ts'
import { configJsonSchema } from '../config/json-schema.ts'
import type { Layer } from '../config/layer.ts'
import { configFileIn, type LoadedConfig } from '../config/load-config.ts'
import { readConfigFile } from '../config/read-file.ts'
import type { Config } from '../config/schema.ts'
import { validate } from '../config/validate.ts'
import type { Rule } from '../policy/rules/rule.ts'
import type { RulePlace } from '../policy/rules/load-rules.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'

type Entries = Config['permissions']['rules']

const RULES = ['permissions', 'rules']

/**
 * The rules of every layer; their examples are checked. Throws UserError for a rule that cannot be read; those of a workspace
 * that is not trusted are left out instead, and told in `warnings`.
 */
export async function configuredRules({ layers, warnings }: LoadedConfig, trusted: boolean): Promise<Rule[]> {
  const rules: Rule[] = []
  for (const layer of layers) {
    const entries = (valueAt(layer.value, RULES) ?? []) as Entries
    const placeOf = (index: number): RulePlace => placeIn(layer, [...RULES, `${index}`])
    if (layer.name !== 'workspace' || trusted) rules.push(...(await readRules(entries, placeOf)))
    else rules.push(...(await readableRules(entries, placeOf, warnings)))
  }
  return rules
}

/** Where a list of the configuration has an entry, and whose list it is. */
function placeIn(layer: Layer, path: readonly string[]): RulePlace {
  const line = layer.line(path)
  return {
    level: layer.name === 'workspace' ? 'workspace' : 'app',
    ...(layer.file === undefined ? {} : { source: { file: layer.file, line: line ?? 1 } }),
  }
}

/** The place of each entry of a list, from the highest layer that has it. */
export function placesOf({ layers }: LoadedConfig, path: readonly string[]): Map<string, RulePlace> {
  const places = new Map<string, RulePlace>()
  for (const layer of layers) {
    const entries = (valueAt(layer.value, path) ?? []) as string[]
    for (const [index, entry] of entries.entries()) places.set(entry, placeIn(layer, [...path, `${index}`]))
  }
  return places
}

/**
 * Makes the lookup for rules of nested folders: those of every `.codehound/config.yaml` on the way from the root to a
 * folder, which hold there and below. Files are read once. They may ask and deny only, because whatever runs in the
 * workspace could write one.
 */
export function directoryRules(root: string, cache: string): (folder: string) => Promise<Rule[]> {
  const known = new Map<string, Promise<Rule[]>>()
  const rulesIn = (folder: string): Promise<Rule[]> => {
    const found = known.get(folder) ?? readFolder(root, folder, cache).catch(asksForAll)
    known.set(folder, found)
    return found
  }
  return async (folder) => {
    const within = relative(root, folder)
    if (within === '' || within.startsWith('..')) return []
    const parts = within.split(sep)
    const folders = parts.map((_, at) => join(root, ...parts.slice(0, at + 1)))
    return (await Promise.all(folders.map(rulesIn))).flat()
  }
}

async function readFolder(root: string, folder: string, cache: string): Promise<Rule[]> {
  const file = configFileIn(join(folder, '.codehound'))
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return []
  const parsed = await readConfigFile(file, cache)
  const { value } = validate(parsed?.value, configJsonSchema)
  const entries = (valueAt(value, RULES) ?? []) as Entries
  const lines = parsed?.lines ?? {}
  const rules = await readRules(entries, (index) => ({
    level: 'directory',
    folder: relative(root, folder).split(sep).join('/'),
    source: { file, line: lines[[...RULES, `${index}`].join('\0')] ?? 1 },
  }))
  const allowing = rules.find((rule) => rule.verdict === 'allow')
  if (!allowing) return rules
  const place = `${file}:${allowing.source?.line ?? 1}`
  throw new UserError('config', `${place}: a rule of a folder below the root may ask or deny, not allow.`)
}

/** What cannot be read may have denied anything. */
function asksForAll(error: unknown): Rule[] {
  const reason = error instanceof Error ? error.message : String(error)
  return (['tool', 'command'] as const).map((kind) => ({
    verdict: 'ask',
    kind,
    pattern: '*',
    level: 'directory',
    reason,
  }))
}

async function readableRules(
  entries: Entries,
  place: (index: number) => RulePlace,
  warnings: string[],
): Promise<Rule[]> {
  const rules: Rule[] = []
  for (const [index, entry] of entries.entries()) {
    try {
      rules.push(...(await readRules([entry], () => place(index))))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      warnings.push(`${error.message}; it is left out, since this folder is not trusted`)
    }
  }
  return rules
}

async function readRules(entries: Entries, place: (index: number) => RulePlace): Promise<Rule[]> {
  const { loadRules } = await import('../policy/rules/load-rules.ts')
  const { rules, faults } = await loadRules(entries, place)
  const [fault] = faults
  if (fault !== undefined) throw new UserError('config', fault, { exitCode: EXIT.usage })
  return rules
}
