/** `${VAR}`, `${VAR:-default}`, and `$${` for a dollar sign that stays. */
const VARIABLE = /\$(\$)\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

export interface MissingVariable {
  path: string[]
  name: string
}

/**
 * Puts variables into every text of a value. A default holds when the variable is missing or empty, as in a shell.
 * Missing ones without a default are listed and left as they stand; `expanded` holds the paths of changed texts, joined by NUL.
 */
export function expandVariables(
  value: unknown,
  env: NodeJS.ProcessEnv,
): { value: unknown; missing: MissingVariable[]; expanded: Set<string> } {
  const missing: MissingVariable[] = []
  const expanded = new Set<string>()
  const walk = (at: unknown, path: string[]): unknown => {
    if (typeof at === 'string') {
      if (!at.includes('${')) return at
      expanded.add(path.join('\0'))
      return at.replaceAll(VARIABLE, (all, escaped: string | undefined, name: string, fallback: string | undefined) => {
        if (escaped !== undefined) return '${'
        const found = env[name]
        if (found !== undefined && (found !== '' || fallback === undefined)) return found
        if (fallback !== undefined) return fallback
        missing.push({ path, name })
        return all
      })
    }
    if (Array.isArray(at)) return at.map((item, place) => walk(item, [...path, String(place)]))
    if (typeof at === 'object' && at !== null)
      return Object.fromEntries(Object.entries(at).map(([key, inner]) => [key, walk(inner, [...path, key])]))
    return at
  }
  return { value: walk(value, []), missing, expanded }
}
