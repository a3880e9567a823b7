import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configFileIn, loadConfig } from '../config/load-config.ts'
import { openGlobalStore } from '../store/sqlite/global-store.ts'
import { addConfigCommand } from './config-program.ts'

let folder: string
let root: string
let userFile: string
let workspaceFile: string
let env: NodeJS.ProcessEnv
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codehound-config-command-'))
  root = join(folder, 'project')
  mkdirSync(join(root, '.codehound'), { recursive: true })
  userFile = join(folder, 'user', 'codehound', 'config.yaml')
  workspaceFile = join(root, '.codehound', 'config.yaml')
  env = { XDG_CONFIG_HOME: join(folder, 'user') }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Printed {
  out: string
  err: string
  code: number | undefined
}

/** What was answered about a very large workspace. */
let answered: { folder: string } | 'all' | undefined
afterEach(() => {
  answered = undefined
})

/** Runs `codehound config …`. */
async function config(...argv: string[]): Promise<Printed> {
  const printed: Printed = { out: '', err: '', code: undefined }
  const global = () => openGlobalStore(join(folder, 'data', 'codehound.db'))
  const program = new Command('codehound').exitOverride().enablePositionalOptions()
  addConfigCommand(
    program,
    async (file) => ({
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
      root,
      answeredScope: () => Promise.resolve(answered),
      files: () => ({ user: file ?? configFileIn(join(folder, 'user', 'codehound')), workspace: workspaceFile }),
      load: async () => {
        const store = global()
        try {
          return await loadConfig({
            env,
            workspaceRoot: root,
            isTrusted: (asked) => store.isTrusted(asked),
            ...(file === undefined ? {} : { file }),
          })
        } finally {
          store.close()
        }
      },
      openGlobal: () => Promise.resolve(global()),
    }),
    (code) => (printed.code = code),
  )
  await program.parseAsync(['config', ...argv], { from: 'user' })
  return printed
}

function userSays(text: string): void {
  mkdirSync(join(userFile, '..'), { recursive: true })
  writeFileSync(userFile, text)
}

