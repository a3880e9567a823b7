import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import fc from '../../../test/support/property.ts'
import { createSecretMask } from './mask.ts'
import { secretFileValues } from './secret-file-values.ts'
import { isParticular, isStandIn } from './secret-names.ts'

const none: ReadonlySet<string> = new Set()
/** Values that some quoting is needed for. */
const value = fc
  .string({
    minLength: 8,
    maxLength: 24,
    unit: fc.constantFrom(
      'a',
      'b',
      'c',
      'X',
      'Y',
      'Z',
      '0',
      '1',
      '9',
      ' ',
      '#',
      '=',
      '"',
      "'",
      '`',
      '$',
      '\\',
      ':',
      ';',
      ',',
      '\n',
      'é',
    ),
  })
  .map((text) => `k7${text.trim()}9Q`)
  .filter((text) => isParticular(text) && !isStandIn(text))

/** The values of a file that would pass, each standing alone. */
function passing(file: string, values: readonly string[]): string[] {
  const mask = createSecretMask()
  mask.know(secretFileValues(file, none))
  return values.filter((each) => mask.mask(`see ${each} here`).includes(each.trim()))
}

test('what YAML writes is read', () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(undefined, 40),
      (values, lineWidth) => {
        const tree = {
          a: { list: [{ api_token: values[0] }] },
          secrets: Object.fromEntries(values.map((each, at) => [`db_${at}_password`, each])),
        }
        expect(passing(stringify(tree, lineWidth === undefined ? { lineWidth: 0 } : { lineWidth }), values)).toEqual([])
      },
    ),
  )
})

test('what JSON.stringify writes is read', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.constantFrom(0, 2), (values, indent) => {
      const text = JSON.stringify({ auth: values.map((each) => ({ clientSecret: each })) }, null, indent)
      expect(passing(text, values)).toEqual([])
      expect(passing(`// with a comment\n${text}`, indent === 0 ? [] : values)).toEqual([])
    }),
  )
})

test('what the dotenv parser of Node reads is read, however it is written', () => {
  const written = fc.tuple(
    fc.constantFrom('', 'export ', '  '),
    fc.constantFrom('=', ' = '),
    value,
    fc.constantFrom('"', "'", '`', ''),
    fc.constantFrom('', ' # why', '\r'),
  )
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (all) => {
      const text = all
        .map(
          ([lead, sign, each, quote, tail], at) =>
            `${lead}S${at}_TOKEN${sign}${quote}${each.replaceAll(quote === '' ? '\n' : '\0', ' ')}${quote}${tail}`,
        )
        .join('\n')
      // A quote in the wrong place makes names of parts of values; only those that say so are secret.
      const values = Object.entries(parseEnv(text)).flatMap(([name, each = '']) =>
        name.endsWith('_TOKEN') && isParticular(each.trim()) && !isStandIn(each.trim()) ? [each] : [],
      )
      expect(passing(text, values)).toEqual([])
    }),
  )
})

test('what bash reads is read', () => {
  const files = fc.sample(
    fc.array(fc.tuple(value, fc.constantFrom('single', 'double', 'ansi', 'slashes')), { minLength: 1, maxLength: 4 }),
    { numRuns: 40, seed: 7 },
  )
  const folder = mkdtempSync(join(tmpdir(), 'secrets-bash-'))
  try {
    for (const [at, file] of files.entries()) {
      const text = file.map(([each, how], which) => `export S${which}_SECRET=${shellQuoted(each, how)}\n`).join('')
      writeFileSync(join(folder, `${at}.env`), text)
    }
    const script = `for f in *.env; do (. "./$f"; env -0 | grep -z '^S[0-9]_SECRET=' | tr '\\0' '\\1'; printf '\\2'); done`
    const read = execFileSync(
      'bash',
      ['-c', `cd ${folder}; ${script.replace('*.env', files.map((_, at) => `${at}.env`).join(' '))}`],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '' },
      },
    ).split('\u0002')
    for (const [at, file] of files.entries()) {
      const values = read[at]!.split('\u0001')
        .filter((line) => line !== '')
        .map((line) => line.slice(line.indexOf('=') + 1))
      expect(values.toSorted()).toEqual(file.map(([each]) => each).toSorted())
      const text = file.map(([each, how], which) => `export S${which}_SECRET=${shellQuoted(each, how)}\n`).join('')
      expect(passing(text, values)).toEqual([])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function shellQuoted(text: string, how: string): string {
  if (how === 'single') return `'${text.replaceAll("'", String.raw`'\''`)}'`
  if (how === 'double') return `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`
  if (how === 'slashes' && !text.includes('\n')) return text.replaceAll(/[^\w]/g, String.raw`\$&`)
  return `$'${text.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`
}

test('files of well-known programs give their secrets', () => {
  const secret = 'tZ8kQ2mW5xR9'
  const basic = Buffer.from(`me:${secret}`).toString('base64')
  const files: Record<string, string> = {
    '.npmrc': `registry=https://r.example.org/\n//r.example.org/:_authToken=${secret}\n`,
    '.netrc': `machine h.example.org\n  login me\n  password ${secret}\n`,
    'one-line.netrc': `machine h login me password ${secret} machine i login me password x\n`,
    '.pgpass': `db.example.org:5432:main:app:${secret}\n`,
    '.pypirc': `[pypi]\nusername = me\npassword: ${secret}\n`,
    '.docker/config.json': JSON.stringify({ auths: { 'r.example.org': { auth: basic } } }),
    '.git-credentials': `https://me:${secret}@git.example.org\n`,
    '.kube/config': `users:\n- name: me\n  user:\n    token: ${secret}\n`,
    'secrets.yaml': `data:\n  password: ${Buffer.from(secret).toString('base64')}\n`,
    'app.properties': `db.user=me\ndb.password=${secret.slice(0, 6)}\\\n    ${secret.slice(6)}\n`,
    'escaped.properties': `db.password=${Array.from(secret, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')}\n`,
    'web.config': `<add key="Password" value="${secret}"/>`,
    'settings.xml': `<server><password>${secret}</password></server>`,
    'ado.env': `DB="Server=h;User Id=me;Password=${secret};Encrypt=true"\n`,
    'header.env': `CURL_ARGS="-H 'X: y'"\nAUTHORIZATION=Bearer ${secret}\n`,
    'prod.tfvars': `db_password = <<EOT\n${secret}\nEOT\n`,
    'csh.env': `setenv DB_PASSWORD ${secret}\n`,
    'old.env': `#DB_PASSWORD=${secret}\n`,
    'glued.env': `DB_PASSWORD=${secret.slice(0, 4)}"${secret.slice(4)}"\n`,
  }
  const passed = Object.entries(files).filter(([path, text]) => {
    const mask = createSecretMask()
    mask.know(secretFileValues(text, none, path))
    return mask.mask(`see ${secret} here`).includes(secret)
  })
  expect(passed.map(([path]) => path)).toEqual([])
})

test('settings beside secrets are not secrets', () => {
  const file = [
    'NODE_ENV=production',
    'PORT=3000',
    'HOST=db.internal.example.org',
    'LOG_LEVEL=debug',
    'PUBLIC_URL=https://example.org/app',
    'TOKEN_TTL=86400',
    'PASSWORD_MIN_LENGTH=12',
    'KEY_PATH=/etc/ssl/private.pem',
    'API_KEY=changeme',
    'OTHER_KEY=${FROM_VAULT}',
    'SECRET=<your secret>',
    'MAX_TOKENS=128000',
    'AWS_REGION=eu-central-1',
    'NAME="My nice application"',
  ].join('\n')
  expect(secretFileValues(file, none)).toEqual([])
})
