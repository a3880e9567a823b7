// What a user gets wrong: a clear line and the right exit code each.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerStep } from '../support/model-server.ts'

let place: Place
let server: ModelServer

beforeEach(async () => {
  place = makePlace({ 'a.txt': 'text\n' })
  server = await startModelServer([{ text: 'hello' }])
  configure(place, server.url)
})
afterEach(async () => {
  await server.close()
  place.remove()
})

describe('the configuration', () => {
  test('an unknown key names the nearest one, file and line', async () => {
    configure(place, server.url, { more: 'contxt:\n  mapTokens: 100\n' })
    const { code, stderr } = await runCli(place, ['run', 'hi'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/config\.yaml:4.*contxt.*context/s)
  })

  test('a wrong type says what is expected', async () => {
    configure(place, server.url, { more: 'context:\n  mapTokens: lots\n' })
    const { code, stderr } = await runCli(place, ['run', 'hi'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/config\.yaml:5.*mapTokens.*number/s)
  })

  test('a variable that is not set is named', async () => {
    configure(place, server.url)
    writeFileSync(
      join(place.home, '.config/codehound/config.yaml'),
      `backends:\n  mock: { type: openai-compatible, url: "${server.url}/v1", api_key: "\${NO_SUCH_KEY}" }\nmodel: mock/m\n`,
    )
    const { code, stderr } = await runCli(place, ['run', 'hi'])
    expect(code).toBe(2)
    expect(stderr).toContain('NO_SUCH_KEY')
  })

  test('a file after --config that is not there is an error', async () => {
    const { code, stderr } = await runCli(place, ['run', '--config', 'missing.yaml', 'hi'])
    expect(code).toBe(2)
    expect(stderr).toContain('missing.yaml')
  })

  test('a model of no backend names the backends', async () => {
    const { code, stderr } = await runCli(place, ['run', '--model', 'mok/m', 'hi'])
    expect([2, 3]).toContain(code)
    expect(stderr).toContain('mock')
  })
})

describe('the command line', () => {
  test('an unknown option suggests the nearest and exits 2', async () => {
    const { code, stderr } = await runCli(place, ['run', '--outptu', 'json', 'hi'])
    expect(code).toBe(2)
    expect(stderr).toContain('--output')
  })

  test('the help that is kept beside the program is the one its commands give', async () => {
    const [kept, made] = await Promise.all([runCli(place, ['--help']), runCli(place, ['help'])])
    expect(kept).toMatchObject({ code: 0, stdout: made.stdout })
    expect(kept.stdout).toContain('codehound [options] [command | request]')
    expect((await runCli(place, ['help', 'run'])).stdout).toContain('codehound run [options]')
  })

  test('an unknown command suggests the nearest and exits 2', async () => {
    const { code, stderr } = await runCli(place, ['rum', 'hi'])
    expect(code).toBe(2)
    expect(stderr).toContain('run')
  })

  test('no prompt and nothing piped exits 2 and shows how', async () => {
    const { code, stderr } = await runCli(place, ['run'])
    expect(code).toBe(2)
    expect(stderr).toContain('codehound run "')
  })

  test('mode auto without a sandbox or --no-sandbox never runs commands unconfined', async () => {
    server.play([{ calls: [{ name: 'shell_exec', arguments: { command: 'touch ../outside.txt' } }] }, { text: 'done' }])
    await runCli(place, ['run', '--mode', 'auto', 'hi'])
    expect(existsSync(join(place.folder, '../outside.txt'))).toBe(false)
  })

  test('--timeout ends the run with exit code 4 and says so', async () => {
    server.play([{ text: 'a very slow answer that never ends', faults: [{ type: 'stall' }] }])
    const { code, stderr } = await runCli(place, ['run', '--timeout', '1s', 'hi'])
    expect(code).toBe(4)
    expect(stderr).toContain('--timeout')
  })
})

describe('standard input', () => {
  test('joins the prompt as data', async () => {
    await runCli(place, ['run', 'what is this?'], { input: 'piped text' })
    const [, user] = server.requests[0]!.messages
    expect(user?.text).toMatch(/^what is this\?\n\n.*<stdin>\npiped text\n<\/stdin>/s)
  })

  test('is the prompt when there is none', async () => {
    await runCli(place, ['run'], { input: 'what is this?' })
    expect(server.requests[0]!.messages[1]?.text).toContain('what is this?')
  })

  test('that nobody closes is not waited for without end', async () => {
    const { code, stderr } = await runCli(place, ['run', 'hi'], { openStdin: true })
    expect(code).toBe(0)
    expect(stderr).toContain('stdin')
  })
})

describe('what a model may ask for', () => {
  const result = async (step: ServerStep, mode = 'auto') => {
    server.play([step, { text: 'done' }])
    const { stdout } = await runCli(place, ['run', '--mode', mode, '--no-sandbox', '--output', 'jsonl', 'hi'])
    const found = eventsOf(stdout).find((event) => event.type === 'tool-result')
    return { result: found?.type === 'tool-result' ? found.result : undefined, report: reportOf(stdout) }
  }
  const read = (path: string): ServerStep => ({ calls: [{ name: 'read_file', arguments: { path } }] })

  test('a file that is not UTF-8 is said to be', async () => {
    place.write('latin.txt', Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a))
    expect((await result(read('latin.txt'))).result).toMatchObject({ status: 'failed', code: 'NOT_UTF8' })
  })

  test('a path outside is refused', async () => {
    expect((await result(read('../../etc/passwd'))).result).toMatchObject({ status: 'failed', code: 'PATH_OUTSIDE' })
  })

  test('a file that is not there names the nearest', async () => {
    const { result: found } = await result(read('b.txt'))
    expect(found).toMatchObject({ status: 'failed', code: 'NOT_FOUND' })
    expect(found?.text).toContain('a.txt')
  })

  test('a huge file is cut and says how to read on', async () => {
    place.write('huge.txt', 'a line of some length\n'.repeat(300_000))
    const { result: found } = await result(read('huge.txt'))
    expect(found?.text.length).toBeLessThan(60_000)
    expect(found?.text).toMatch(/start_line/)
  })

  test('a question with nobody there is answered so', async () => {
    const { result: found } = await result({ calls: [{ name: 'ask_user', arguments: { question: 'which?' } }] })
    expect(found?.status).not.toBe('success')
  })
})

describe('the place', () => {
  test('an empty folder without git works', async () => {
    const empty = makePlace({}, { git: false })
    configure(empty, server.url)
    const { code, stdout } = await runCli(empty, ['run', 'hi'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'hello\n' })
    empty.remove()
  })

  test('git tools without git say so', async () => {
    const bare = makePlace({ 'a.txt': 'x\n' }, { git: false })
    configure(bare, server.url)
    server.play([{ calls: [{ name: 'git_status', arguments: {} }] }, { text: 'done' }])
    const { stdout } = await runCli(bare, ['run', '--output', 'jsonl', 'hi'])
    const found = eventsOf(stdout).find((event) => event.type === 'tool-result')
    expect(found).toMatchObject({ result: { status: 'failed', code: 'NO_GIT' } })
    bare.remove()
  })

  test('a data folder that cannot be written names it and the way out', async () => {
    const file = join(place.home, 'not-a-folder')
    writeFileSync(file, '')
    const { code, stderr } = await runCli(place, ['run', 'hi'], { env: { XDG_DATA_HOME: file } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/not-a-folder.*--ephemeral/s)
  })

  test('a folder that cannot be written makes the edit fail, not the run', async () => {
    server.play([
      { calls: [{ name: 'write_file', arguments: { path: 'new.txt', content: 'x' } }] },
      { text: 'The folder is read-only.' },
    ])
    const { code, stdout } = await runCli(place, ['run', '--mode', 'auto-edit', 'hi'], { readOnly: true })
    expect(code).toBe(0)
    expect(stdout).toContain('The folder is read-only.')
    expect(JSON.stringify(server.requests.at(-1)!.body)).toMatch(/new\.txt.*read-only/)
    server.assertSound()
  })
})

describe('options before the command', () => {
  test('hold: --offline reaches no host, --config is the file that is read and written', async () => {
    const far = await runCli(place, ['--offline', '--model', 'far/x', 'run', 'hi'], {
      env: { CODEHOUND_BACKENDS__FAR__TYPE: 'openai-compatible', CODEHOUND_BACKENDS__FAR__URL: 'http://192.0.2.1/v1' },
    })
    expect(far.stderr).toMatch(/offline/)
    const own = join(place.home, 'own.yaml')
    await runCli(place, ['--config', own, 'config', 'set', 'context.mapTokens', '77'])
    expect(readFileSync(own, 'utf8')).toContain('mapTokens: 77')
    expect((await runCli(place, ['--config', own, 'config', 'get', 'context.mapTokens'])).stdout).toBe('77\n')
    expect((await runCli(place, ['config', 'get', 'context.mapTokens'])).stdout).not.toBe('77\n')
  })

  test('-p does the request as run does', async () => {
    const { code, stdout } = await runCli(place, ['-p', 'say', 'hello'])
    expect([code, stdout]).toEqual([0, 'hello\n'])
  })
})
