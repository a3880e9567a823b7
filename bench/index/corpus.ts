// Makes a corpus of some 4,000 TypeScript source files out of npm packages that ship their sources, as published, each in a
// folder of its own. Fixed versions: the numbers of bench/README.md can be rerun anywhere.
// node bench/index/corpus.ts [FOLDER]   (default codehound-corpus in the folder for temporary files: inside the checkout,
// compilers and linters would take it for their own)
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const PACKAGES = [
  'viem@2.57.20',
  'ox@1.8.3',
  'effect@4.1.0',
  'zod@4.6.7',
  'rxjs@7.8.2',
  'matrix-js-sdk@43.0.0',
  '@xterm/xterm@6.0.0',
  '@reduxjs/toolkit@2.14.0',
]
/** What is built from the sources, and would double every name. */
const BUILT = ['_cjs', '_esm', '_types', 'dist', 'lib', 'core', 'mini', 'v3', 'v4', 'locales', 'index.js', 'index.cjs']
const DEFAULT = join(tmpdir(), 'codehound-corpus')
/** Written when the corpus is whole. */
const DONE = 'corpus.txt'

/** Makes the corpus where it is not there yet; gives its folder. */
export function makeCorpus(folder: string): string {
  if (existsSync(join(folder, DONE))) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const down = mkdtempSync(join(tmpdir(), 'codehound-corpus-'))
  try {
    for (const name of PACKAGES) {
      const output = execFileSync('npm', ['pack', '--silent', '--pack-destination', down, name], { encoding: 'utf8' })
      const [archive] = output.trim().split('\n').slice(-1)
      const own = join(folder, name.slice(0, name.lastIndexOf('@')).replaceAll('/', '__'))
      execFileSync('tar', ['xzf', join(down, archive!), '-C', down])
      renameSync(join(down, 'package'), own)
      // A package that has a folder `src` keeps only that, beside its manifest; viem and ox have their sources at the root.
      const keep = existsSync(join(own, 'src')) ? BUILT : BUILT.slice(0, 3)
      for (const built of keep) rmSync(join(own, built), { recursive: true, force: true })
      for (const file of globSync('**/*.{d.ts,d.mts,d.cts,map}', { cwd: own })) rmSync(join(own, file))
    }
  } finally {
    rmSync(down, { recursive: true, force: true })
  }
  writeFileSync(join(folder, DONE), `${PACKAGES.join('\n')}\n`)
  return folder
}

/** The corpus named on the command line or by CORPUS, else the one made here. */
export function corpusOf(argument: string | undefined): string {
  const given = argument?.startsWith('-') ? undefined : argument
  const named = given ?? process.env['CORPUS']
  return named ? resolve(named) : makeCorpus(DEFAULT)
}

if (process.argv[1] === import.meta.filename) {
  const folder = makeCorpus(resolve(process.argv[2] ?? DEFAULT))
  const count = globSync('**/*.ts', { cwd: folder }).length
  console.log(`${folder}: ${count} TypeScript files`)
}
