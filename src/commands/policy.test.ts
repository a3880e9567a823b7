import { expect, test } from 'vitest'
import { facts } from '../policy/commands/fixtures/facts.ts'
import type { Mode } from '../protocol/index.ts'
import { createPolicy } from '../policy/policy.ts'
import { run } from './policy.ts'

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
        return { judge: (request) => policy.judge(request), circumstances: `mode ${mode}, sandbox: off`, notes }
      },
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

  asks    > out.txt
          redirections are writes  [app]

  runs    ls
          read-only: ls  [app]

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
