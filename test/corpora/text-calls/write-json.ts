/** How a model writes JSON; all off is strict JSON. */
export interface JsonStyle {
  quote: '"' | "'"
  python: boolean
  trailingComma: boolean
  rawNewline: boolean
  bareKeys: boolean
  spaced: boolean
  /** Closing brackets left out (negative) or too many (positive) at the very end. */
  closers: number
}

export const STRICT: JsonStyle = {
  quote: '"',
  python: false,
  trailingComma: false,
  rawNewline: false,
  bareKeys: false,
  spaced: false,
  closers: 0,
}

/** Writes the whole object or list that a form holds. */
export function writeWhole(value: unknown, style: JsonStyle): string {
  const text = writeJson(value, style)
  return style.closers < 0 ? text.slice(0, style.closers) : text + '}'.repeat(style.closers)
}

/** Writes a value as JSON, with the faults `style` asks for and no others. */
export function writeJson(value: unknown, style: JsonStyle): string {
  if (typeof value === 'string') return writeText(value, style)
  if (value === null || value === undefined) return style.python ? 'None' : 'null'
  if (typeof value === 'boolean') return style.python ? (value ? 'True' : 'False') : String(value)
  if (typeof value === 'number') return String(value)
  const gap = style.spaced ? ' ' : ''
  const comma = style.trailingComma ? ',' : ''
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[${value.map((each) => writeJson(each, style)).join(`,${gap}`)}${comma}]`
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  const written = entries.map(
    ([key, each]) => `${style.bareKeys ? key : writeText(key, style)}:${gap}${writeJson(each, style)}`,
  )
  return `{${written.join(`,${gap}`)}${comma}}`
}

function writeText(text: string, style: JsonStyle): string {
  let inner = JSON.stringify(text).slice(1, -1)
  if (style.quote === "'") inner = inner.replaceAll('\\"', '"').replaceAll("'", "\\'")
  if (style.rawNewline) inner = inner.replaceAll('\\n', '\n')
  return style.quote + inner + style.quote
}
