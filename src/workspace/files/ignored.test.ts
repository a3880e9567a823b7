import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../workspace.ts'
import fc from '../../../test/support/property.ts'

const name = fc.constantFrom('a', 'b', 'c.log', 'd.log', 'x y', 'é')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const rule = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/', '!/', '**/'),
    fc.constantFrom('a', 'b', '*.log', 'c.log', 'a/b', 'a/*', '*', 'a/**', 'x\\ y', '[ab]', '# note', 'é', 'c?log'),
    fc.constantFrom('', '', '/', ' '),
  )
  .map((parts) => parts.join(''))
  // Two forms in which the library differs: "a/*/" is the folder itself for it, and "!/*" brings no folder back.
  .filter((line) => !line.trim().endsWith('*/') && !line.startsWith('!/*'))
const rules = fc.array(rule, { maxLength: 4 }).map((lines) => lines.join('\n'))

test('The listing leaves out what git leaves out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { minLength: 1, maxLength: 8 }),
      rules,
      fc.array(fc.tuple(path, rules), { maxLength: 2 }),
      async (paths, top, nested) => {
        const root = realpathSync(mkdtempSync(join(tmpdir(), 'ignored-')))
        try {
          execFileSync('git', ['init', '-q'], { cwd: root })
          for (const each of paths) tryTo(() => write(root, each, 'x'))
          write(root, '.gitignore', top)
          for (const [folder, text] of nested) tryTo(() => write(root, `${folder}/.gitignore`, text))
          const args = ['-c', 'core.excludesFile=', 'ls-files', '-z', '--others', '--exclude-standard']
          const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
          const ours = await openWorkspace({ root }).list('.', { recursive: true })
          const files = ours.ok ? ours.entries.filter((each) => each.kind === 'file').map((each) => each.path) : []
          expect(files.toSorted()).toEqual(listed.toSorted())
        } finally {
          rmSync(root, { recursive: true })
        }
      },
    ),
    { numRuns: 60, seed: 20261120 },
  )
})

function write(root: string, at: string, text: string): void {
  mkdirSync(dirname(join(root, at)), { recursive: true })
  writeFileSync(join(root, at), text)
}

/** The tree is random: a file may stand where a folder is wanted. */
function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // Left out.
  }
}
