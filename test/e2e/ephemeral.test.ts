import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'

// The hint of a data folder that cannot be written recommends it, and it failed there as well.
test('--ephemeral runs where nothing can be stored, and stores nothing, no answer in the cache either', async () => {
  const place = makePlace({ 'a.txt': 'a\n' })
  const server = await startModelServer([{ text: 'Fine.' }], { by: 'requests' })
  try {
    configure(place, server.url, { more: 'cache: { agent: always }\n' })
    // A device is no folder, for root neither.
    const env = { XDG_DATA_HOME: '/dev/null/data', XDG_CACHE_HOME: join(place.home, 'cache') }
    const run = await runCli(place, ['run', '--ephemeral', 'hello'], { env })
    expect(run.stderr).not.toContain('error')
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: 'Fine.\n' })
    expect(existsSync(join(place.home, 'cache/codehound/responses.db'))).toBe(false)
    const plain = await runCli(place, ['run', '--ephemeral', 'hello'])
    expect(plain.code).toBe(0)
    expect(existsSync(join(place.home, '.local/share/codehound/codehound.db'))).toBe(false)
    expect(readdirSync(place.folder).toSorted()).toEqual(['.git', 'a.txt'])
  } finally {
    await server.close()
    place.remove()
  }
})
