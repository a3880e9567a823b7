import { spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../workspace.ts'
import { factsOf } from './facts.ts'
import fc from '../../../test/support/property.ts'

/** Every file, folder and link below, with contents; links are not followed. */
function snapshot(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const each of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, each.name)
    found[path] = each.isFile() ? readFileSync(path, 'utf8') : each.isSymbolicLink() ? 'link' : 'folder'
    if (each.isDirectory()) Object.assign(found, snapshot(path))
  }
  return found
}

const name = fc.constantFrom('a', 'b', 'c', 'é', 'e\u0301', 'É', '．．', '..\u200b', '%2e%2e')
const step = fc.oneof({ weight: 6, arbitrary: name }, fc.constantFrom('..', '.', '', '\0', '~', 'a\\..\\..', '...'))
const path = fc
  .tuple(fc.constantFrom('', '', '', '/', 'ROOT/', 'OUTSIDE/', 'ROOT/../', '//'), fc.array(step, { maxLength: 6 }))
  .map(([start, steps]) => start + steps.join('/'))
const target = fc.constantFrom(
  '.',
  '..',
  '../..',
  '../outside',
  'OUTSIDE',
  'OUTSIDE/x',
  'a',
  '/',
  '../outside/new',
  'ROOT/b',
)
const entry = fc.record({
  at: fc.array(name, { minLength: 1, maxLength: 3 }),
  kind: fc.oneof(fc.constant('file'), fc.constant('folder'), target),
})

test.each([true, false])(
  'No write leaves the workspace, whatever the tree and the path (handles: %s)',
  async (procFd) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 8 }),
        fc.array(path, { minLength: 1, maxLength: 6 }),
        async (tree, paths) => {
          const base = realpathSync(mkdtempSync(join(tmpdir(), 'escape-')))
          try {
            const [root, outside] = [join(base, 'in/root'), join(base, 'in/outside')]
            mkdirSync(root, { recursive: true })
            mkdirSync(outside)
            writeFileSync(join(outside, 'x'), 'untouched')
            const fill = (text: string): string => text.replace('ROOT', root).replace('OUTSIDE', outside)
            for (const { at, kind } of tree) plant(join(root, ...at), fill(kind), root)
            const inside = (each: string): boolean => each === root || each.startsWith(`${root}/`)
            const before = Object.entries(snapshot(base)).filter(([each]) => !inside(each))
            const facts = factsOf(root)
            const workspace = openWorkspace({ root, facts: { ...facts, procFd: procFd && facts.procFd } })
            for (const each of paths) {
              const written = await workspace.apply([{ path: fill(each), after: 'written' }])
              if (written.ok)
                expect((await workspace.readText(fill(each))) as object).toMatchObject({ text: 'written' })
            }
            expect(Object.entries(snapshot(base)).filter(([each]) => !inside(each))).toEqual(before)
          } finally {
            rmSync(base, { recursive: true })
          }
        },
      ),
      { numRuns: 150 },
    )
  },
)

function plant(at: string, kind: string, root: string): void {
  try {
    // Planting itself must not go out through a link planted before.
    const parent = join(at, '..')
    mkdirSync(parent, { recursive: true })
    if (!`${realpathSync(parent)}/`.startsWith(`${root}/`)) return
    if (kind === 'file') writeFileSync(at, 'planted', { flag: 'wx' })
    else if (kind === 'folder') mkdirSync(at)
    else symlinkSync(kind, at)
  } catch {
    // The tree is random: what does not fit is left out.
  }
}

// Swaps root/a between a folder and a link to the outside as fast as it can, for the given time.
const SWAPPER = `
const fs = require('fs')
const [root, outside, ms] = process.argv.slice(1)
const end = Date.now() + Number(ms)
process.stdout.write('ready')
const attempt = (step) => { try { step() } catch {} }
for (let at = 0; Date.now() < end; at++) {
  attempt(() => fs.renameSync(root + '/a', root + '/aside'))
  attempt(() => fs.symlinkSync(outside, root + '/a'))
  attempt(() => fs.unlinkSync(root + '/a'))
  // A write may have made the folder anew meanwhile.
  attempt(() => fs.renameSync(root + '/a', root + '/anew' + at))
  attempt(() => fs.renameSync(root + '/aside', root + '/a'))
}
`

test.runIf(process.platform === 'linux')(
  'A folder swapped for a link while a file is written never lets it out',
  async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'escape-')))
    const [root, outside] = [join(base, 'root'), join(base, 'outside')]
    mkdirSync(join(root, 'a/deep'), { recursive: true })
    mkdirSync(join(outside, 'deep'), { recursive: true })
    writeFileSync(join(outside, 'deep/victim'), 'untouched')
    const before = snapshot(outside)
    const swapper = spawn(process.execPath, ['-e', SWAPPER, root, outside, '1200'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => swapper.once('exit', resolve))
    await new Promise((resolve) => swapper.stdout.once('data', resolve))
    const workspace = openWorkspace({ root })
    const seen = new Set<string>()
    let at = 0
    while (swapper.exitCode === null) {
      at += 1
      const made = await workspace.apply([{ path: `a/new${at % 5}/file`, after: String(at) }])
      const written = await workspace.apply([{ path: 'a/deep/victim', after: String(at) }])
      const read = await workspace.readText('a/deep/victim')
      expect(read.ok && read.text).not.toBe('untouched')
      const gone = await workspace.apply([{ path: 'a/deep/victim', after: null }])
      for (const each of [made, written, gone]) seen.add(each.ok ? 'written' : each.code)
      // Lets the exit of the swapper be seen.
      if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await ended
    expect(snapshot(outside)).toEqual(before)
    expect(existsSync(join(outside, 'new1'))).toBe(false)
    expect(lstatSync(join(root, 'a')).isDirectory()).toBe(true)
    // The race was really run: writes went through and swaps were met.
    expect([...seen]).toEqual(expect.arrayContaining(['written', 'OUTSIDE_WORKSPACE']))
  },
)
