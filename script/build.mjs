// Bundles src/ into dist/: one entry (cli.js) with lazily loaded chunks, the workers beside it, and the data files that are
// read at run time.
import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundling, copyLanguages, nativePackages } from './bundle.ts'
import { bundledLicences } from './licences.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
// Built beside and put in place at the end, so that a program that runs meanwhile finds all its parts.
const out = `dist.${process.pid}`

mkdirSync(out, { recursive: true })
process.on('exit', () => rmSync(out, { recursive: true, force: true }))
const workers = ['src/index/worker.ts'].filter((file) => existsSync(file))
const { metafile } = await build({
  metafile: true,
  entryPoints: [
    { in: 'src/cli.ts', out: 'cli' },
    ...workers.map((file) => ({ in: file, out: file.split('/').slice(1).join('-').replace(/\.ts$/, '') })),
  ],
  outdir: out,
  ...bundling,
  minify: true,
  keepNames: true,
  legalComments: 'none',
  external: nativePackages,
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
})
const copies = [
  ['src/demo/project', join(out, 'demo')],
  ['src/index/languages/NOTICE.md', join(out, 'grammars', 'NOTICE.md')],
]
for (const [from, to] of copies) if (existsSync(from)) cpSync(from, to, { recursive: true })
copyLanguages(out)
writeFileSync(join(out, 'NOTICE.md'), bundledLicences(Object.keys(metafile.inputs)))
chmodSync(join(out, 'cli.js'), 0o755)
// Its help at 80 columns, so that `--help` need not load the command line.
writeFileSync(join(out, 'help.txt'), execFileSync(process.execPath, [join(out, 'cli.js'), '--help']))
const old = `dist.old.${process.pid}`
if (existsSync('dist')) renameSync('dist', old)
renameSync(out, 'dist')
rmSync(old, { recursive: true, force: true })
if (!process.argv.includes('--quiet')) console.log('built dist/cli.js')
