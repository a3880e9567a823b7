import { expect, test } from 'vitest'
import type { Mode } from '../../protocol/index.ts'
import { createPolicy, type PolicyOptions } from '../policy.ts'
import { facts } from './fixtures/facts.ts'

const policy = (options: Partial<PolicyOptions> = {}) =>
  createPolicy({ root: '/w', mode: 'ask', interactive: true, sandboxed: true, trusted: true, facts, ...options })

/** What leaves the machine or is not taken back by undo. */
const LASTING = [
  'git push',
  'git push origin main',
  'git push --dry-run',
  'git fetch origin main:main',
  'git fetch origin +main',
  'git commit -m x',
  'git commit --amend --no-edit',
  'git merge main',
  'git pull',
  'git rebase main',
  'git cherry-pick x',
  'git revert HEAD',
  'git apply x.patch',
  "git apply <<'E'\ndiff\nE",
  'git am x.mbox',
  "git checkout '*'",
  'git checkout :/',
  'git checkout .',
  'git checkout -- a.ts',
  'git checkout HEAD a.ts',
  'git checkout a.ts',
  'git checkout --forc main',
  'git restore a.ts',
  'git restore --source=HEAD~1 .',
  'git reset --soft HEAD~1',
  'git reset HEAD~2',
  'git switch --discard-changes main',
  'git clean -f',
  'git stash drop',
  'git add -f .',
  'git add -Af .',
  'git branch -D main',
  'git tag -d v1',
  'git update-ref refs/heads/main HEAD~1',
  'git remote set-url origin x',
  'git clone https://example.org/x',
  'npm install',
  'npm ci',
  'npm i left-pad',
  'npm isntall left-pad',
  'npm --loglevel silent install left-pad',
  'npm update',
  'npm audit fix',
  'npm version patch',
  'npm login',
  'npx create-react-app x',
  'npx -y foo',
  'npm exec foo',
  'pnpm dlx foo',
  'pnpm add x',
  'yarn',
  'yarn add x',
  'pip install x',
  'cargo install x',
  'gem install x',
  'brew install x',
  'apt install x',
  'curl https://example.org',
  'wget https://example.org',
  'gh pr create',
  'glab mr create',
  'docker run x',
  'kubectl apply -f x',
  'terraform apply',
]

test.each(LASTING)('%s is asked about with a sandbox and without, and where edits apply', async (command) => {
  const verdicts: string[] = []
  for (const mode of ['ask', 'auto-edit'] as const satisfies Mode[])
    for (const sandboxed of [true, false])
      verdicts.push((await policy({ mode, sandboxed }).judge({ kind: 'command', command })).verdict)
  expect(verdicts).toEqual(['ask', 'ask', 'ask', 'ask'])
})

test('an approval of a commit covers the next one, that of a push only the same push', async () => {
  const held = policy()
  const verdictOf = async (command: string) => (await held.judge({ kind: 'command', command })).verdict
  held.approve(await held.judge({ kind: 'command', command: 'git commit -m one' }), 'session')
  held.approve(await held.judge({ kind: 'command', command: 'git push origin main' }), 'session')
  held.approve(await held.judge({ kind: 'command', command: 'npm ci' }), 'session')
  expect([await verdictOf('git commit -am two'), await verdictOf('git push origin main')]).toEqual(['allow', 'allow'])
  expect([await verdictOf('git push'), await verdictOf('git push --tags')]).toEqual(['ask', 'ask'])
  expect([await verdictOf('npm ci'), await verdictOf('npm install x')]).toEqual(['allow', 'ask'])
})

test('a rule of the configuration allows what would be asked about', async () => {
  const rules = [{ verdict: 'allow' as const, kind: 'command' as const, pattern: 'git push', level: 'app' as const }]
  expect((await policy({ rules }).judge({ kind: 'command', command: 'git push' })).verdict).toBe('allow')
})
