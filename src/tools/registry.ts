// The tools of a session: names, aliases, what is advertised. Promises: the advertised list is the same array until a tool
// is registered or removed; no tool module and no schema library is loaded to make it (catalogue.json holds the schemas,
// written by script/tools.ts and checked by a test). Does not judge and does not run.
import type { Effect } from '../protocol/index.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import type { Tool, ToolAlias } from './tool.ts'

/** A tool as a model sees it: the shape of `RequestTool` of the model port. */
export interface ToolDefinition {
  name: string
  description: string
  /** JSON Schema object. */
  parameters: Record<string, unknown>
}

/** What is known of a tool before its module is loaded. */
export interface ToolEntry extends ToolDefinition {
  effect: Effect
  aliases: readonly ToolAlias[]
  /** Argument names that models write for ours, under every name of the tool. */
  synonyms?: Readonly<Record<string, string>>
  /** Optional arguments an example shows. */
  usual?: readonly string[]
}

/** What is advertised (`tools.profile`); `auto` goes by the window. */
export type ToolProfile = 'auto' | 'minimal' | 'default' | 'all' | readonly string[]

export interface RegistryOptions {
  /** Default `auto`. */
  profile?: ToolProfile
  /** There is a code index: the tools that read it are advertised. Default false. */
  index?: boolean
  /** Nobody is there to answer: what asks is not advertised, and says so when it is called all the same. Default false. */
  unattended?: boolean
  /** Names of tools that do not exist in this session. */
  disabled?: readonly string[]
}

export interface ToolRegistry {
  /** Definitions for a window of so many tokens, by the profile. */
  advertised(window: number): readonly ToolDefinition[]
  /** A tool by its name or an alias, exactly as written; undefined when unknown or disabled. */
  find(name: string): ToolEntry | undefined
  /** The canonical entry and arguments of a call: alias names and argument names mapped. Undefined when unknown. */
  resolve(name: string, args: Record<string, unknown>): { entry: ToolEntry; args: Record<string, unknown> } | undefined
  /** Every entry that is not disabled, in canonical order. */
  entries(): readonly ToolEntry[]
  /** Loads the handler of an entry. The first call loads all built-in tools: call `preload` while the model thinks. */
  load(entry: ToolEntry): Promise<Tool>
  preload(): Promise<void>
  /** Adds a tool, or replaces the one of that name. `parameters`: its JSON Schema, when its own source has one. */
  register(tool: Tool, parameters?: Record<string, unknown>): Promise<void>
  remove(name: string): void
}

/** Windows up to so many tokens get the few tools without which no work can be done; see models.md, tiers. */
const SMALL_WINDOW = 8_192
/** Windows up to so many tokens get a middle set with schemas without descriptions. */
const MIDDLE_WINDOW = 16_384
const MINIMAL = new Set(['read_file', 'edit_file', 'write_file', 'search_text', 'shell_exec'])
const MIDDLE = new Set([
  ...MINIMAL,
  'list_files',
  'get_function',
  'find_definition',
  'find_references',
  'run_tests',
  'git_status',
  'git_diff',
  'task',
  'ask_user',
])
/** Read the code index and nothing else. */
const OF_THE_INDEX = new Set([
  'search_semantic',
  'get_structure',
  'get_function',
  'get_class',
  'find_definition',
  'find_references',
  'get_dependencies',
  'get_dependents',
  'get_complexity',
  'get_todos',
])
/** Have no use when nobody is there. */
const NEEDS_A_PERSON = new Set(['ask_user'])
/** Left to `all`, or to a call by name: each is one way more to do what another tool does. */
const ONLY_IN_ALL = new Set(['apply_patch', 'note_list', 'note_read', 'note_search', 'note_write'])

