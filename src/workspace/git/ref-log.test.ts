import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openGit } from './git.ts'

async function stepsOf(before: string, command: string): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'ref-log-'))
  const sh = (script: string): void => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
    execFileSync('sh', ['-c', script], { cwd: root, stdio: 'ignore', env })
  }
  const commit = 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m'
  sh(before.replaceAll('COMMIT', commit))
  const git = openGit({ root, secretRule: () => null })
  await git.workTree()
  const mark = await git.mark()
  sh(command.replaceAll('COMMIT', commit))
  await git.workTree()
  const steps = await git.stepsSince(mark)
  rmSync(root, { recursive: true })
  return steps.map((step) => step.replaceAll(/\b[0-9a-f]{7}\b/g, 'ID'))
}

const START = 'git init -q -b main && COMMIT one'

test('Commits, switches, resets and stashes of a command are told, each with the way back', async () => {
  expect(await stepsOf(START, 'COMMIT "two words"')).toEqual([
    'commit ID on main "two words" (back: git reset --soft ID)',
  ])
  expect(await stepsOf(START, 'git switch -qc feature && COMMIT x')).toEqual([
    'switched from main to feature (back: git switch main)',
    'commit ID on feature "x" (back: git reset --soft ID)',
  ])
  expect(await stepsOf(`${START} && COMMIT two`, 'git reset -q --hard HEAD~1')).toEqual([
    'HEAD moved to ID on main: reset: moving to HEAD~1 (back: git reset --soft ID)',
  ])
  expect(await stepsOf(`${START} && echo a > a && git add a`, 'git -c user.name=a -c user.email=a@b stash -q')).toEqual(
    ['a stash was made (git stash list)'],
  )
  expect(await stepsOf('true', `${START} && true`)).toEqual(['commit ID on main "one" (back: git update-ref -d HEAD)'])
})

test('What leaves the repository where it stands is not told, and many steps are counted', async () => {
  expect(await stepsOf(START, 'git status; git branch other; echo x > x; git add x')).toEqual([])
  expect(await stepsOf('true', 'echo no repository')).toEqual([])
  const many = await stepsOf(START, 'for n in 1 2 3 4 5 6 7; do COMMIT $n; done')
  expect(many).toHaveLength(6)
  expect(many.at(-1)).toBe('and 2 more (git reflog)')
})
