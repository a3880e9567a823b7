import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createKnownSecrets } from './known-secrets.ts'
import { createSecretMask } from './mask.ts'
import { createSecretFileRule } from './secret-files.ts'
import fc from '../../../test/support/property.ts'

// Put together here, so that no scanner takes this file for a leak.
const fake = (...parts: string[]): string => parts.join('')
const secrets = [
  fake('AKIA', 'IOSFODNN7REALKEY'),
  fake('ghp_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'),
  fake('sk-', 'ant-api03-abcDEF123456abcDEF123456'),
  fake('xoxb-', '123456789012-abcdefABCDEF'),
  fake('eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJ', 'zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'),
  fake('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEabc\ndef==\n-----END RSA ', 'PRIVATE KEY-----'),
]

const harmless = [
  'const token = getToken(request)',
  'password: string',
  'apiKey: process.env.API_KEY',
  'secretName = "my-secret-name"',
  'export API_KEY=<your key>',
  'token = "example-token-1234"',
  'import { createSecretMask } from "./mask.ts"',
  'const tokens = response.usage.input_tokens',
  'postgres://localhost:5432/db',
  'https://user@example.com/path',
  '"integrity": "sha512-abcDEF123456abcDEF123456abcDEF123456=="',
  'commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
  'maxTokens: 128000',
  'task-list-of-something-very-long',
]

test('What looks like a secret is masked, code that speaks of secrets is not', () => {
  const mask = createSecretMask()
  for (const [at, secret] of secrets.entries()) {
    expect(mask.mask(`before ${secret} after`)).toBe(`before ⟦secret:${at + 1}⟧ after`)
  }
  for (const text of harmless) expect(mask.mask(text)).toBe(text)
  const named = mask.mask('db_password: "h7Gk29sLq1"\nurl = postgres://me:h7Gk29sLq2@host/db\nAPI_KEY=h7Gk29sLq3')
  expect(named).toBe('db_password: "⟦secret:7⟧"\nurl = postgres://me:⟦secret:8⟧@host/db\nAPI_KEY=⟦secret:9⟧')
})

test('One value has one number, and a masked text is not masked again', () => {
  const mask = createSecretMask()
  mask.know(['hunter2-planted', 'short'])
  const once = mask.mask('a hunter2-planted b hunter2-planted short')
  expect(once).toBe('a ⟦secret:1⟧ b ⟦secret:1⟧ short')
  expect(mask.mask(once)).toBe(once)
  expect(mask.mask('API_KEY=⟦secret:1⟧')).toBe('API_KEY=⟦secret:1⟧')
})

test('A known value does not pass in the usual encodings', () => {
  const mask = createSecretMask()
  const value = 'p&nted "value" 8472'
  mask.know([value])
  const encodings = [JSON.stringify(value), encodeURIComponent(value), Buffer.from(value).toString('hex')]
  for (const text of encodings) expect(mask.mask(`x ${text} y`)).toContain('⟦secret:')
  for (const lead of ['', 'a', 'ab', 'KEY=']) {
    expect(mask.mask(Buffer.from(`${lead}${value}\n`).toString('base64'))).toContain('⟦secret:')
  }
})

test('A placeholder is turned back only into a file that holds the value', () => {
  const mask = createSecretMask()
  mask.know(['hunter2-planted', 'other-planted-9'])
  mask.mask('hunter2-planted other-planted-9')
  expect(mask.unmask('key = "⟦secret:1⟧" // changed', 'key = "hunter2-planted"')).toEqual({
    ok: true,
    text: 'key = "hunter2-planted" // changed',
  })
  expect(mask.unmask('key = "⟦secret:2⟧"', 'key = "hunter2-planted"')).toMatchObject({ ok: false })
  expect(mask.unmask('⟦secret:1⟧', null)).toMatchObject({ ok: false })
  expect(mask.unmask('⟦secret:77⟧ is text', 'x')).toEqual({ ok: true, text: '⟦secret:77⟧ is text' })
})

test('A call that carries a placeholder is seen, however deep', () => {
  const mask = createSecretMask()
  mask.know(['hunter2-planted'])
  mask.mask('hunter2-planted')
  expect(mask.carried({ command: 'curl', headers: [{ a: 'x ⟦secret:1⟧' }] })).toEqual([1])
  expect(mask.carried({ '⟦secret:1⟧': 1 })).toEqual([1])
  expect(mask.carried({ command: 'echo ⟦secret:2⟧ ⟦secret:0⟧' })).toEqual([])
})

