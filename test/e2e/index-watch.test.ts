import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePlace, startCli } from '../support/cli.ts'

test('`index --watch` stays, says what changes, and ends with Ctrl+C', async () => {
  // Symptom: it ended at once with "Detected unsettled top-level await" and exit code 13.
  const place = makePlace({ 'src/a.ts': 'export const a = 1\n' })
  const cli = startCli(place, ['index', '--watch'])
  const patient = { timeout: 40_000 }
  await expect.poll(() => cli.stderr(), patient).toBe('Watching; Ctrl+C ends.\n')
  expect(cli.stdout()).toBe('1 files, 1 parsed\n1 symbols, 0 references\nfrom a scan, watcher watching\n')
  place.write('src/b.ts', 'export const b = 1\n')
  await expect.poll(() => cli.stdout(), patient).toContain(': src/b.ts\n')
  rmSync(join(place.folder, 'src/a.ts'))
  await expect.poll(() => cli.stdout(), patient).toContain(': src/a.ts\n')
  cli.child.kill('SIGINT')
  expect(await cli.ended).toMatchObject({ code: 0, stderr: 'Watching; Ctrl+C ends.\n' })
  place.remove()
})
