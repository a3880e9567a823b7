// The index bundled as the program ships it (its worker beside it), so that benchmarks do not measure type stripping.
import { build } from 'esbuild'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundling, copyLanguages, nativePackages } from '../../script/bundle.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
export const OUT = join(root, 'bench/results/bundle')

/** Builds bench/results/bundle/<name>.js for each named script of bench/index, and index-worker.js. */
export async function bundle(names: string[]): Promise<string[]> {
  await build({
    ...bundling,
    entryPoints: [
      ...names.map((name) => ({ in: `bench/index/${name}.ts`, out: name })),
      { in: 'src/index/worker.ts', out: 'index-worker' },
    ],
    outdir: OUT,
    // PROFILE=1 keeps the names that a profile shows.
    minify: process.env['PROFILE'] === undefined,
    external: [...nativePackages, 'typescript-5', 'esbuild'],
    logLevel: 'error',
  })
  copyLanguages(OUT)
  return names.map((name) => join(OUT, `${name}.js`))
}
