// `checks.afterEdit`: formatter and linter run once for the edits of a response, in a folder the user trusts.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

const EDITS = ['run', '--mode', 'auto-edit', 'write them']
const write = (path: string, content: string) => ({ name: 'write_file', arguments: { path, content } })

let place: Place
let server: ModelServer
beforeEach(async () => {
  place = makePlace({ 'seen.txt': '' })
  server = await startModelServer([
    { calls: [write('a.ts', 'const a=1\n'), write('b.ts', 'var b=2\n')] },
    { calls: [{ name: 'read_file', arguments: { path: 'a.ts' } }] },
    { text: 'done' },
  ])
  const checks = [
    "printf '%s\\n' {files} >> seen.log; sed -i 's/=/ = /' {files}",
    'if grep -n var {files}; then exit 1; fi',
  ]
  configure(place, server.url, { more: `checks: { afterEdit: ${JSON.stringify(checks)} }\n` })
})
afterEach(async () => {
  await server.close()
  place.remove()
})

const sent = (at: number): string => JSON.stringify(server.requests[at]!.messages)
const read = (path: string): string => readFileSync(join(place.folder, path), 'utf8')

test('run once for both files; what they found reaches the model once, what they changed can be undone', async () => {
  await runCli(place, ['config', 'trust'])
  const { code, stderr } = await runCli(place, EDITS)
  expect(code, stderr).toBe(0)
  expect(read('seen.log')).toBe('a.ts\nb.ts\n')
  expect([read('a.ts'), read('b.ts')]).toEqual(['const a = 1\n', 'var b = 2\n'])
  expect(sent(1)).toContain('b.ts:1:var b = 2')
  expect(sent(2).split('b.ts:1:var b = 2')).toHaveLength(2)
  server.assertSound()
  const { stdout } = await runCli(place, ['changes'])
  expect(stdout).toContain('checks: ')
  expect((await runCli(place, ['undo'])).code).toBe(0)
  expect([read('a.ts'), existsSync(join(place.folder, 'seen.log'))]).toEqual(['const a=1\n', false])
})

test('do not run in a folder that is not trusted, and the model is told', async () => {
  const { code } = await runCli(place, EDITS)
  expect(code).toBe(0)
  expect(existsSync(join(place.folder, 'seen.log'))).toBe(false)
  expect(sent(1)).toContain('not trusted yet')
  expect(read('a.ts')).toBe('const a=1\n')
})