describe('set', () => {
  test('keeps comments, order and spelling, and says what it did', async () => {
    userSays(`# my machine
model: a/b # the good one

context: # little
    map_tokens: 100 # enough
fallback: [ a/b ]
`)
    expect(await config('set', 'context.mapTokens', '200')).toEqual({
      out: `context.mapTokens = 200 in ${userFile}\n`,
      err: '',
      code: 0,
    })
    await config('set', 'model', 'c/d')
    await config('set', 'undo.stack_size', '3')
    await config('set', 'fallback', 'x/y')
    expect(readFileSync(userFile, 'utf8')).toBe(`# my machine
model: c/d # the good one

context: # little
    map_tokens: 200 # enough
fallback: [ x/y ]
undo:
  stackSize: 3
`)
  })

  test('makes the file for its owner alone, and keeps the mode and the link of one that is there', async () => {
    await config('set', 'backends.local.type', 'ollama')
    await config('set', 'backends."qwen2.5".type', 'ollama')
    expect(readFileSync(userFile, 'utf8')).toBe('backends:\n  local:\n    type: ollama\n  qwen2.5:\n    type: ollama\n')
    expect(statSync(userFile).mode & 0o777).toBe(0o600)
    chmodSync(userFile, 0o640)
    const other = join(folder, 'user', 'codehound', 'config.yml')
    rmSync(other, { force: true })
    symlinkSync(userFile, other)
    await config('--config', other, 'set', 'model', 'local/x')
    expect(lstatSync(other).isSymbolicLink()).toBe(true)
    expect(statSync(userFile).mode & 0o777).toBe(0o640)
    expect(readFileSync(userFile, 'utf8')).toContain('model: local/x')
  })

  test('takes values as YAML, but words that are meant as words stay words', async () => {
    await config('set', 'commands.allow', '[make, "npm run *"]')
    await config('set', 'display.stream', 'false')
    await config('set', 'backends.b.type', 'ollama')
    await config('set', 'backends.b.apiKey', '12345')
    await config('set', 'backends.b.numCtx', '${CTX}')
    await config('set', 'commands.timeout', 'null')
    env['CTX'] = '8192'
    expect(JSON.parse((await config('get', 'backends.b', '--json')).out)).toEqual({
      type: 'ollama',
      apiKey: '(hidden)',
      numCtx: 8192,
    })
    expect(readFileSync(userFile, 'utf8')).toContain('apiKey: "12345"')
    expect((await config('get', 'commands.allow')).out).toBe('- make\n- npm run *\n')
    expect((await config('get', 'display.stream')).out).toBe('false\n')
  })

  test('refuses what the schema refuses and changes nothing', async () => {
    userSays('undo: { stackSize: 3 }\n')
    await expect(config('set', 'undo.stackSize', 'many')).rejects.toMatchObject({
      code: 'config',
      exitCode: 2,
      message: 'undo.stackSize: expected a whole number from 0, found "many"',
    })
    await expect(config('set', 'undo', '3')).rejects.toMatchObject({ suggestion: 'Set one of undo.stackSize.' })
    await expect(config('set', 'mapTokens', '3')).rejects.toMatchObject({
      message: 'there is no key "mapTokens"',
      suggestion: 'Did you mean context.mapTokens?',
    })
    await expect(config('set', 'undo.stakSize', '3')).rejects.toMatchObject({
      suggestion: 'Did you mean undo.stackSize?',
    })
    await expect(config('set', 'model.name', '3')).rejects.toThrow('model is a value, not a group')
    expect(readFileSync(userFile, 'utf8')).toBe('undo: { stackSize: 3 }\n')
  })

  test('leaves a broken file alone and says where it is broken', async () => {
    userSays('model: [\n')
    await expect(config('set', 'model', 'a/b')).rejects.toThrow(`${userFile}:2: `)
    expect(readFileSync(userFile, 'utf8')).toBe('model: [\n')
  })

  test('says when something stronger sets the key too', async () => {
    env['CODEHOUND_MODEL'] = 'env/m'
    const { err } = await config('set', 'model', 'a/b')
    expect(err).toBe('note: CODEHOUND_MODEL sets it too and wins: "env/m"\n')
  })

  test('--workspace writes beside the project; what needs trust is spoken of', async () => {
    const { out, err } = await config('set', 'permissions.mode', 'plan', '--workspace')
    expect(out).toBe(`permissions.mode = "plan" in ${workspaceFile}\n`)
    expect(err).toContain(`${workspaceFile}:2: permissions.mode: ignored until you trust this folder`)
    expect(existsSync(userFile)).toBe(false)
  })
})

test('unset takes the key out and nothing else', async () => {
  userSays('# top\nmodel: a/b\nundo:\n  # ten is enough\n  stack_size: 3\n')
  expect((await config('unset', 'undo.stackSize')).out).toBe(`undo.stackSize is no longer set in ${userFile}\n`)
  expect((await config('unset', 'undo.stackSize')).out).toBe(`undo.stackSize is not set in ${userFile}\n`)
  expect((await config('get', 'undo.stackSize')).out).toBe('10\n')
  expect(readFileSync(userFile, 'utf8')).toContain('# top\nmodel: a/b\n')
})

test('--explain shows the folder that was chosen for a very large workspace, which no file names', async () => {
  answered = { folder: 'packages/app' }
  const text = (await config('--explain', 'project.scope')).out
  expect(text).toContain(
    'holds  answered     "packages/app"\n       when it was asked how much of this workspace to read',
  )
  expect(text).toContain('below  default      "repository"')
  expect(JSON.parse((await config('--explain', 'project.scope', '--json')).out)).toMatchObject({
    value: 'packages/app',
  })
  expect((await config('--explain', 'model')).out).not.toContain('answered')
})

