const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt|log)$/i

/** True for a text that people read and no program loads as code or settings, by its name. */
export function isProse(path: string): boolean {
  return PROSE.test(path)
}
