// kill -9 while a command replaces .git/config: the next start puts it back, before git is asked anything.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { configure, makePlace, runCli, startCli } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'

/** Makes git run a program at the next look, says so, and stays. */
const PLANT = `import { renameSync, writeFileSync } from 'node:fs'
writeFileSync('evil.sh', '#!/bin/sh\\ntouch canary\\n', { mode: 0o755 })
writeFileSync('new', '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = ./evil.sh\\n')
renameSync('new', '.git/config')
writeFileSync('planted', String(process.pid))
setInterval(() => {}, 1000)
`

test('a .git/config that a command replaced is as it was at the start after a kill', async () => {
  const place = makePlace({ 'plant.mjs': PLANT })
  const server = await startModelServer([
    { calls: [{ name: 'shell_exec', arguments: { command: 'node plant.mjs' } }] },
    { text: 'Done.' },
  ])
  const at = (name: string): string => join(place.folder, name)
  let left: number | undefined
  try {
    execFileSync('git', ['init', '-q'], { cwd: place.folder })
    const before = readFileSync(at('.git/config'), 'utf8')
    configure(place, server.url)
    const run = startCli(place, ['run', '--mode', 'auto', '--no-sandbox', 'look'])
    await vi.waitFor(() => expect(readFileSync(at('planted'), 'utf8')).toMatch(/^\d+$/), { timeout: 60_000 })
    left = Number(readFileSync(at('planted'), 'utf8'))
    process.kill(run.child.pid!, 'SIGKILL')
    await run.ended
    process.kill(left, 'SIGKILL')
    left = undefined
    server.play([{ text: 'Going on.' }], { by: 'requests' })
    expect((await runCli(place, ['run', '--mode', 'auto', '--no-sandbox', 'go on'])).code).toBe(0)
    expect(readFileSync(at('.git/config'), 'utf8')).toBe(before)
    expect(existsSync(at('canary'))).toBe(false)
  } finally {
    if (left !== undefined) process.kill(left, 'SIGKILL')
    await server.close()
    place.remove()
  }
})
