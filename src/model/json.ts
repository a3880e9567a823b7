import { isTooDeep, parseForeignJson, TOO_DEEP } from '../lib/foreign-json.ts'

/** A JSON object of unknown shape, as servers send them. */
export type Json = Record<string, unknown>

export function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A count of tokens or bytes: finite and not negative. */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined
}

/** Undefined for what is not JSON, or is nested deeper than anything a server means. */
export function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

/** What is wrong with a text that `parseJson` gives nothing for, after "answered something that is"; `wanted`: what it is not. */
export function faultOfJson(text: string, wanted: string): string {
  return isTooDeep(text) ? TOO_DEEP : `${wanted}: ${text.slice(0, 80)}`
}
