// Whole scripted sessions on repositories that are no fixtures: this one, and two published packages with their sources.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, reportOf, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer, ServerCall, ServerStep } from '../support/model-server.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const call = (name: string, args: Record<string, unknown>): ServerCall => ({ name, arguments: args })
const step = (...calls: ServerCall[]): ServerStep => ({ calls })

let place: Place
let server: ModelServer
afterEach(async () => {
  await server.close()
  place.remove()
})

function commitAll(folder: string, env: Record<string, string>): void {
  execFileSync('git', ['add', '-A'], { cwd: folder, env, stdio: 'ignore' })
  execFileSync('git', ['commit', '-q', '-m', 'sources'], { cwd: folder, env, stdio: 'ignore' })
}

async function play(steps: ServerStep[]) {
  server = await startModelServer(steps)
  configure(place, server.url)
  const { code, stdout } = await runCli(
    place,
    ['run', '--mode', 'auto', '--no-sandbox', '--output', 'jsonl', 'do it'],
    {
      env: { CODEHOUND_SKIP_BUILD: '1' },
      timeoutMs: 120_000,
    },
  )
  const results = eventsOf(stdout).flatMap((event) => (event.type === 'tool-result' ? [event] : []))
  server.assertSound()
  return { code, results, report: reportOf(stdout) }
}

/** Sixteen steps over a package: looking around, searching, editing in three ways, undoing it by hand, commands and git. */
function tour(file: string, line: string): ServerStep[] {
  return [
    step(call('list_files', { path: '.' }), call('git_status', {})),
    step(call('list_files', { path: dirname(file), recursive: true, pattern: '*.ts' })),
    step(call('read_file', { path: file, start_line: 1, end_line: 40 })),
    step(call('search_text', { query: 'export function', glob: '*.ts' })),
    step(call('search_text', { query: 'import\\s+\\{', regex: true, path: dirname(file) })),
    step(call('edit_file', { path: file, old_text: line, new_text: `// checked\n${line}` })),
    step(call('git_diff', {})),
    step(call('write_file', { path: 'NOTES.md', content: '# Notes\n\nOne.\n' })),
    step(call('write_file', { path: 'NOTES.md', content: 'Two.\n', mode: 'append' })),
    step(call('read_file', { path: 'NOTES.md' })),
    step(call('edit_lines', { path: 'NOTES.md', start: 3, end: 3, content: 'First.' })),
    step(call('shell_exec', { command: 'ls | wc -l' })),
    step(call('shell_exec', { command: 'git diff --stat' })),
    step(call('edit_file', { path: file, old_text: `// checked\n${line}`, new_text: line })),
    step(call('delete_file', { path: 'NOTES.md' })),
    step(call('git_status', {})),
    { text: 'Everything is as it was.' },
  ]
}

test.each([
  ['zod', 'src/v4/core/util.ts'],
  ['eventsource-parser', 'src/parse.ts'],
])('sixteen steps on the sources of %s leave its files as they were', { timeout: 150_000 }, async (name, file) => {
  place = makePlace()
  cpSync(join(ROOT, 'node_modules', name), place.folder, { recursive: true })
  commitAll(place.folder, place.env)
  const before = readFileSync(join(place.folder, file), 'utf8')
  const line = before.split('\n').find((each) => each.length > 20 && before.split(each).length === 2)!
  const { code, results, report } = await play(tour(file, line))
  expect(
    results
      .map((event) => [event.tool, event.result.status, event.result.code])
      .filter(([, status]) => status !== 'success'),
  ).toEqual([])
  expect({ code, turns: report.turns }).toEqual({ code: 0, turns: 17 })
  expect(readFileSync(join(place.folder, file), 'utf8')).toBe(before)
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: place.folder, encoding: 'utf8' })).toBe('')
})

test(
  'a bug planted in a copy of this repository is found by its failing test and mended',
  { timeout: 150_000 },
  async () => {
    place = makePlace()
    const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    for (const path of tracked.split('\0')) {
      if (path === '' || !existsSync(join(ROOT, path))) continue
      mkdirSync(dirname(join(place.folder, path)), { recursive: true })
      cpSync(join(ROOT, path), join(place.folder, path))
    }
    symlinkSync(join(ROOT, 'node_modules'), join(place.folder, 'node_modules'))
    const file = 'src/agent/limits.ts'
    const right = 'if (limit <= 0 || count < limit) return undefined'
    const source = readFileSync(join(place.folder, file), 'utf8')
    expect(source).toContain(right)
    writeFileSync(join(place.folder, file), source.replace(right, right.replace('count < limit', 'count <= limit')))
    commitAll(place.folder, place.env)

    const tests = call('run_tests', { path: 'src/agent/loop.test.ts' })
    const { code, results, report } = await play([
      step(call('git_status', {}), call('list_files', { path: 'src' })),
      step(
        call('plan_update', {
          items: [
            { text: 'see the failure', state: 'doing' },
            { text: 'mend it', state: 'open' },
          ],
        }),
      ),
      step(tests),
      step(call('read_file', { path: 'src/agent/loop.test.ts', start_line: 1, end_line: 60 })),
      step(call('search_text', { query: 'consecutiveReads', path: 'src/agent' })),
      step(call('list_files', { path: 'src/agent' })),
      step(call('read_file', { path: 'src/agent/loop.ts', start_line: 1, end_line: 80 })),
      step(call('read_file', { path: file })),
      step(call('search_text', { query: 'count <= limit', path: 'src/agent' })),
      step(call('edit_file', { path: file, old_text: 'count <= limit', new_text: 'count < limit' })),
      step(call('git_diff', { path: file })),
      step(tests),
      step(call('shell_exec', { command: 'git diff --stat' })),
      step(
        call('plan_update', {
          items: [
            { text: 'see the failure', state: 'done' },
            { text: 'mend it', state: 'done' },
          ],
        }),
      ),
      step(call('git_status', {})),
      { text: 'The limit was taken one turn too late; the test passes again.' },
    ])
    const runs = results.filter((event) => event.tool === 'run_tests').map((event) => event.result.data)
    expect(runs).toMatchObject([{ failed: expect.any(Number) }, { failed: 0 }])
    expect(runs[0]?.['failed']).toBeGreaterThan(0)
    expect({ code, tests: report.tests }).toMatchObject({ code: 0, tests: { failed: 0, stale: false } })
    expect(readFileSync(join(place.folder, file), 'utf8')).toBe(source)
  },
)
