import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findWorkspaceRoot } from './find-root.ts'

test('The nearest .codehound counts, then the top of the git work tree, then the folder itself', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'root-')))
  const at = (path: string): string => {
    mkdirSync(join(base, path), { recursive: true })
    return join(base, path)
  }
  expect(findWorkspaceRoot(at('plain/sub'), base)).toEqual({ root: join(base, 'plain/sub'), detectedBy: 'cwd' })
  at('repo/.git')
  expect(findWorkspaceRoot(at('repo/a/b'), base)).toEqual({ root: join(base, 'repo'), detectedBy: 'git' })
  at('worktree')
  writeFileSync(join(base, 'worktree/.git'), 'gitdir: elsewhere')
  expect(findWorkspaceRoot(at('worktree/a'), base)).toEqual({ root: join(base, 'worktree'), detectedBy: 'git' })
  at('repo/a/.codehound')
  expect(findWorkspaceRoot(at('repo/a/b'), base)).toEqual({ root: join(base, 'repo/a'), detectedBy: 'codehound' })
})

test('A .codehound in the home folder makes no workspace of everything below it', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'root-')))
  mkdirSync(join(home, '.codehound'))
  mkdirSync(join(home, 'work'))
  expect(findWorkspaceRoot(join(home, 'work'), home)).toEqual({ root: join(home, 'work'), detectedBy: 'cwd' })
  // Nor where the home folder is reached through a link, as /home often is.
  const link = `${home}-link`
  symlinkSync(home, link)
  expect(findWorkspaceRoot(join(link, 'work'), link)).toEqual({ root: join(home, 'work'), detectedBy: 'cwd' })
})
