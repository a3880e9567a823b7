import type picomatch from 'picomatch'

let matcher: Promise<typeof picomatch> | undefined
const compiled = new Map<string, (path: string) => boolean>()

/**
 * Tells whether a glob covers a path. A glob without `/` is compared with the file's name at any depth; one that ends
 * in `/` covers the folder. Names that start with a dot match like any other.
 */
export async function matchesPath(glob: string, path: string): Promise<boolean> {
  const known = compiled.get(glob)
  if (known) return known(path)
  matcher ??= import('picomatch').then((module) => module.default)
  const make = await matcher
  const pattern = glob.endsWith('/') ? `${glob}**` : glob
  const test = make(pattern.includes('/') ? pattern.replace(/^\.\//, '') : `**/${pattern}`, { dot: true })
  compiled.set(glob, test)
  return test(path)
}
