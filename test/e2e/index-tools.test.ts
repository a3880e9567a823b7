// Every tool that reads the index, called once in one run of the built program on the sources of a published package.
import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { configure, eventsOf, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

const ROOT = resolve(import.meta.dirname, '../..')
let place: Place
let server: ModelServer
afterEach(async () => {
  await server.close()
  place.remove()
})

test('a run on the sources of zod asks every tool of the index once', { timeout: 150_000 }, async () => {
  place = makePlace()
  cpSync(join(ROOT, 'node_modules/zod/src'), join(place.folder, 'src'), { recursive: true })
  cpSync(join(ROOT, 'node_modules/zod/package.json'), join(place.folder, 'package.json'))
  const git = (...args: string[]): unknown =>
    execFileSync('git', args, { cwd: place.folder, env: place.env, stdio: 'ignore' })
  git('add', '-A')
  git('commit', '-q', '-m', 'sources')
  const util = 'src/v4/core/util.ts'
  const calls: [name: string, args: Record<string, unknown>, shows: RegExp][] = [
    ['get_structure', { path: 'src/v4/core', depth: 1 }, /^ *util\.ts {2}JSONType/m],
    ['get_function', { path: util, name: 'cached' }, /^\d+\| export function cached</m],
    ['get_class', { path: 'src/v4/core/doc.ts', name: 'Doc' }, /^\d+\| export class Doc \{/m],
    ['find_definition', { symbol: 'cached', path: util }, /src\/v4\/core\/util\.ts:\d+.*cached/],
    ['find_references', { symbol: 'cached', path: util }, /src\/v4\/core\/schemas\.ts:\d+/],
    ['get_dependencies', { path: 'src/v4/core/schemas.ts' }, /src\/v4\/core\/util\.ts/],
    ['get_dependents', { path: util }, /src\/v4\/core\/schemas\.ts:\d+/],
    ['get_complexity', {}, /schemas\.ts/],
    ['get_todos', {}, /:\d+: TODO/],
    ['search_text', { query: 'export function cached', glob: '*.ts' }, /src\/v4\/core\/util\.ts:\d+/],
    ['search_semantic', { query: 'merge the definitions of two objects' }, /src\/.*merge/i],
  ]
  server = await startModelServer([
    ...calls.map(([name, args]) => ({ calls: [{ name, arguments: args }] })),
    { text: 'Seen.' },
  ])
  configure(place, server.url)
  // On a busy machine a first index takes longer than a call waits for it.
  await runCli(place, ['index'])
  const { code, stdout } = await runCli(place, ['run', '--output', 'jsonl', 'look'], { timeoutMs: 120_000 })
  server.assertSound()
  const results = eventsOf(stdout).flatMap((event) => (event.type === 'tool-result' ? [event] : []))
  expect(results.map(({ tool, result }) => [tool, result.status])).toEqual(calls.map(([name]) => [name, 'success']))
  const answers = calls.flatMap(([name, , shows], i) => {
    const { text } = results[i]!.result
    return shows.test(text) ? [] : [[name, text.slice(0, 500)]]
  })
  expect(answers).toEqual([])
  expect(code).toBe(0)
})