/** Makes the registry of a session with the built-in tools. */
export function createToolRegistry({
  profile = 'auto',
  index = false,
  unattended = false,
  disabled = [],
}: RegistryOptions = {}): ToolRegistry {
  const off = new Set(disabled)
  const entries = new Map<string, ToolEntry>()
  const loaded = new Map<string, Tool>()
  const builtIn = new Set<string>()
  const names = new Map<string, { entry: ToolEntry; alias?: ToolAlias }>()
  const advertised = new Map<string, readonly ToolDefinition[]>()
  for (const entry of catalogue as ToolEntry[]) {
    if (off.has(entry.name)) continue
    entries.set(entry.name, entry)
    builtIn.add(entry.name)
  }

  function rename(): void {
    names.clear()
    advertised.clear()
    for (const entry of entries.values()) {
      for (const alias of entry.aliases) if (!off.has(alias.name)) names.set(alias.name, { entry, alias })
    }
    // A tool's own name wins over an alias of another.
    for (const entry of entries.values()) names.set(entry.name, { entry })
  }
  rename()

  async function loadBuiltIn(): Promise<void> {
    const { builtInTools } = await import('./built-in.ts')
    for (const tool of builtInTools) if (builtIn.has(tool.name) && !loaded.has(tool.name)) loaded.set(tool.name, tool)
  }

  return {
    advertised(window) {
      const wanted = profile === 'auto' ? tierOf(window) : profile
      const key = typeof wanted === 'string' ? wanted : 'list'
      let list = advertised.get(key)
      if (!list) {
        list = [...entries.values()]
          .filter(
            ({ name }) =>
              isWanted(wanted, name) && (index || !OF_THE_INDEX.has(name)) && !(unattended && NEEDS_A_PERSON.has(name)),
          )
          .map((entry) => define(entry, wanted))
        advertised.set(key, list)
      }
      return list
    },
    find: (name) => names.get(name)?.entry,
    resolve(name, args) {
      const found = names.get(name)
      if (!found) return undefined
      const { entry, alias } = found
      return { entry, args: { ...alias?.set, ...renamed(args, entry, alias) } }
    },
    entries: () => [...entries.values()],
    async load(entry) {
      if (!loaded.has(entry.name)) await loadBuiltIn()
      const tool = loaded.get(entry.name)
      if (!tool)
        throw new Error(`The tool ${entry.name} is in catalogue.json and not in built-in.ts; run node script/tools.ts.`)
      return tool
    },
    preload: loadBuiltIn,
    async register(tool, parameters) {
      const { describeTool } = await import('./describe-tool.ts')
      builtIn.delete(tool.name)
      loaded.set(tool.name, tool)
      if (!off.has(tool.name)) entries.set(tool.name, describeTool(tool, parameters))
      rename()
    },
    remove(name) {
      entries.delete(name)
      loaded.delete(name)
      builtIn.delete(name)
      rename()
    },
  }
}

type Tier = 'minimal' | 'middle' | 'default'

function tierOf(window: number): Tier {
  if (window <= SMALL_WINDOW) return 'minimal'
  return window <= MIDDLE_WINDOW ? 'middle' : 'default'
}

function isWanted(wanted: Exclude<ToolProfile, 'auto'> | Tier, name: string): boolean {
  if (typeof wanted !== 'string') return wanted.includes(name)
  if (wanted === 'minimal') return MINIMAL.has(name)
  if (wanted === 'middle') return MIDDLE.has(name)
  return wanted === 'all' || !ONLY_IN_ALL.has(name)
}

function define({ name, description, parameters }: ToolEntry, wanted: ToolProfile | Tier): ToolDefinition {
  const slim = wanted === 'minimal' || wanted === 'middle'
  return {
    name,
    description,
    parameters: slim ? (withoutDescriptions(parameters) as Record<string, unknown>) : parameters,
  }
}

/** Names and types speak for themselves where every token counts. */
function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'description' || typeof value !== 'string')
      .map(([key, value]) => [key, withoutDescriptions(value)]),
  )
}

/** Argument names mapped to the tool's own; a name that is already right, or whose place is taken, stays. */
function renamed(
  args: Record<string, unknown>,
  entry: ToolEntry,
  alias: ToolAlias | undefined,
): Record<string, unknown> {
  const own = (entry.parameters['properties'] ?? {}) as Record<string, unknown>
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    const mapped = alias?.map?.[name] ?? (name in own ? name : entry.synonyms?.[name])
    result[mapped === undefined || (mapped !== name && mapped in args) ? name : mapped] = value
  }
  return result
}
