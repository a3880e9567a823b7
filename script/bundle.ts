// How codehound is bundled, for the program and for benchmarks of its parts: one set of esbuild options, and the data of the
// grammar languages beside it. Native packages stay outside the bundle.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const bundling = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
} satisfies BuildOptions

export const nativePackages = ['oxc-parser', '@parcel/watcher', 'web-tree-sitter']

/** Copies the languages that are data into a folder; each one's grammar lies in the development dependency its language.json names. */
export function copyLanguages(out: string): void {
  const { resolve } = createRequire(import.meta.url)
  // A language that left must not stay from an earlier build.
  for (const folder of ['grammars', 'languages']) rmSync(join(out, folder), { recursive: true, force: true })
  mkdirSync(join(out, 'grammars'), { recursive: true })
  for (const path of globSync('src/index/languages/*/language.json', { cwd: root })) {
    const folder = join(root, dirname(path))
    const name = basename(folder)
    mkdirSync(join(out, 'languages', name), { recursive: true })
    for (const file of [join(root, path), ...globSync(join(folder, '*.scm'))])
      cpSync(file, join(out, 'languages', name, basename(file)))
    const { grammar } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { grammar: string }
    cpSync(resolve(grammar), join(out, 'grammars', `${name}.wasm`))
  }
}
