import { resolve } from 'node:path'

/**
 * What Node compiled is kept for all processes of the tests, as it is for a user's: each test has a home and a folder for temporary
 * files of its own, and would compile the program anew. Not where coverage is measured, which needs code that was just compiled.
 */
export function setup(): void {
  if (!process.argv.some((each) => each.startsWith('--coverage')))
    process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, '../../node_modules/.cache/node')
}
