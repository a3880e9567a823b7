import { describe, expect, test } from 'vitest'
import { facts } from './commands/fixtures/facts.ts'
import { nextMode } from './mode.ts'
import { createPolicy, type PolicyOptions } from './policy.ts'
import type { Effect } from '../protocol/index.ts'
import { parseRuleText, type Rule } from './rules/rule.ts'

const policy = (options: Partial<PolicyOptions> = {}) =>
  createPolicy({ root: '/w', mode: 'ask', interactive: true, sandboxed: true, trusted: true, facts, ...options })
const rule = (text: string, more: Partial<Rule> = {}): Rule => ({ ...parseRuleText(text)!, level: 'app', ...more })
const write = (path: string, more = {}) =>
  ({ kind: 'tool', tool: 'edit_file', effect: 'write', paths: [path], ...more }) as const

describe('modes', () => {
  const effects: Effect[] = ['read', 'write', 'execute', 'network', 'note', 'ask']
  test.each([
    ['plan', 'allow deny deny allow allow allow'],
    ['ask', 'allow ask ask allow allow allow'],
    ['auto-edit', 'allow allow ask allow allow allow'],
    ['auto', 'allow allow allow allow allow allow'],
  ] as const)('%s: read, write, execute, network, note, ask are %s', async (mode, verdicts) => {
    const held = policy({ mode })
    const judged = await Promise.all(effects.map((effect) => held.judge({ kind: 'tool', tool: 'x', effect })))
    expect(judged.map(({ verdict }) => verdict).join(' ')).toBe(verdicts)
  })

  test('auto needs the sandbox, or to be told to go without', () => {
    expect(() => policy({ mode: 'auto', sandboxed: false })).toThrow('it needs the sandbox')
    expect(policy({ mode: 'auto', sandboxed: false, noSandbox: true }).mode).toBe('auto')
    const held = policy({ sandboxed: false })
    expect(held.setMode('auto')).toContain('--no-sandbox')
    expect(held.mode).toBe('ask')
    expect(held.setMode('plan')).toBeUndefined()
    expect(held.mode).toBe('plan')
  })

  test('the cycle leaves out what may not be entered', () => {
    expect(nextMode('plan', { sandboxed: true, noSandbox: false })).toBe('auto')
    expect(nextMode('plan', { sandboxed: false, noSandbox: false })).toBe('ask')
  })

  test('plan says what to do instead', async () => {
    expect(await policy({ mode: 'plan' }).judge(write('a.ts'))).toEqual({
      verdict: 'deny',
      level: 'app',
      rule: 'mode plan',
      reason:
        'Mode plan only reads, and edit_file would change files. Describe the step instead, or ask the user to leave plan mode.',
      silence: '--mode ask (Shift+Tab)',
      code: 'NOT_ALLOWED_IN_MODE',
      remember: [],
    })
  })
})

test('where there is no sandbox and one is demanded, no command runs', async () => {
  const held = policy({ refuseCommands: 'Commands run in a sandbox or not at all.', rules: [rule('allow command: *')] })
  expect(await held.judge({ kind: 'command', command: 'ls' })).toMatchObject({
    verdict: 'deny',
    rule: 'sandbox: strict',
  })
  expect((await held.judge(write('a.ts'))).verdict).toBe('ask')
})

test('a rule on a tool holds for the commands it runs: it may ask and deny, not allow', async () => {
  const run = { kind: 'command', command: 'npm test', tool: 'run_tests' } as const
  expect((await policy({ rules: [rule('deny tool: run_tests')] }).judge(run)).verdict).toBe('deny')
  const held = policy({ rules: [rule('ask tool: run_*')] })
  const asked = await held.judge(run)
  expect(asked).toMatchObject({ verdict: 'ask', rule: 'ask tool: run_*', remember: ['tool: run_tests'] })
  held.approve(asked, 'session')
  expect((await held.judge(run)).verdict).toBe('allow')
  const wide = policy({ rules: [rule('allow tool: shell_exec')] })
  expect((await wide.judge({ kind: 'command', command: 'cargo install x', tool: 'shell_exec' })).verdict).toBe('ask')
})

