import { expect, test } from 'vitest'
import { createPolicy } from '../policy.ts'
import { facts } from './fixtures/facts.ts'

const judge = async (command: string, secrets = ['.env', 'deploy/prod.pem']) => {
  const policy = createPolicy({
    root: '/w',
    mode: 'plan',
    interactive: true,
    sandboxed: true,
    trusted: true,
    facts: { ...facts, secretsInHistory: () => secrets },
  })
  return (await policy.judge({ kind: 'command', command })).verdict
}

test.each([
  'git log -p',
  'git log -p | rev',
  'git log --patc',
  'git log -U3 --all',
  'git log -p -- deploy',
  'git log -p -- src/..',
  'git show HEAD',
  'git show 1234abcd',
  'git diff HEAD~5',
  'git diff',
  'git diff -- . :!.env',
  'git stash show -p',
  'git reflog -p',
  'git cat-file -p 1234abcd',
  'git cat-file blob 1234abcd',
  'git cat-file --batch',
  'git grep KEY HEAD~3',
  'git status -v',
])('%s would show a secret file that was committed, and is refused in plan with a sandbox too', async (command) => {
  expect([await judge(command), await judge(command, [])]).toEqual(['deny', 'allow'])
})

test.each([
  'git log',
  'git log --oneline -5 --stat',
  'git log --format=%H --since=2.days',
  'git log -p -- src',
  'git log -p -- . :!.env :!deploy',
  'git show --stat HEAD',
  'git show HEAD:src/a.ts',
  'git diff --name-only HEAD~5',
  'git diff -- src',
  'cd src && git diff -- .',
  'git grep -l KEY',
  'git status',
  'git stash list',
  'git cat-file -t 1234abcd',
])('%s shows none of it', async (command) => {
  expect(await judge(command)).toBe('allow')
})
