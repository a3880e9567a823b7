import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether the program runs from its TypeScript source and not from the bundle in `dist/`. */
export const fromSource = import.meta.url.endsWith('.ts')

/**
 * Finds a folder of data files that the build copies into `dist/`.
 *
 * @param name folder under `dist/`, as `script/build.mjs` names it, for example `grammars`
 * @param source the same folder in a source run, relative to `src/`
 * @returns an absolute path; whether it exists is not checked
 */
export function shippedFolder(name: string, source: string): string {
  const here = dirname(fileURLToPath(import.meta.url))
  if (fromSource) return join(dirname(here), source)
  // esbuild puts shared code into dist/chunks/ and entries into dist/ itself.
  return join(basename(here) === 'chunks' ? dirname(here) : here, name)
}