describe('a change of files', () => {
  test('is asked about, and an approval covers these files alone', async () => {
    const held = policy()
    const asked = await held.judge(write('src/a.ts'))
    expect(asked).toMatchObject({ verdict: 'ask', remember: ['path: ./src/a.ts'] })
    held.approve(asked, 'session')
    expect((await held.judge(write('src/a.ts'))).verdict).toBe('allow')
    expect((await held.judge(write('a.ts'))).verdict).toBe('ask')
    expect((await held.judge(write('x/src/a.ts'))).verdict).toBe('ask')
    expect((await held.judge({ ...write('src/a.ts'), paths: ['src/a.ts', 'src/b.ts'] })).verdict).toBe('ask')
    expect(held.list().flatMap(({ rule, scope }) => (scope === undefined ? [] : [rule]))).toEqual(['path: ./src/a.ts'])
  })

  test('a file whose name is a glob is approved as itself', async () => {
    const held = policy()
    held.approve(await held.judge(write('src/[id].ts')), 'session')
    expect((await held.judge(write('src/[id].ts'))).verdict).toBe('allow')
    expect((await held.judge(write('src/i.ts'))).verdict).toBe('ask')
  })

  test('all of a run may be approved, for the run', async () => {
    const held = policy()
    held.approve(await held.judge(write('b.ts')), 'run')
    expect((await held.judge(write('a.ts'))).verdict).toBe('allow')
    held.endRun()
    expect((await held.judge(write('a.ts'))).verdict).toBe('ask')
  })

  test.each([
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.codehound/config.yaml',
    '.GIT/config',
    '.vscode/tasks.json',
    '.claude/settings.json',
    '.husky/pre-commit',
    'packages/a/.envrc',
    '.mcp.json',
  ])('of %s warns, is never remembered, and is asked about in every mode that writes', async (path) => {
    const held = policy({ mode: 'auto-edit', rules: [rule('allow path: **')] })
    expect(await held.judge(write(path))).toMatchObject({ verdict: 'ask', warning: expect.any(String), remember: [] })
    expect((await policy({ mode: 'auto' }).judge(write(path))).verdict).toBe('ask')
  })

  test('of notes is an ordinary one', async () => {
    expect((await policy({ mode: 'auto-edit' }).judge(write('.codehound/notes/a.md'))).verdict).toBe('allow')
  })

  test('a commit is asked about where edits apply at once', async () => {
    const commit = { kind: 'tool', tool: 'git_commit', effect: 'write' } as const
    const held = policy({ mode: 'auto-edit' })
    const asked = await held.judge(commit)
    expect(asked).toMatchObject({ verdict: 'ask', level: 'tool', remember: ['tool: git_commit'] })
    held.approve(asked, 'session')
    expect((await held.judge(commit)).verdict).toBe('allow')
  })
})

describe('the hierarchy', () => {
  test('any level that asks makes it a question, with its file and line', async () => {
    const rules = [
      rule('allow tool: edit_file'),
      rule('ask path: migrations/**', {
        level: 'directory',
        source: { file: '/w/migrations/.codehound/config.yaml', line: 3 },
        reason: 'Migrations only append.',
      }),
    ]
    const held = policy({ mode: 'auto-edit', rules })
    expect(await held.judge(write('migrations/1.sql'))).toMatchObject({
      verdict: 'ask',
      level: 'directory',
      rule: 'ask path: migrations/**',
      source: { file: '/w/migrations/.codehound/config.yaml', line: 3 },
      reason: 'Migrations only append.',
    })
    expect((await held.judge(write('a.ts'))).verdict).toBe('allow')
  })

  test('a deny rule beats the mode, an approval and another rule', async () => {
    const held = policy({ mode: 'auto', rules: [rule('allow tool: *'), rule('deny path: vendor/')] })
    held.approve({ remember: ['path: ./vendor/a.js', 'tool: edit_file'] }, 'session')
    expect(await held.judge(write('vendor/a.js'))).toMatchObject({ verdict: 'deny', code: 'DENIED' })
    expect(
      (await held.judge({ kind: 'tool', tool: 'read_file', effect: 'read', paths: ['vendor/a.js'] })).verdict,
    ).toBe('deny')
  })

  test('the model may ask for a confirmation, also of what was approved', async () => {
    const held = policy({ mode: 'auto-edit' })
    held.approve({ remember: ['tool: edit_file'] }, 'session')
    expect(await held.judge(write('a.ts', { validationRequest: 'It changes the API.' }))).toMatchObject({
      verdict: 'ask',
      level: 'model',
      reason: 'It changes the API.',
      remember: [],
    })
  })

  test('a rule of a nested folder holds for its files only', async () => {
    const held = policy({
      mode: 'auto-edit',
      rules: [rule('ask tool: edit_file', { level: 'directory', folder: 'api' })],
    })
    expect((await held.judge(write('api/a.ts'))).verdict).toBe('ask')
    expect((await held.judge(write('apis/a.ts'))).verdict).toBe('allow')
  })

  test('a path approved for tools is approved for redirections, and the other way round', async () => {
    const held = policy({ sandboxed: false })
    held.approve(await held.judge({ kind: 'command', command: 'echo x > out.txt' }), 'session')
    expect((await held.judge(write('out.txt'))).verdict).toBe('allow')
  })
})
