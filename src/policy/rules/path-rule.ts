const compiled = new Map<string, (path: string) => boolean>()

/**
 * Tells whether a glob covers a path. A glob without `/` is compared with the file's name at any depth; one that ends
 * in `/` covers the folder. Names that start with a dot match like any other.
 */
export async function matchesPath(glob: string, path: string): Promise<boolean> {
  let test = compiled.get(glob)
  if (!test) {
    const { globMatcher } = await import('../../lib/glob.ts')
    test = globMatcher(glob.endsWith('/') ? `${glob}**` : glob)
    compiled.set(glob, test)
  }
  return test(path)
}
