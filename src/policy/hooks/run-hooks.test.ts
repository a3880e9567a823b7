import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHookRunner, type HookConfig } from './run-hooks.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-hooks-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const runner = (hooks: HookConfig, trusted = true) =>
  createHookRunner({ hooks, root, sessionId: 's1', trusted, env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' } })
const before = (command: string, matcher?: string): HookConfig => ({
  'before-tool': [{ ...(matcher === undefined ? {} : { matcher }), hooks: [{ command }] }],
})
const call = { tool: 'shell_exec', args: { command: 'ls' } }

test('a hook reads the call as JSON under both names and runs in the workspace', async () => {
  const outcome = await runner(before('cat > seen.json; pwd > where; echo "$CLAUDE_PROJECT_DIR" >> where')).run(
    'before-tool',
    { tool: 'edit_file', args: { path: 'a.ts', old_text: 'x', new_text: 'y' } },
  )
  expect(outcome).toEqual({ context: [], problems: [] })
  expect(JSON.parse(readFileSync(join(root, 'seen.json'), 'utf8'))).toEqual({
    session_id: 's1',
    transcript_path: '',
    cwd: root,
    hook_event_name: 'PreToolUse',
    event: 'before-tool',
    tool: 'edit_file',
    tool_name: 'Edit',
    tool_input: {
      path: 'a.ts',
      old_text: 'x',
      new_text: 'y',
      file_path: join(root, 'a.ts'),
      old_string: 'x',
      new_string: 'y',
    },
  })
  expect(readFileSync(join(root, 'where'), 'utf8')).toBe(`${root}\n${root}\n`)
})

test('exit code 2 blocks with stderr as the reason', async () => {
  expect(await runner(before('echo no force here >&2; exit 2')).run('before-tool', call)).toEqual({
    block: 'no force here',
    context: [],
    problems: [],
  })
})

test('any other failure is told and stops nothing', async () => {
  const outcome = await runner(before('echo oops >&2; exit 1')).run('before-tool', call)
  expect(outcome).toEqual({ context: [], problems: ['the hook echo oops >&2; exit 1 ended with 1: oops'] })
})

test('a hook that hangs ends with its time', async () => {
  const hooks = { 'before-tool': [{ hooks: [{ command: 'sleep 30', timeout: 0.1 }] }] }
  expect((await runner(hooks).run('before-tool', call)).problems).toEqual(['the hook sleep 30 timed-out'])
})

test.each([
  ['Bash', true],
  ['shell_exec', true],
  ['Edit|Bash', true],
  ['*', true],
  ['Bas', false],
  ['Edit', false],
  ['(', true],
])('the matcher %s', async (matcher, matched) => {
  await runner(before('touch ran', matcher)).run('before-tool', call)
  expect(existsSync(join(root, 'ran'))).toBe(matched)
})

test('JSON on stdout may deny, ask, stop and add context, and cannot allow', async () => {
  const say = async (answer: unknown) =>
    await runner(before(`echo '${JSON.stringify(answer)}'`)).run('before-tool', call)
  const specific = (permissionDecision: string) => ({
    hookSpecificOutput: { permissionDecision, permissionDecisionReason: 'because', additionalContext: 'note' },
  })
  expect(await say(specific('deny'))).toEqual({ block: 'because', context: ['note'], problems: [] })
  expect(await say(specific('ask'))).toEqual({ ask: 'because', context: ['note'], problems: [] })
  expect(await say(specific('allow'))).toEqual({ context: ['note'], problems: [] })
  expect(await say({ decision: 'block', reason: 'later' })).toEqual({ block: 'later', context: [], problems: [] })
  expect(await say({ continue: false, stopReason: 'enough' })).toEqual({ stop: 'enough', context: [], problems: [] })
  expect(await say({ decision: 7 })).toEqual({ context: [], problems: [] })
})

test('plain output is context where a session or a message starts, and nowhere else', async () => {
  const hooks = [{ hooks: [{ command: 'echo branch: main' }] }]
  const all = runner({ 'user-prompt': hooks, 'after-tool': hooks })
  expect((await all.run('user-prompt', { prompt: 'hi' })).context).toEqual(['branch: main'])
  expect((await all.run('after-tool', { ...call, result: 'x' })).context).toEqual([])
})

test('hooks of a folder that is not trusted do not run', async () => {
  const closed = runner(before('touch ran; exit 2'), false)
  expect(closed.has('before-tool')).toBe(false)
  expect(await closed.run('before-tool', call)).toEqual({ context: [], problems: [] })
  expect(existsSync(join(root, 'ran'))).toBe(false)
})

test('a hook that does not read its input is no fault', async () => {
  const input = { ...call, result: 'x'.repeat(300_000) }
  const outcome = await runner({ 'after-tool': [{ hooks: [{ command: 'exec <&-; true' }] }] }).run('after-tool', input)
  expect(outcome.problems).toEqual([])
})
