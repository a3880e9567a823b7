// The index bundled as the program ships it (its worker beside it), so that benchmarks do not measure type stripping.
import { build } from 'esbuild'
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
export const OUT = join(root, 'bench/results/bundle')

/** Builds bench/results/bundle/<name>.js for each named script of bench/index, and index-worker.js. */
export async function bundle(names: string[]): Promise<string[]> {
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...names.map((name) => ({ in: `bench/index/${name}.ts`, out: name })),
      { in: 'src/index/worker.ts', out: 'index-worker' },
    ],
    outdir: OUT,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // PROFILE=1 keeps the names that a profile shows.
    minify: process.env['PROFILE'] === undefined,
    external: ['oxc-parser', '@parcel/watcher', 'web-tree-sitter', 'typescript-5', 'esbuild'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  })
  // The data of the grammar languages, as script/build.mjs ships it.
  for (const data of globSync('src/index/languages/*/language.json', { cwd: root })) {
    const folder = join(root, dirname(data))
    const id = basename(folder)
    const { grammar } = JSON.parse(readFileSync(join(root, data), 'utf8')) as { grammar: string }
    cpSync(folder, join(OUT, 'languages', id), { recursive: true })
    mkdirSync(join(OUT, 'grammars'), { recursive: true })
    cpSync(createRequire(import.meta.url).resolve(grammar), join(OUT, 'grammars', `${id}.wasm`))
  }
  return names.map((name) => join(OUT, `${name}.js`))
}