test('Masking a file and turning it back gives the file', () => {
  const value = fc.string({ minLength: 6, maxLength: 20, unit: fc.constantFrom('a', 'B', '7', '-', '.', '$', '"') })
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 4 }),
      fc.array(fc.string(), { maxLength: 6 }),
      (values, words) => {
        const mask = createSecretMask()
        mask.know(values)
        const file = words.flatMap((word, at) => [word, values[at % values.length]!]).join('\n')
        const masked = mask.mask(file)
        for (const each of words.length > 0 ? values.slice(0, words.length) : []) expect(masked).not.toContain(each)
        expect(mask.unmask(masked, file)).toEqual({ ok: true, text: file })
      },
    ),
  )
})

test('The values of secret files and of the environment are known, settings beside them are not', () => {
  const root = mkdtempSync(join(tmpdir(), 'secrets-'))
  mkdirSync(join(root, 'packages/api'), { recursive: true })
  writeFileSync(
    join(root, '.env'),
    '# c\nexport API_KEY="planted-1 with space" # why\nNODE_ENV=development\nPORT=3000\nDATABASE_URL=postgres://u:planted2@db/x\nHOST=localhost\n',
  )
  writeFileSync(
    join(root, 'packages/api/.env.local'),
    "SESSION_SECRET='planted'\nVISIBLE_TOKEN=planted-visible\nID=a1b2c3d4e5f6g7\n",
  )
  writeFileSync(join(root, '.env.example'), 'API_KEY=your-key-goes-here-1\n')
  writeFileSync(join(root, 'server.key'), '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END KEY-----\n')
  let time = 0
  const known = createKnownSecrets({
    root,
    secretRule: createSecretFileRule(),
    env: { GITHUB_TOKEN: 'planted-env', HOME: '/home/me', SHORT_KEY: 'abc', VISIBLE_TOKEN: 'planted-visible' },
    allowNames: ['VISIBLE_TOKEN'],
    now: () => time,
  })
  const values = (): string[] => [...new Set(known.values().map(({ value }) => value))]
  expect(values().toSorted()).toEqual(
    [
      'abc',
      'planted-env',
      'planted-1 with space',
      'planted2',
      'planted',
      'a1b2c3d4e5f6g7',
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
      '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END KEY-----',
    ].toSorted(),
  )
  writeFileSync(join(root, '.env'), 'API_KEY=fresh-planted-value\n')
  expect(values()).toContain('fresh-planted-value')
  writeFileSync(join(root, '.env.new'), 'NEW_KEY=planted-later\n')
  time = 60_000
  expect(values()).toContain('planted-later')
})

test('Secret files are told by their names, without case, and may be allowed', () => {
  const rule = createSecretFileRule()
  const named = [
    '.env',
    'a/.ENV.local',
    'prod.env',
    '.npmrc',
    'x/.aws/credentials',
    'id_rsa',
    'certs/server.pem',
    '.ssh/config',
    'config/secrets.yml',
    'secrets.yaml',
  ]
  expect(named.filter((path) => rule(path) === null)).toEqual([])
  const open = [
    '.env.example',
    'env.ts',
    'environment.md',
    'id_rsa.pub',
    'src/aws/credentials.ts',
    'keys.ts',
    'public/key.txt',
  ]
  expect(open.filter((path) => rule(path) !== null)).toEqual([])
  const own = createSecretFileRule(['*.secret', '!public.secret'])
  expect([own('a.secret'), own('public.secret'), own('.env')]).toEqual(['*.secret', null, '.env'])
  expect(createSecretFileRule(['!.env.test'])('a/.env.test')).toBe(null)
})

test('long lines of one kind of character are masked in time that grows with their length', () => {
  // Found on a page of 4 MB without a space: the first forms of these patterns took hours for it.
  const lines = ['x', 'a.', '-eyJ', 'token', 'token="a', 'sk-', 'http://a:b', '-----BEGIN A ', 'ya29.', '123456789:']
  const mask = createSecretMask()
  for (const line of lines) expect(mask.mask(line.repeat(400_000 / line.length)).endsWith(line)).toBe(true)
})
