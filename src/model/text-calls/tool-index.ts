import type { KnownTool } from './types.ts'

/** The registered tools by name, alias and simplified spelling. Built once per tool list. */
export interface ToolIndex {
  tools: readonly KnownTool[]
  exact: Map<string, KnownTool>
  alias: Map<string, KnownTool>
  /** Without case, dashes, underscores; null where two tools share a spelling. */
  simple: Map<string, KnownTool | null>
  simpleAlias: Map<string, KnownTool | null>
  kept: Map<string, KnownTool | null>
}

/** `readFile`, `READ-FILE` and `read_file` are one spelling. */
export const simplify = (name: string): string => name.toLowerCase().replaceAll(/[-_ .]/g, '')

const built = new WeakMap<readonly KnownTool[], ToolIndex>()

/** Returns the index of a tool list; a list must not be changed afterwards. */
export function toolIndex(tools: readonly KnownTool[]): ToolIndex {
  const ready = built.get(tools)
  if (ready) return ready
  const index: ToolIndex = {
    tools,
    exact: new Map(),
    alias: new Map(),
    simple: new Map(),
    simpleAlias: new Map(),
    kept: new Map(),
  }
  const share = (map: Map<string, KnownTool | null>, key: string, tool: KnownTool): void => {
    const other = map.get(key)
    map.set(key, other === undefined || other === tool ? tool : null)
  }
  for (const tool of tools) {
    index.exact.set(tool.name, tool)
    share(index.simple, simplify(tool.name), tool)
    for (const alias of tool.aliases) {
      if (!index.alias.has(alias.name)) index.alias.set(alias.name, tool)
      share(index.simpleAlias, simplify(alias.name), tool)
    }
  }
  built.set(tools, index)
  return index
}

/** Names that were looked up and what they stand for are kept, up to this many. */
const MAX_KEPT = 500
const MAX_KEPT_NAME = 100

/** The tool a name stands for without any correction of its spelling but case, dashes and underscores. */
export function toolCalled(index: ToolIndex, name: string): KnownTool | undefined {
  const kept = index.kept.get(name)
  if (kept !== undefined) return kept ?? undefined
  const simple = simplify(name)
  const tool =
    index.exact.get(name) ??
    index.simple.get(simple) ??
    index.alias.get(name) ??
    index.simpleAlias.get(simple) ??
    undefined
  if (index.kept.size < MAX_KEPT && name.length <= MAX_KEPT_NAME) index.kept.set(name, tool ?? null)
  return tool
}
