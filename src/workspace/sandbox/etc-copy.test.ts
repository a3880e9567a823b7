import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEtcCopy } from './etc-copy.ts'

let folder: string
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'codehound-etc-')))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const READABLE = [
  '/etc/passwd',
  '/etc/ssl/certs',
  '/etc/alternatives',
  '/etc/hostname',
  '/usr/share',
  '/etc/gone',
].filter((path) => path === '/etc/passwd' || existsSync(path))

test.skipIf(process.platform !== 'linux')(
  'the copy of /etc holds what diff finds in the original, links as links',
  () => {
    const copy = createEtcCopy(folder)(READABLE)!
    for (const path of copy.copied) {
      const at = join(copy.folder, path.slice('/etc/'.length))
      expect(execFileSync('diff', ['-r', '--no-dereference', path, at], { encoding: 'utf8' })).toBe('')
    }
    expect(copy.copied).not.toContain('/usr/share')
  },
)

test.skipIf(process.platform !== 'linux')(
  'what nobody listed is not copied, and has an empty place for its mount',
  () => {
    const copy = createEtcCopy(folder)(['/etc/passwd', '/etc/hostname'])!
    expect(copy.copied).toEqual(new Set(['/etc/passwd']))
    expect(readFileSync(join(copy.folder, 'hostname'), 'utf8')).toBe('')
    expect(readdirSync(copy.folder).toSorted()).toEqual(['hostname', 'passwd', 'resolv.conf'])
  },
)

test.skipIf(process.platform !== 'linux')('sessions share a copy, and old ones of other contents go', () => {
  const copy = createEtcCopy(folder)(['/etc/passwd'])!
  expect(createEtcCopy(folder)(['/etc/passwd'])).toEqual(copy)
  const [old, recent, other] = [`etc-${'a'.repeat(32)}`, `etc-${'b'.repeat(32)}`, 'etc-of-somebody']
  for (const name of [old, recent, other]) mkdirSync(join(folder, name))
  for (const name of [old, other]) utimesSync(join(folder, name), 1, 1)
  createEtcCopy(folder)(['/etc/passwd', '/etc/group'])
  expect([old, recent, other].map((name) => existsSync(join(folder, name)))).toEqual([false, true, true])
  expect(lstatSync(copy.folder).isDirectory()).toBe(true)
})
