import { afterEach, expect, test } from 'vitest'
import { createSyntaxCheck } from '../syntax-check.ts'
import { openToolBench, type BenchOptions, type ToolBench } from '../../../test/support/tool-bench.ts'

let bench: ToolBench
const open = (options: BenchOptions): ToolBench => (bench = openToolBench(options))
afterEach(() => bench.close())

test('edit_file replaces one place, shows the diff and says how it matched', async () => {
  const { call, read, events } = open({ files: { 'a.ts': 'one\ntwo\nthree\n' } })
  const result = await call('edit_file', { path: 'a.ts', old_text: 'two', new_text: 'zwei\ndrei' })
  expect(result).toMatchObject({
    status: 'success',
    text: 'Edited a.ts: +2 −1 (exact match at line 2)\n@@\n one\n-two\n+zwei\n+drei\n three',
    data: { path: 'a.ts', added: 2, removed: 1 },
  })
  expect(read('a.ts')).toBe('one\nzwei\ndrei\nthree\n')
  expect(events.map(({ type }) => type)).toEqual(['tool-call', 'file-change', 'tool-result'])
  expect(events[1]).toMatchObject({ path: 'a.ts', change: 'modified', diff: { added: 2, removed: 1 } })
})

test('the diff shows where lines between two changes are left out', async () => {
  // Symptom: two places of one hunk were shown as if they stood side by side.
  const { call } = open({ files: { 'a.ts': 'x\n1\n2\n3\n4\nx\n' } })
  const { text } = await call('edit_file', { path: 'a.ts', old_text: 'x', new_text: 'y', replace_all: true })
  expect(text.split('\n').slice(1)).toEqual(['@@', '-x', '+y', ' 1', '@@', ' 4', '-x', '+y'])
})

test('several edits are made all or none, and a miss shows the nearest lines', async () => {
  const { call, read } = open({ files: { 'a.ts': 'const alpha = 1\nconst beta = 2\n' } })
  const missed = await call('edit_file', {
    path: 'a.ts',
    edits: [
      { old_text: 'alpha', new_text: 'gamma' },
      { old_text: 'const betta = 2', new_text: 'x' },
    ],
  })
  expect(missed).toMatchObject({ status: 'failed', code: 'NO_MATCH', text: expect.stringContaining('const beta = 2') })
  expect(read('a.ts')).toBe('const alpha = 1\nconst beta = 2\n')
  const made = await call('MultiEdit', {
    file_path: 'a.ts',
    edits: [
      { old_text: 'alpha', new_text: 'gamma' },
      { old_text: 'beta', new_text: 'delta' },
    ],
  })
  expect(made.status).toBe('success')
  expect(read('a.ts')).toBe('const gamma = 1\nconst delta = 2\n')
})

test('edit_file wants texts or edits, and says so with a right form', async () => {
  const { call } = open({ files: { 'a.ts': 'x\n' } })
  const result = await call('edit_file', { path: 'a.ts', new_text: 'y' })
  expect(result).toMatchObject({ status: 'failed', code: 'FORMAT_ERROR' })
  expect(result.text).toContain('old_text')
})

test('edit_lines goes by the numbers of the last read, carried through own edits', async () => {
  const { call, read } = open({ files: { 'a.ts': '1\n2\n3\n4\n5\n' } })
  expect(await call('edit_lines', { path: 'a.ts', start: 1, end: 1, content: 'x' })).toMatchObject({
    code: 'STALE_LINES',
  })
  await call('read_file', { path: 'a.ts' })
  await call('edit_lines', { path: 'a.ts', start: 2, end: 2, content: 'two\ntwo and a half' })
  const moved = await call('edit_lines', { path: 'a.ts', start: 4, end: 4, content: '4| vier' })
  expect(moved.text).toContain('your line 4 is line 5 now; copied line numbers were taken off')
  expect(read('a.ts')).toBe('1\ntwo\ntwo and a half\n3\nvier\n5\n')
  const stale = await call('edit_lines', { path: 'a.ts', start: 1, end: 2, content: 'y' })
  expect(stale).toMatchObject({ code: 'STALE_LINES', text: expect.stringContaining('2| two\n3| two and a half') })
  expect((await call('edit_lines', { path: 'a.ts', start: 6, end: 5, content: 'six' })).status).toBe('success')
  expect(read('a.ts')).toBe('1\ntwo\ntwo and a half\n3\nvier\n5\nsix\n')
})

test('edit_lines refuses numbers of a file that somebody else changed', async () => {
  const { call, write } = open({ files: { 'a.ts': '1\n2\n' } })
  await call('read_file', { path: 'a.ts' })
  write('a.ts', '0\n1\n2\n')
  expect(await call('edit_lines', { path: 'a.ts', start: 1, end: 1, content: 'x' })).toMatchObject({
    code: 'STALE_LINES',
  })
})

test('write_file creates, refuses to create over a file, and overwrites only what was read', async () => {
  const { call, read, write } = open({ files: { 'old.txt': 'precious\r\n' } })
  expect(await call('create_file', { path: 'new/deep/a.ts', content: 'a\nb\n' })).toMatchObject({
    status: 'success',
    text: 'Created new/deep/a.ts: 2 lines.',
  })
  expect(await call('write_file', { path: 'old.txt', content: 'x' })).toMatchObject({ code: 'ALREADY_EXISTS' })
  expect(await call('write_file', { path: 'old.txt', content: 'x', mode: 'overwrite' })).toMatchObject({
    code: 'READ_FIRST',
  })
  await call('read_file', { path: 'old.txt' })
  expect((await call('write_file', { path: 'old.txt', content: 'x\ny\n', mode: 'overwrite' })).status).toBe('success')
  expect(read('old.txt')).toBe('x\r\ny\r\n')
  write('old.txt', 'changed by the user\n')
  expect(await call('write_file', { path: 'old.txt', content: 'z', mode: 'overwrite' })).toMatchObject({
    code: 'READ_FIRST',
  })
  expect((await call('write_file', { path: 'old.txt', content: 'more\n', mode: 'append' })).status).toBe('success')
  expect(read('old.txt')).toBe('changed by the user\nmore\n')
})

