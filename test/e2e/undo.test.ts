// What an agent did to the files is taken back from the command line, byte for byte, in a process of its own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

const ORIGINAL = '\ufeffconst limit = 10\r\nconst other = 20\r\n'

let place: Place
let server: ModelServer
beforeEach(async () => {
  place = makePlace({ 'src/a.ts': ORIGINAL, 'gone.txt': 'to be removed' })
  server = await startModelServer([
    { calls: [{ name: 'read_file', arguments: { path: 'src/a.ts' } }] },
    {
      calls: [
        { name: 'edit_file', arguments: { path: 'src/a.ts', old_text: 'limit = 10\n', new_text: 'limit = 11\n' } },
      ],
    },
    {
      calls: [{ name: 'shell_exec', arguments: { command: 'mv gone.txt moved.txt && mkdir made && touch made/file' } }],
    },
    { text: 'Done.' },
  ])
  configure(place, server.url)
})
afterEach(async () => {
  await server.close()
  place.remove()
})

const read = (path: string): string => readFileSync(join(place.folder, path), 'utf8')
const has = (path: string): boolean => existsSync(join(place.folder, path))

test('An edit and a command are listed, undone, redone, and refused where the user changed the file since', async () => {
  const run = await runCli(place, ['run', '--mode', 'auto', '--no-sandbox', 'change things'])
  expect([run.code, run.stderr]).toEqual([0, expect.any(String)])
  expect(read('src/a.ts')).toBe(ORIGINAL.replace('10', '11'))
  expect([has('gone.txt'), has('moved.txt'), has('made/file')]).toEqual([false, true, true])
  const listed = await runCli(place, ['changes'])
  expect(listed.stdout.trim().split('\n')).toHaveLength(2)

  expect((await runCli(place, ['undo'])).code).toBe(0)
  expect([read('gone.txt'), has('moved.txt'), has('made')]).toEqual(['to be removed', false, false])
  expect((await runCli(place, ['undo'])).code).toBe(0)
  expect(read('src/a.ts')).toBe(ORIGINAL)
  expect((await runCli(place, ['redo', '2'])).code).toBe(0)
  expect([read('src/a.ts'), has('moved.txt')]).toEqual([ORIGINAL.replace('10', '11'), true])

  writeFileSync(join(place.folder, 'src/a.ts'), 'mine\n')
  const refused = await runCli(place, ['undo', '2'])
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('+mine')
  expect([read('src/a.ts'), has('moved.txt')]).toEqual(['mine\n', true])
})
