import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { endLeftProcesses, runProcess, type ProcessOptions } from './run-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'codehound-process-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (command: string | string[], options: Partial<ProcessOptions> = {}) =>
  runProcess({ command, cwd: folder, ...options })

/** True while a process with this pid runs (a zombie does not). */
function alive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 50 && alive(pid); attempt++) await new Promise((done) => setTimeout(done, 20))
  return !alive(pid)
}

const pidFrom = (name: string): number => Number(readFileSync(join(folder, name), 'utf8'))

describe('runProcess', () => {
  test('gives exit code, both streams and nothing else for a plain command', async () => {
    const result = await run('echo out; echo err >&2; exit 3')
    expect({ ...result, durationMs: 0 }).toEqual({
      outcome: 'exited',
      exitCode: 3,
      signal: null,
      stdout: { text: 'out\n', bytes: 4, truncated: false },
      stderr: { text: 'err\n', bytes: 4, truncated: false },
      durationMs: 0,
      leftRunning: false,
    })
  })

  test('starts an argv without a shell', async () => {
    expect((await run(['printf', '%s|', '$HOME', 'a b'])).stdout.text).toBe('$HOME|a b|')
  })

  test('reads of stdin end at once', async () => {
    expect((await run('cat; read x || echo none')).stdout.text).toBe('none\n')
  })

  test('streams text as it comes, a character cut between two chunks whole', async () => {
    const pieces: string[] = []
    await run(String.raw`printf 'a\xe2'; sleep 0.05; printf '\x82\xac'; printf b >&2`, {
      onOutput: (stream, text) => pieces.push(`${stream}:${text}`),
    })
    expect(pieces.join(' ')).toContain('stdout:€')
    expect(pieces.toSorted().join('')).not.toContain('�')
  })

  test('keeps head and tail in memory and everything on disk', async () => {
    const overflowFile = join(folder, 'deep', 'full.log')
    const result = await run('for i in $(seq 1 20000); do echo "line $i"; done', { memoryBytes: 1000, overflowFile })
    const whole = readFileSync(overflowFile, 'utf8')
    expect(whole.split('\n').length).toBe(20_001)
    expect(result.file).toEqual({ path: overflowFile, bytes: whole.length, complete: true })
    expect(result.stdout.truncated).toBe(true)
    expect(result.stdout.text.startsWith('line 1\nline 2\n')).toBe(true)
    expect(result.stdout.text.endsWith('line 20000\n')).toBe(true)
    const omitted = Number(/… (\d+) bytes left out …/.exec(result.stdout.text)![1])
    expect(omitted).toBe(whole.length - 1000)
  })

  test('says so when the file on disk reached its limit', async () => {
    const overflowFile = join(folder, 'limited.log')
    const result = await run('head -c 100000 /dev/zero | tr "\\0" x', {
      memoryBytes: 100,
      overflowFile,
      diskBytes: 5000,
    })
    expect(result.file).toEqual({ path: overflowFile, bytes: 5000, complete: false })
    expect(result.stdout.bytes).toBe(100_000)
  })

  test('a program that does not exist is a result, not a throw', async () => {
    const result = await run(['/no/such/program'])
    expect(result.outcome).toBe('failed')
    expect(result.error).toContain('/no/such/program could not be started')
    expect((await run('true', { cwd: join(folder, 'nowhere') })).error).toContain('does not exist')
  })

  test('ends children and grandchildren at the time limit', async () => {
    const result = await run('sleep 60 & echo $! > child.pid; (sleep 60 & echo $! > grand.pid; wait)', {
      timeoutMs: 300,
    })
    expect(result.outcome).toBe('timed-out')
    expect(await gone(pidFrom('child.pid'))).toBe(true)
    expect(await gone(pidFrom('grand.pid'))).toBe(true)
  })

  test.runIf(process.platform === 'linux')('ends what left the process group and its parent', async () => {
    const stop = new AbortController()
    const daemon = `setsid sh -c 'sh -c "echo \\$\\$ > daemon.pid; trap : TERM; while :; do sleep 0.05; done" & exit' & sleep 60`
    const running = run(daemon, { signal: stop.signal })
    while (!existsSync(join(folder, 'daemon.pid'))) await new Promise((done) => setTimeout(done, 10))
    await new Promise((done) => setTimeout(done, 50))
    stop.abort()
    expect((await running).outcome).toBe('cancelled')
    expect(await gone(pidFrom('daemon.pid'))).toBe(true)
  })

  test('what ignores SIGTERM is ended all the same', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 100)
    const result = await run('trap "" TERM; echo $$ > stubborn.pid; while :; do sleep 0.05; done', {
      signal: stop.signal,
    })
    expect(result.outcome).toBe('cancelled')
    expect(await gone(pidFrom('stubborn.pid'))).toBe(true)
  })

  test('an aborted signal starts nothing', async () => {
    const result = await run('echo ran > ran', { signal: AbortSignal.abort() })
    expect(result.outcome).toBe('cancelled')
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })

  test('does not wait for a server left in the background, says it runs, and ends it with its owner', async () => {
    const result = await run('sleep 60 & echo $! > left.pid; echo started', { owner: 'session-1' })
    expect({ outcome: result.outcome, text: result.stdout.text, left: result.leftRunning }).toEqual({
      outcome: 'exited',
      text: 'started\n',
      left: true,
    })
    endLeftProcesses('session-2')
    expect(alive(pidFrom('left.pid'))).toBe(true)
    endLeftProcesses('session-1')
    expect(await gone(pidFrom('left.pid'))).toBe(true)
  })

  test('the wrapper gets the argv with the shell in it', async () => {
    const result = await run('echo "$1"', { wrap: (argv) => [...argv, 'zero', 'one'] })
    expect(result.stdout.text).toBe('one\n')
  })

  test.runIf(existsSync('/bin/bash'))(
    'bash takes no functions and no settings of its own from the environment',
    async () => {
      const env = {
        PATH: '/usr/bin:/bin',
        'BASH_FUNC_true%%': '() { echo function; }',
        BASH_ENV: '/dev/stdin',
        CDPATH: '/',
        BASHOPTS: 'extglob',
        SHELLOPTS: 'noglob',
      }
      const result = await runProcess({
        command: 'true; shopt -q extglob && echo extglob; cd tmp; echo *',
        cwd: folder,
        env,
      })
      expect(result.stdout.text).not.toMatch(/function|extglob|\*|^\/tmp$/m)
    },
  )
})