test('write_file takes off what was copied along and refuses words that stand in for code', async () => {
  const { call, read } = open({ files: {} })
  await call('write_file', { path: 'a.ts', content: '```ts\nconst a = 1\n```' })
  expect(read('a.ts').trim()).toBe('const a = 1')
  await call('write_file', { path: 'b.ts', content: '1| const b = 1\n2| const c = 2\n' })
  expect(read('b.ts')).toBe('const b = 1\nconst c = 2\n')
  await call('write_file', { path: 'c.md', content: '```ts\nconst a = 1\n```\n' })
  expect(read('c.md')).toBe('```ts\nconst a = 1\n```\n')
  const lazy = await call('write_file', {
    path: 'd.ts',
    content: 'const a = 1\n// ... rest of the code unchanged ...\n',
  })
  expect(lazy).toMatchObject({ code: 'PLACEHOLDER' })
})

test('delete_file deletes text and binary files and nothing else', async () => {
  const { call, workspace } = open({ files: { 'a.ts': 'x\n', 'b.bin': '\0\0' } })
  expect((await call('delete_file', { path: 'a.ts' })).text).toBe('Deleted a.ts (1 lines). The user can undo it.')
  expect((await call('delete_file', { path: 'b.bin' })).text).toBe('Deleted b.bin (2 bytes). The user can undo it.')
  expect(await workspace.list('.')).toMatchObject({ entries: [] })
  expect(await call('delete_file', { path: 'a.ts' })).toMatchObject({ code: 'NOT_FOUND' })
})

test('a change that breaks the syntax goes back once and is made when it is asked for again', async () => {
  const syntax = (_path: string, text: string) =>
    Promise.resolve(text.includes('{{') ? { line: 1, column: 3, message: 'unexpected {' } : undefined)
  const { call, read } = open({ files: { 'a.ts': 'ok\n' }, syntax })
  const args = { path: 'a.ts', old_text: 'ok', new_text: 'a {{' }
  expect(await call('edit_file', args)).toMatchObject({
    code: 'SYNTAX_FAULT',
    text: expect.stringContaining('line 1, column 3'),
  })
  expect(read('a.ts')).toBe('ok\n')
  const again = await call('edit_file', args)
  expect(again).toMatchObject({
    status: 'success',
    data: { changes: [{ diff: { note: expect.stringContaining('does not parse') } }] },
  })
})

test('a brace that is forgotten is found by the parser of the language', async () => {
  const { call, read } = open({ files: { 'a.ts': 'function f() {\n  return 1\n}\n' }, syntax: createSyntaxCheck() })
  const result = await call('edit_file', { path: 'a.ts', old_text: '  return 1\n}', new_text: '  return 2' })
  expect(result).toMatchObject({
    code: 'SYNTAX_FAULT',
    text: expect.stringMatching(/would not after this change: line 3, column 1: .*}/),
  })
  expect(read('a.ts')).toContain('return 1')
})

test('a file changed between proposal and write is proposed anew, and what was shown last is what is done', async () => {
  let asked = 0
  const diffs: unknown[] = []
  const bench = open({
    files: { 'a.ts': 'one\ntwo\n' },
    judge: () => ({ verdict: 'ask', level: 'app', rule: 'mode ask', reason: 'asks', remember: [] }),
    approve: ([action]) => {
      diffs.push(action!.diff!.hunks[0]!.lines.map(({ text }) => text))
      if (++asked === 1) bench.write('a.ts', 'zero\none\ntwo\n')
      return Promise.resolve({ answer: 'yes' })
    },
  })
  expect((await bench.call('edit_file', { path: 'a.ts', old_text: 'two', new_text: 'zwei' })).status).toBe('success')
  expect(bench.read('a.ts')).toBe('zero\none\nzwei\n')
  expect(diffs).toEqual([
    ['one', 'two', 'zwei'],
    ['zero', 'one', 'two', 'zwei'],
  ])
})

test('hunks a person left out are not written, and a text they wrote is', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`)
  let answer: { droppedHunks?: number[]; editedText?: string } = { droppedHunks: [0] }
  const bench = open({
    files: { 'a.txt': `${lines.join('\n')}\n` },
    judge: () => ({ verdict: 'ask', level: 'app', rule: 'mode ask', reason: 'asks', remember: [] }),
    approve: () => Promise.resolve({ answer: 'yes', ...answer }),
  })
  const edits = [
    { old_text: 'line 1\n', new_text: 'first\n' },
    { old_text: 'line 18', new_text: 'last' },
  ]
  expect((await bench.call('edit_file', { path: 'a.txt', edits })).text).toContain('the user left out a part of it')
  expect([bench.read('a.txt').includes('first'), bench.read('a.txt').includes('last')]).toEqual([false, true])
  answer = { editedText: 'mine\n' }
  expect((await bench.call('edit_file', { path: 'a.txt', edits: [edits[0]] })).text).toContain('the user changed it')
  expect(bench.read('a.txt')).toBe('mine\n')
  answer = { droppedHunks: [0] }
  expect(await bench.call('edit_file', { path: 'a.txt', old_text: 'mine', new_text: 'yours' })).toMatchObject({
    status: 'cancelled',
    code: 'USER_REJECTED',
  })
})
