import { expect, test } from 'vitest'
import type { SandboxPlan } from './plan.ts'
import { seatbeltArgv, seatbeltProfile } from './seatbelt.ts'

const plan: SandboxPlan = {
  writable: ['/Users/u/work', '/Users/u/other'],
  readOnly: ['/Users/u/work/.git/hooks', '/Users/u/work/.git/config'],
  readable: ['/Users/u/.nvm'],
  pinned: ['/Users/u/work/.git'],
  secretFiles: ['/Users/u/work/.env'],
  temp: '/private/var/folders/x/codehound',
  home: '/Users/u',
  gitConfig: undefined,
  network: false,
}

test('the profile without network is the reviewed one', async () => {
  await expect(seatbeltProfile(plan).profile).toMatchFileSnapshot('fixtures/no-network.sb')
})

test('the profile with network is the reviewed one', async () => {
  await expect(seatbeltProfile({ ...plan, network: true }).profile).toMatchFileSnapshot('fixtures/network.sb')
})

test('paths are parameters and never part of the profile', () => {
  const odd = '/Users/u/a") (allow default) ("'
  const argv = seatbeltArgv('/usr/bin/sandbox-exec', { ...plan, writable: [odd] }, ['/bin/sh', '-c', 'ls'])
  expect(argv[2]).not.toContain(odd)
  expect(argv).toContain(`-DWRITE_0=${odd}`)
  expect(argv.slice(-4)).toEqual(['--', '/bin/sh', '-c', 'ls'])
})
