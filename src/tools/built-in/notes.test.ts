import { afterEach, expect, test } from 'vitest'
import { openToolBench, type ToolBench } from '../../../test/support/tool-bench.ts'
import { withSection } from '../notes.ts'

let bench: ToolBench
afterEach(() => bench.close())

test('a note is written, found, read, changed by section, and kept below its folder', async () => {
  bench = openToolBench({ files: { '.gitignore': '.codehound\n' } })
  const { call, read } = bench
  expect((await call('note_list')).text).toBe('There are no notes. note_write makes one.')
  const first = { title: 'Build: how', folder: 'dev', content: 'Run make.', mode: 'create' }
  expect((await call('note_write', first)).status).toBe('success')
  expect(read('.codehound/notes/dev/Build- how.md')).toBe('Run make.\n')
  expect(await call('note_write', { ...first, content: 'other' })).toMatchObject({ code: 'ALREADY_EXISTS' })
  await call('note_write', { title: 'Build: how', section: 'Tests', content: 'make test', mode: 'append' })
  expect((await call('note_read', { title: 'build: how' })).text).toBe('Run make.\n\n## Tests\n\nmake test\n')
  expect((await call('note_list', { folder: 'dev' })).text).toBe('dev/Build- how')
  expect((await call('note_search', { query: 'MAKE T' })).text).toBe('dev/Build- how:5: make test')
  expect((await call('note_read', { title: 'Built: how' })).text).toContain('Did you mean "Build- how"?')
  for (const folder of ['../..', '.git', 'a/../../..']) {
    expect(await call('note_write', { ...first, folder })).toMatchObject({ code: 'FORMAT_ERROR' })
  }
  expect(await call('note_write', { title: '../../x', content: 'x', mode: 'create' })).toMatchObject({
    code: 'FORMAT_ERROR',
  })
})

test('a section ends where a heading of its level or above begins', () => {
  const text = '# A\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n'
  expect(withSection(text, 'B', 'new', 'replace')).toBe('# A\n\n## B\n\nnew\n\n## D\n\nd\n')
  expect(withSection(text, '## D', 'more', 'append')).toBe('# A\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\nmore\n')
  expect(withSection('', 'E', 'e', 'append')).toBe('## E\n\ne\n')
})
