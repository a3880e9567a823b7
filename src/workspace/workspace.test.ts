import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from './workspace.ts'

function folder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')))
}

test('A written file keeps its byte order mark and its mode', async () => {
  const root = folder()
  writeFileSync(join(root, 'run.sh'), '\ufeffold\r\n')
  chmodSync(join(root, 'run.sh'), 0o755)
  const workspace = openWorkspace({ root })
  const applied = await workspace.apply([{ path: 'run.sh', after: 'new\r\n' }])
  expect(applied).toMatchObject({ ok: true, files: [{ path: 'run.sh' }] })
  expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('\ufeffnew\r\n')
  expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o755)
  expect(await workspace.readText('run.sh')).toMatchObject({
    text: 'new\r\n',
    format: { bom: true, eol: 'crlf', finalNewline: true, mode: 0o755 },
  })
})

test('All changes of a call are made or none', async () => {
  const root = folder()
  writeFileSync(join(root, 'a'), 'a')
  mkdirSync(join(root, 'b'))
  const workspace = openWorkspace({ root })
  const applied = await workspace.apply([
    { path: 'a', after: 'changed' },
    { path: 'new/deep/file', after: 'x' },
    { path: 'b', after: 'a folder is in the way' },
  ])
  expect(applied).toMatchObject({ ok: false, code: 'IS_DIRECTORY' })
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('a')
  expect(await workspace.list('.')).toMatchObject({ entries: [{ path: 'a' }, { path: 'b' }] })
})

test('A file that is not there is answered with the nearest paths', async () => {
  const root = folder()
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/server.ts'), '')
  const workspace = openWorkspace({ root })
  expect(await workspace.readText('src/sever.ts')).toMatchObject({ code: 'NOT_FOUND', near: ['src/server.ts'] })
  expect(await workspace.readText('lib/server.ts')).toMatchObject({ code: 'NOT_FOUND', near: ['src/server.ts'] })
})

test('Binary files, other encodings, folders and secrets are refused with their own code', async () => {
  const root = folder()
  mkdirSync(join(root, 'folder'))
  writeFileSync(join(root, 'binary'), Buffer.from([1, 0, 2]))
  writeFileSync(join(root, 'latin1'), Buffer.from([0x63, 0xe9]))
  writeFileSync(join(root, 'utf16'), Buffer.from([0xff, 0xfe, 0x41, 0]))
  writeFileSync(join(root, '.env.local'), 'KEY=1')
  symlinkSync('.env.local', join(root, 'harmless.txt'))
  const workspace = openWorkspace({ root })
  const codes = await Promise.all(
    ['binary', 'latin1', 'utf16', 'folder', '.env.local', 'harmless.txt'].map(async (path) => {
      const read = await workspace.readText(path)
      return read.ok ? 'read' : read.code
    }),
  )
  expect(codes).toEqual(['NOT_TEXT', 'NOT_TEXT', 'NOT_TEXT', 'IS_DIRECTORY', 'SECRET_FILE', 'SECRET_FILE'])
  expect(await workspace.apply([{ path: '.env.local', after: 'x' }])).toMatchObject({ code: 'SECRET_FILE' })
  const allowed = openWorkspace({ root, secretFiles: ['!.env.local'] })
  expect(await allowed.readText('.env.local')).toMatchObject({ text: 'KEY=1' })
  expect(await allowed.readText('harmless.txt')).toMatchObject({ text: 'KEY=1' })
})

test('A listing honours .gitignore and names links without following them', async () => {
  const root = folder()
  mkdirSync(join(root, 'src/out'), { recursive: true })
  mkdirSync(join(root, 'out'))
  for (const path of ['out/x', 'src/out/y', 'src/a.ts', 'b.log', 'keep.log']) writeFileSync(join(root, path), 'ab')
  writeFileSync(join(root, '.gitignore'), '/out\n*.log\n!keep.log\n')
  symlinkSync('src', join(root, 'link'))
  const workspace = openWorkspace({ root })
  expect(await workspace.list('.', { recursive: true })).toEqual({
    ok: true,
    truncated: false,
    entries: [
      { path: '.gitignore', kind: 'file', size: 21 },
      { path: 'keep.log', kind: 'file', size: 2 },
      { path: 'link', kind: 'link', size: 0, target: 'src' },
      { path: 'src', kind: 'folder', size: 0 },
      { path: 'src/a.ts', kind: 'file', size: 2 },
      { path: 'src/out', kind: 'folder', size: 0 },
      { path: 'src/out/y', kind: 'file', size: 2 },
    ],
  })
  expect(await workspace.list('link', { pattern: '*.ts' })).toMatchObject({ entries: [{ path: 'link/a.ts' }] })
})
