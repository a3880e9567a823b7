/** A Markdown file with the simple fields of its front matter. Pure; a file without one is all body. */
export interface FrontMatter {
  fields: Record<string, string>
  body: string
}

/** Reads `key: value` lines between `---` marks; a value may be quoted, or folded (`>`, `|`) over indented lines. */
export function readFrontMatter(text: string): FrontMatter {
  const [, head, body] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? []
  if (head === undefined) return { fields: {}, body: text }
  const fields: Record<string, string> = {}
  let open: string | undefined
  for (const line of head.split(/\r?\n/)) {
    const [, key, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (key !== undefined) {
      open = /^[>|][+-]?$/.test(value.trim()) || value.trim() === '' ? key : undefined
      fields[key] = open === undefined ? value.trim().replace(/^(["'])(.*)\1$/, '$2') : ''
    } else if (open !== undefined && /^\s+\S/.test(line)) fields[open] = `${fields[open]} ${line.trim()}`.trim()
  }
  return { fields, body: body ?? '' }
}
