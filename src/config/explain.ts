import { type JsonSchema, schemaAt } from './json-schema.ts'
import type { LayerName } from './layer.ts'
import type { LoadedConfig } from './load-config.ts'

export interface Explanation {
  key: string
  value: unknown
  /** Every source that sets the key, the one that holds first. `place` is file:line or a variable. */
  sources: { layer: LayerName; value: unknown; place?: string }[]
  schema: JsonSchema | undefined
}

/** Tells what a key is, and which sources set it. A group is set by every source that sets something in it. */
export function explain(loaded: LoadedConfig, path: readonly string[]): Explanation {
  const sources = loaded.layers
    .map((layer) => {
      const place = layer.place(path)
      return { layer: layer.name, value: valueAt(layer.value, path), ...(place === undefined ? {} : { place }) }
    })
    .filter(({ value }) => value !== undefined)
    .toReversed()
  return { key: path.join('.'), value: valueAt(loaded.config, path), sources, schema: schemaAt(path) }
}

/** File and line of the source a value came from, for a rule that is shown with its place. */
export function sourceOf(
  loaded: LoadedConfig,
  path: readonly string[],
): { layer: LayerName; file?: string; line?: number } {
  const layer = loaded.layers.findLast((each) => valueAt(each.value, path) !== undefined) ?? loaded.layers[0]!
  const line = layer.line(path)
  return {
    layer: layer.name,
    ...(layer.file === undefined ? {} : { file: layer.file }),
    ...(line === undefined ? {} : { line }),
  }
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}
