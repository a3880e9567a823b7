import { simplify, toolCalled, type ToolIndex } from './tool-index.ts'
import type { KnownTool, RepairKind } from './types.ts'

export interface NamedTool {
  tool: KnownTool
  /** How the name was mended; absent when it is the tool's own. */
  repair?: RepairKind
  /** The alias it was called by, for its argument names. */
  alias?: string
}

/** What may differ in a misspelt name, and how long it must be for that to say anything. */
const MAX_DISTANCE = 2
const MIN_LENGTH = 5

/** What models put before a tool's name because of how tools were shown to them. */
const PREFIX = /^(?:functions?|tools?|default_api|api|assistant|call)(?:[.:]|__)/

/**
 * The tool a name stands for: exact, then by case, dashes and underscores, then an alias, then the only tool
 * whose name is at most `MAX_DISTANCE` edits away. Undefined when there is none or more than one.
 */
export function resolveName(index: ToolIndex, written: string): NamedTool | undefined {
  const name = written.trim()
  const found = spelt(index, name)
  if (found) return found
  const bare = name.replace(PREFIX, '')
  if (bare !== name) {
    const inner = spelt(index, bare)
    if (inner) return { ...inner, repair: inner.repair ?? 'name-prefix' }
  }
  const near = nearest(index, bare, MAX_DISTANCE)
  return near.length === 1 && bare.length >= MIN_LENGTH ? { tool: near[0]!, repair: 'name-spelling' } : undefined
}

function spelt(index: ToolIndex, name: string): NamedTool | undefined {
  const exact = index.exact.get(name)
  if (exact) return { tool: exact }
  const tool = toolCalled(index, name)
  if (!tool) return undefined
  if (simplify(tool.name) === simplify(name)) return { tool, repair: 'name-case' }
  const alias = tool.aliases.find((each) => each.name === name)?.name
  return {
    tool,
    repair: 'name-alias',
    alias: alias ?? tool.aliases.find((each) => simplify(each.name) === simplify(name))?.name,
  }
}

/** The tools whose own name is at most `limit` edits away. */
function nearest(index: ToolIndex, name: string, limit: number): KnownTool[] {
  const simple = simplify(name)
  return index.tools.filter((tool) => editDistance(simplify(tool.name), simple, limit) <= limit)
}

const MAX_SUGGESTED = 5
const SUGGEST_DISTANCE = 4

/** Names to offer instead of an unknown one, nearest first. */
export function suggestNames(index: ToolIndex, name: string): string[] {
  const simple = simplify(name)
  const rated = index.tools.map((tool) => {
    const own = simplify(tool.name)
    const inside = simple.length >= 3 && (own.includes(simple) || simple.includes(own))
    return { name: tool.name, distance: inside ? 1 : editDistance(own, simple, SUGGEST_DISTANCE) }
  })
  rated.sort((left, right) => left.distance - right.distance)
  return rated.slice(0, MAX_SUGGESTED).map((each) => each.name)
}

/** Levenshtein's distance, or `limit + 1` when it is more. */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1
  let before = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const line = [row]
    let least = row
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1
      const value = Math.min(before[column]! + 1, line[column - 1]! + 1, before[column - 1]! + same)
      line.push(value)
      least = Math.min(least, value)
    }
    if (least > limit) return limit + 1
    before = line
  }
  return Math.min(before[right.length]!, limit + 1)
}
