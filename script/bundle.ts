// How codehound is bundled, for the program and for benchmarks of its parts: one set of esbuild options, and the data of the
// grammar languages beside it. Native packages stay outside the bundle.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const nativePackages = ['oxc-parser', '@parcel/watcher', 'web-tree-sitter']

/**
 * Refuses `import('package')` of a bundled CommonJS package. In a split bundle it has only a `default`, so that names which work
 * from source are undefined in the build. A module of ours that imports the package statically is imported in its place.
 */
const noDynamicCommonJs: Plugin = {
  name: 'no-dynamic-commonjs',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ kind, path, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === RESOLVED || isBuiltin(path) || nativePackages.includes(path))
        return undefined
      const found = await build.resolve(path, { kind, resolveDir, pluginData: RESOLVED })
      if (found.errors.length > 0 || isModule(found.path)) return undefined
      return { errors: [{ text: `import('${path}'): import the package statically in a module of its own` }] }
    })
  },
}
const RESOLVED = Symbol('resolved')

/** Whether Node reads a file as an ES module (https://nodejs.org/api/packages.html#determining-module-system). */
function isModule(file: string): boolean {
  if (!file.endsWith('.js')) return file.endsWith('.mjs')
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { type?: string }).type === 'module'
}

export const bundling = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  plugins: [noDynamicCommonJs],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
} satisfies BuildOptions

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
