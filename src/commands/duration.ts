const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a time such as `90` (seconds), `500ms`, `90s`, `10m`, `2h`, `7d`; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim())
  return match ? Math.round(Number(match[1]) * UNITS[match[2] ?? 's']!) : undefined
}
