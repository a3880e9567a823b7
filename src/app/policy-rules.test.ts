import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../config/load-config.ts'
import { facts } from '../policy/commands/fixtures/facts.ts'
import { createPolicy } from '../policy/policy.ts'
import { configuredRules, directoryRules, placesOf } from './policy-rules.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-rules-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function policy() {
  return createPolicy({
    root,
    mode: 'ask',
    interactive: true,
    sandboxed: false,
    trusted: true,
    facts: { ...facts, listFolder: () => ['a.ts'] },
    directoryRules: directoryRules(root, join(root, 'cache')),
  })
}

test("the user's rules and the workspace's stand side by side, each with its place", async () => {
  const user = write('user.yaml', 'permissions:\n  rules:\n    - deny command curl\ncommands: { allow: [make] }\n')
  const own = write('w/.codehound/config.yaml', 'permissions:\n  rules:\n    - allow command curl\n')
  const loaded = await loadConfig({ env: {}, file: user, workspaceRoot: join(root, 'w'), isTrusted: () => true })
  expect(await configuredRules(loaded, true)).toEqual([
    { verdict: 'deny', kind: 'command', pattern: 'curl', level: 'app', source: { file: user, line: 3 } },
    { verdict: 'allow', kind: 'command', pattern: 'curl', level: 'workspace', source: { file: own, line: 3 } },
  ])
  expect(placesOf(loaded, ['commands', 'allow']).get('make')).toEqual({ level: 'app', source: { file: user, line: 4 } })
})

test('a nested configuration holds for commands and files in its folder, and is named', async () => {
  const file = write('infra/.codehound/config.yaml', 'permissions: { rules: [deny command make, ask path *.tf] }\n')
  const held = policy()
  expect(await held.judge({ kind: 'command', command: 'cd infra/x && make' })).toMatchObject({
    verdict: 'deny',
    level: 'directory',
    source: { file, line: 1 },
  })
  expect(await held.judge({ kind: 'command', command: 'make', cwd: 'infra' })).toMatchObject({ verdict: 'deny' })
  expect(await held.judge({ kind: 'command', command: 'make' })).toMatchObject({ verdict: 'ask', level: 'app' })
  const edit = (path: string) =>
    policy().judge({ kind: 'tool', tool: 'write_file', effect: 'write' as const, paths: [path] })
  expect(await edit('infra/x/main.tf')).toMatchObject({ verdict: 'ask', level: 'directory' })
  expect(await edit('main.tf')).toMatchObject({ verdict: 'ask', level: 'app' })
  expect(await held.judge({ kind: 'command', command: 'echo x > infra/x/main.tf' })).toMatchObject({
    level: 'directory',
  })
})

test('one that cannot be read, or allows something, asks about everything there', async () => {
  write('a/.codehound/config.yaml', 'permissions: { rules: [forbid everything] }\n')
  write('b/.codehound/config.yaml', '[')
  // A command in the workspace could have written it.
  write('c/.codehound/config.yaml', 'permissions: { rules: [allow command make] }\n')
  for (const cwd of ['a', 'b', 'c']) {
    expect(await policy().judge({ kind: 'command', command: 'ls', cwd })).toMatchObject({
      verdict: 'ask',
      level: 'directory',
      reason: expect.stringContaining('config.yaml'),
    })
  }
})
