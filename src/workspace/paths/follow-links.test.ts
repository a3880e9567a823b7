import { expect, test } from 'vitest'
import { followLinks } from './follow-links.ts'

const LINKS: Readonly<Record<string, string>> = {
  '/w/link': '/etc',
  '/w/up': '..',
  '/w/a/deep': 'b/c',
  '/w/loop': 'loop',
  '/w/dangling': '/etc/new',
}
const follow = (path: string) => followLinks(path, (at) => LINKS[at])

test.each([
  ['/w/link/../x', '/x'],
  ['/w/./a//b/../c', '/w/a/c'],
  ['/w/up/w/link/passwd', '/etc/passwd'],
  ['/w/a/deep/../x', '/w/a/b/x'],
  ['/w/dangling', '/etc/new'],
  ['/../..', '/'],
  ['/proc/self/root/etc', '/proc/self/root/etc'],
  ['/proc/12/../w', '/proc/12/../w'],
  ['/w/loop/x', '/w/loop/x'],
])('%s leads to %s', (path, to) => {
  expect(follow(path)).toBe(to)
})