test('--explain tells what a key is, what holds, and every place that sets it', async () => {
  userSays('\ncontext:\n  mapTokens: 200\n')
  env['CODEHOUND_CONTEXT__MAP_TOKENS'] = '300'
  expect((await config('--explain', 'context.map_tokens')).out).toBe(`context.mapTokens
  Size of the repository map in tokens.
  Takes a whole number from 0 to 10000.
holds  environment  300
       CODEHOUND_CONTEXT__MAP_TOKENS
below  user         200
       ${userFile}:3
below  default      3000
`)
  expect((await config('--explain', 'limits.totalTurns')).out).toContain('not set, and no default\n')
  expect(JSON.parse((await config('--explain', 'model', '--json')).out)).toEqual({
    key: 'model',
    value: 'ollama/qwen2.5-coder:7b-instruct',
    description: 'Model to use, `backend/model`.',
    sources: [{ layer: 'default', value: 'ollama/qwen2.5-coder:7b-instruct' }],
  })
  const unset = await config('get', 'limits.totalTurns')
  expect(unset).toEqual({ out: '', err: 'limits.totalTurns is not set and has no default\n', code: 1 })
})

test('keys and passwords are never printed', async () => {
  userSays(
    'backends:\n  b: { type: ollama, api_key: s3cret, url: "http://me:s3cret@host/v1", headers: { X-Key: s3cret } }\n  c: { type: ollama, api_key: "${NO_SUCH}" }\n',
  )
  const shown = [
    await config(),
    await config('show', '--json'),
    await config('get', 'backends.b.headers'),
    await config('--explain', 'backends.b.apiKey'),
    await config('--explain', 'backends.b', '--json'),
    await config('set', 'backends.b.apiKey', 's3cret2'),
  ]
  for (const { out, err } of shown) expect(out + err).not.toContain('s3cret')
  expect(shown[0]!.out).toContain('http://me:(hidden)@host/v1')
  expect(shown[0]!.err).toContain('warning: ' + userFile + ':3: backends.c.api_key: the variable NO_SUCH is not set')
})

test('path, schema and keys say where and what', async () => {
  userSays('')
  expect((await config('path')).out).toBe(`user       ${userFile}\nworkspace  ${workspaceFile}  (not there)\n`)
  expect(JSON.parse((await config('schema')).out)).toMatchObject({
    title: 'Configuration of codehound',
    type: 'object',
  })
  const { out } = await config('keys')
  expect(out).toContain('backends.NAME.contextMaxTokens\n  Window in tokens')
  expect(out).toContain('commands.block\n')
})

test('trust lets the file of the workspace hold, and shows what it sets', async () => {
  writeFileSync(workspaceFile, 'permissions: { mode: plan }\ncontext: { mapTokens: 5 }\n')
  expect((await config('get', 'permissions.mode')).out).toBe('ask\n')
  expect(await config('trust')).toEqual({
    out: `${root} is trusted\nIts configuration now sets:\n  permissions.mode = "plan"\n`,
    err: '',
    code: 0,
  })
  expect((await config('get', 'permissions.mode')).out).toBe('plan\n')
  expect((await config('untrust')).out).toBe(`${root} is no longer trusted\n`)
  expect((await config('get', 'permissions.mode')).out).toBe('ask\n')
})

test('a command that is none says what there is', async () => {
  await expect(config('explian', 'model')).rejects.toMatchObject({
    exitCode: 2,
    message: 'There is no command "config explian".',
  })
  await expect(config('sett', 'model', 'a/b')).rejects.toMatchObject({
    suggestion: 'Did you mean set? The commands are show, get, set, unset, keys, schema, path, trust, untrust.',
  })
})

test('a group that may be written as one value is set by it, also where it stands so already', async () => {
  expect((await config('set', 'sandbox', 'strict')).out).toContain('sandbox.mode = "strict"')
  expect((await config('get', 'sandbox.mode')).out.trim()).toBe('strict')
  writeFileSync(userFile, 'sandbox: off\n')
  const again = await config('set', 'sandbox', 'strict')
  expect([again.err, (await config('get', 'sandbox.mode')).out.trim()]).toEqual(['', 'strict'])
})
