import { expect, test } from 'vitest'
import { facts } from '../policy/commands/fixtures/facts.ts'
import type { Mode } from '../protocol/index.ts'
import { createPolicy } from '../policy/policy.ts'
import { run, type PolicyCommandRequest } from './policy.ts'

async function explain(command: string, options: { json?: boolean; mode?: Mode } = {}, notes: string[] = []) {
  let text = ''
  const rules = [
    {
      verdict: 'deny' as const,
      kind: 'command' as const,
      pattern: 'terraform apply',
      level: 'workspace' as const,
      source: { file: '/w/.codehound/config.yaml', line: 4 },
    },
  ]
  const exitCode = await run(
    { action: 'explain', command, ...options },
    {
      stdout: { write: (part) => (text += part) },
      openPolicy: async ({ mode = 'ask' }) => {
        const policy = createPolicy({
          root: '/w',
          mode,
          interactive: true,
          sandboxed: false,
          noSandbox: true,
          trusted: true,
          facts,
          rules,
        })
        return {
          judge: (request) => policy.judge(request),
          circumstances: `mode ${mode}, sandbox: off`,
          notes,
          rules: [],
        }
      },
      forgetApprovals: async () => [],
    },
  )
  return { exitCode, text }
}

test('says what runs and why', async () => {
  expect(await explain('git status')).toEqual({
    exitCode: 0,
    text: `git status: runs
(mode ask, sandbox: off)

  runs    git status
          read-only: git  [app]

Why: It only looks.
It only looks, so it runs in mode plan too.
`,
  })
})

test('shows each part of a compound, wrappers seen through, with file and line', async () => {
  expect(await explain('ls && sh -c "terraform apply; cargo build" > out.txt')).toEqual({
    exitCode: 5,
    text: `ls && sh -c "terraform apply; cargo build" > out.txt: refused
(mode ask, sandbox: off)

  runs    ls
          read-only: ls  [app]

  asks    > out.txt
          redirections are writes  [app]

  refused terraform apply  (in sh -c)
          deny command: terraform apply  [workspace, /w/.codehound/config.yaml:4]

  asks    cargo build  (in sh -c)
          unknown command  [app]

Why: The rule "deny command: terraform apply" covers it.
`,
  })
})

test('says what an approval would store, or that it holds once', async () => {
  expect((await explain('cargo build')).text).toContain('An approval would store: command: cargo build\n')
  expect((await explain('$X')).text).toContain('An approval would hold once.\n')
})

test('a command that could steer the terminal is shown escaped', async () => {
  expect((await explain('ls\u001b[2J')).text).toContain(String.raw`$'ls\u001b[2J': asks`)
})

test('the same as JSON', async () => {
  expect(JSON.parse((await explain('rm -rf x', { json: true })).text)).toMatchObject({
    verdict: 'deny',
    rule: 'block: rm -rf',
  })
})

test('the mode may be another one', async () => {
  expect((await explain('cargo build', { mode: 'auto' })).exitCode).toBe(0)
  expect((await explain('cargo build', { mode: 'plan' })).text).toContain('mode plan')
})

test('nothing is no command', async () => {
  await expect(explain('  ')).rejects.toThrow('There is no command to explain.')
})

test('what of the configuration does not hold is noted', async () => {
  const note = '.codehound/config.yaml:2: permissions.rules: ignored until you trust this folder'
  expect((await explain('ls', {}, [note])).text).toContain(`\nNote: ${note}\n`)
  expect(JSON.parse((await explain('ls', { json: true }, [note])).text)).toMatchObject({ notes: [note] })
})

async function manage(request: PolicyCommandRequest, kept: string[]) {
  let text = ''
  const approvals = {
    load: () => kept,
    add: (rule: string) => void kept.push(rule),
    remove: (rule: string) => void kept.splice(kept.indexOf(rule), 1),
  }
  const policy = createPolicy({
    root: '/w',
    mode: 'ask',
    interactive: true,
    sandboxed: true,
    trusted: true,
    facts,
    block: ['sudo'],
    rules: [
      { verdict: 'deny', kind: 'command', pattern: 'terraform', level: 'app', source: { file: '/c.yaml', line: 4 } },
    ],
    allow: [{ pattern: 'make', level: 'app', source: { file: '/c.yaml', line: 9 } }],
    approvals,
  })
  policy.approve({ remember: ['command: cargo build'] }, 'session')
  const exitCode = await run(request, {
    stdout: { write: (part) => (text += part) },
    openPolicy: async () => ({
      judge: (each) => policy.judge(each),
      circumstances: '',
      notes: [],
      rules: policy.list(),
    }),
    forgetApprovals: async (rule) => policy.forget(rule).map((each) => each.text),
  })
  return { exitCode, text, kept }
}

test('policy list shows what holds, with its place or for how long', async () => {
  const { text } = await manage({ action: 'list' }, ['command: git commit'])
  expect(text).toBe(`block: sudo              default
deny command: terraform  /c.yaml:4
commands.allow: make     /c.yaml:9
command: git commit      approved always in this workspace
command: cargo build     approved for this session

The allowlist and what only looks are part of the program: docs/safety.md.
`)
  const json = await manage({ action: 'list', json: true }, ['command: git commit'])
  expect(JSON.parse(json.text)).toMatchObject({
    rules: expect.arrayContaining([{ rule: 'command: git commit', level: 'session', scope: 'workspace' }]),
  })
})

test('policy forget takes back one approval, or all, and says when there is none', async () => {
  const one = await manage({ action: 'forget', rule: 'command: git commit' }, ['command: git commit', 'command: a'])
  expect([one.text, one.kept]).toEqual(['Forgotten: command: git commit\n', ['command: a']])
  const all = await manage({ action: 'forget', rule: undefined, json: true }, ['command: a', 'path: ./b'])
  expect([JSON.parse(all.text), all.kept]).toEqual([
    { forgotten: ['command: a', 'path: ./b', 'command: cargo build'] },
    [],
  ])
  await expect(manage({ action: 'forget', rule: 'command: x' }, [])).rejects.toThrow(
    'There is no approval "command: x"',
  )
})
