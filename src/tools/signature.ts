import { createHash } from 'node:crypto'

/** JSON with object keys in sorted order and undefined values left out: equal arguments give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** What a call is, whatever the state of the workspace: the tool's canonical name and its arguments. */
export function callKey(tool: string, args: Record<string, unknown>): string {
  return `${tool} ${canonicalJson(args)}`
}

/** What a call is in one state: its key, the workspace generation, and the stamps of the paths it names. */
export function callSignature(key: string, generation: string, stamps: readonly string[]): string {
  return shortHash(`${key}\n${generation}\n${stamps.join('\n')}`)
}

/** Hash of a result for comparison: times are left out, because a command never takes as long twice. */
export function resultHash(text: string): string {
  return shortHash(
    text.replaceAll(/\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds)\b/g, 't').replaceAll(/\d\d:\d\d:\d\d\S*/g, 't'),
  )
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
