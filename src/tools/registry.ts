// The tools of a session: names, aliases, what is advertised. Promises: the advertised list is the same array until a tool
// is registered or removed; no tool module and no schema library is loaded to make it (catalogue.json holds the schemas,
// written by script/tools.ts and checked by a test). Does not judge and does not run.
import type { Effect } from '../protocol/index.ts'
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
}

export interface ToolRegistry {
  /** Definitions for a window of so many tokens, by the profile. */
  advertised(window: number): readonly ToolDefinition[]
  /** A tool by its name or an alias, exactly as written; undefined when unknown or disabled. */
  find(name: string): ToolEntry | undefined
  /** The canonical entry and arguments of a call: alias names and argument names mapped. Undefined when unknown. */
  resolve(name: string, args: Record<string, unknown>): { entry: ToolEntry; args: Record<string, unknown> } | undefined
  /** Every canonical entry that is not disabled, in canonical order. */
  entries(): readonly ToolEntry[]
  /** Loads the handler of an entry. The first call loads all built-in tools: call `preload` while the model thinks. */
  load(entry: ToolEntry): Promise<Tool>
  preload(): Promise<void>
  register(tool: Tool, definition?: Pick<ToolDefinition, 'parameters'>): Promise<void>
  remove(name: string): void
}
