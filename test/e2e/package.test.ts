// The packed program, installed elsewhere without development dependencies: every command, and every check that reads a file with
// a parser. What is bundled can differ from the source (modules, data files, native packages), so the source does not show it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

const root = resolve(import.meta.dirname, '../..')
let prefix: string
let program: string
let place: Place
let server: ModelServer

beforeAll(async () => {
  prefix = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-package-')))
  // The tests have built it; what `npm pack` would run before is not needed again.
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', prefix], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
  const names = JSON.parse(packed) as { filename: string }[] | Record<string, { filename: string }>
  const [{ filename }] = Object.values(names) as [{ filename: string }]
  execFileSync('npm', ['install', '--omit=dev', '--prefer-offline', '--prefix', prefix, join(prefix, filename)], {
    cwd: prefix,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  program = join(prefix, 'node_modules/codehound/dist/cli.js')
  place = makePlace({
    'src/a.ts': "import { b } from './b'\n// TODO: more\nexport function a(): number { return b() }\n",
    'src/b.ts': 'export function b(): number { return 1 }\n',
  })
  server = await startModelServer([])
  configure(place, server.url)
})
afterAll(async () => {
  await server.close()
  place.remove()
  rmSync(prefix, { recursive: true, force: true })
})

/** Arguments of each command, and how it ends: 0 when nothing is said. */
const COMMANDS: Record<string, { args: string[]; code?: number; says?: RegExp }> = {
  codehound: { args: ['--help'] },
  'codehound run': { args: ['run', '--mode', 'auto-edit', 'hello'], says: /fine/ },
  'codehound sessions': { args: ['sessions'], says: /hello/ },
  'codehound sessions list': { args: ['sessions', 'list', '--json'], says: /hello/ },
  'codehound sessions show': { args: ['sessions', 'show', 'SESSION'], says: /fine/ },
  'codehound sessions rename': { args: ['sessions', 'rename', 'SESSION', 'greeting'] },
  'codehound sessions delete': { args: ['sessions', 'delete', 'SESSION'] },
  'codehound sessions export': { args: ['sessions', 'export', 'SESSION'], says: /fine/ },
  'codehound sessions search': { args: ['sessions', 'search', 'fine'], says: /fine/ },
  'codehound sessions fork': { args: ['sessions', 'fork', 'SESSION'] },
  'codehound sessions purge': { args: ['sessions', 'purge', '--older', '1d'] },
  'codehound index': { args: ['index'], says: /\d files, \d parsed/ },
  'codehound map': { args: ['map'], says: /src\/a\.ts/ },
  'codehound outline': { args: ['outline', 'src/a.ts'], says: /a/ },
  'codehound def': { args: ['def', 'b'], says: /src\/b\.ts/ },
  'codehound refs': { args: ['refs', 'b'], says: /src\/a\.ts/ },
  'codehound deps': { args: ['deps', 'src/a.ts'], says: /src\/b\.ts/ },
  'codehound dependents': { args: ['dependents', 'src/b.ts'], says: /src\/a\.ts/ },
  'codehound search': { args: ['search', 'return b', '--glob', '*.ts'], says: /src\/a\.ts/ },
  'codehound complexity': { args: ['complexity'] },
  'codehound todos': { args: ['todos'], says: /more/ },
  'codehound graph': { args: ['graph'] },
  'codehound changes': { args: ['changes'], says: /new\.yaml/ },
  'codehound undo': { args: ['undo'], says: /new\.yaml/ },
  'codehound redo': { args: ['redo'], says: /new\.yaml/ },
  'codehound rewind': { args: ['rewind'], says: /hello/ },
  'codehound config': { args: ['config'], says: /configVersion: 1/ },
  'codehound config show': { args: ['config', 'show'], says: /configVersion: 1/ },
  'codehound config get': { args: ['config', 'get', 'commands'], says: /confirm: unknown/ },
  'codehound config set': { args: ['config', 'set', 'context.mapTokens', '100'] },
  'codehound config unset': { args: ['config', 'unset', 'context.mapTokens'] },
  'codehound config keys': { args: ['config', 'keys'], says: /context\.mapTokens/ },
  'codehound config schema': { args: ['config', 'schema'], says: /"type": "object"/ },
  'codehound config path': { args: ['config', 'path'], says: /config\.yaml/ },
  'codehound config trust': { args: ['config', 'trust'] },
  'codehound config untrust': { args: ['config', 'untrust'] },
  'codehound doctor': { args: ['doctor'], code: 1, says: /ok +sandbox/ },
  'codehound policy': { args: ['policy'], code: 2 },
  'codehound policy list': { args: ['policy', 'list'] },
  'codehound policy forget': { args: ['policy', 'forget', '--all'] },
  'codehound policy explain': { args: ['policy', 'explain', 'git status | wc -l'], says: /read-only: git/ },
  'codehound demo': { args: ['demo'], says: /3 passed/ },
  'codehound help': { args: ['help', 'sessions', 'fork'], says: /copy a session/ },
}

test('every command of the reference is in this list', () => {
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8')
  expect([...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(Object.keys(COMMANDS))
})

test('installs nothing that is bundled, and names the licences of what is', () => {
  for (const name of ['yaml', 'zod', 'commander', 'highlight.js'])
    expect(existsSync(join(prefix, 'node_modules', name)), name).toBe(false)
  expect(readFileSync(join(prefix, 'node_modules/codehound/dist/NOTICE.md'), 'utf8')).toContain('## yaml ')
})

test('a write of each kind of file is parsed, and what does not parse is sent back', async () => {
  const broken: Record<string, string> = {
    'new.yaml': 'a: [1, 2\nb: }\n',
    'new.json': '{"a": }',
    'new.ts': 'const = 1\n',
    'new.py': 'def f(:\n',
    'new.go': 'package a\nfunc (\n',
  }
  server.play([
    { calls: Object.entries(broken).map(([path, content]) => ({ name: 'write_file', arguments: { path, content } })) },
    { text: 'fine' },
  ])
  const { code, stderr } = await runCli(place, ['run', '--mode', 'auto-edit', 'hello'], { program })
  expect(code, stderr).toBe(0)
  const results = server.requests.at(-1)!.messages.slice(-Object.keys(broken).length)
  for (const [at, path] of Object.keys(broken).entries())
    expect(JSON.stringify(results[at]), path).toMatch(/SYNTAX_FAULT/)
})

test('every command works', async () => {
  const failed: string[] = []
  for (const [name, { args, code = 0, says = /(?:)/ }] of Object.entries(COMMANDS)) {
    // Each run makes a session and a change for the commands that want one.
    server.play([
      { calls: [{ name: 'write_file', arguments: { path: 'new.yaml', content: `of: ${name}\n` } }] },
      { text: 'fine' },
    ])
    if (/sessions|changes|undo|rewind/.test(name))
      await runCli(place, ['run', '--mode', 'auto-edit', 'hello'], { program })
    const { stdout: list } = await runCli(place, ['sessions', 'list', '--json'], { program })
    const [session] = JSON.parse(list) as [{ id: string }]
    const asked = args.map((arg) => (arg === 'SESSION' ? session.id : arg))
    const result = await runCli(place, asked, { program })
    const output = result.stdout + result.stderr
    if (result.code !== code || !says.test(output) || /codehound itself/.test(output))
      failed.push(`${name}: exit ${result.code}\n${output.slice(0, 400)}`)
  }
  expect(failed).toEqual([])
})
