import { expect, test } from 'vitest'
import { whatStopped } from './stopped.ts'

const look = (output: string, more: Partial<Parameters<typeof whatStopped>[0]> = {}) =>
  whatStopped({
    exitCode: 1,
    output,
    cwd: '/w',
    network: false,
    access: (path) =>
      path.startsWith('/w/.git') ? 'read' : path.startsWith('/w') ? 'write' : path.startsWith('/usr') ? 'read' : 'none',
    exists: (path) => path === '/home/u/data.csv',
    ...more,
  })

// As the programs print it.
test.each([
  'npm error request to https://registry.npmjs.org/left-pad failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org',
  'curl: (6) Could not resolve host: example.com',
  'ssh: Could not resolve hostname github.com: Temporary failure in name resolution',
  'fatal: unable to access: Could not resolve host: github.com',
  'go: dial tcp: lookup proxy.golang.org: no such host',
  '[6] Could not resolve hostname (Could not resolve host: index.crates.io)',
  'ping: connect: Network is unreachable',
])('without network, %j is told as the sandbox', (output) => {
  expect(look(output)).toMatchObject({ kind: 'network', place: 'network' })
  expect(look(output, { network: true })).toBeUndefined()
  expect(look(output, { exitCode: 0 })).toBeUndefined()
})

test('a path that can only be read is named', () => {
  expect(look("touch: cannot touch '/usr/x': Read-only file system")).toMatchObject({
    kind: 'read-only',
    place: 'outside',
    text: expect.stringContaining('/usr/x'),
  })
  expect(look('error: could not write config file .git/config: Device or resource busy')?.text).toContain(
    '/w/.git/config',
  )
})

test('a path that is there for the user and not for commands is named', () => {
  expect(look('cat: /home/u/data.csv: No such file or directory')).toMatchObject({
    kind: 'hidden',
    text: expect.stringContaining('/home/u/data.csv'),
  })
  expect(look('cat: /home/u/missing: No such file or directory')).toBeUndefined()
  expect(look('cat: /w/missing: No such file or directory')).toBeUndefined()
})

test('a failure of the command itself is not the sandbox', () => {
  for (const output of [
    '2 tests failed',
    'error TS2304: Cannot find name x',
    "mv: cannot move 'a': Device or resource busy",
  ])
    expect(look(output)).toBeUndefined()
})
