import { afterEach, expect, test } from 'vitest'
import { allow, openToolBench, type ToolBench } from '../../test/support/tool-bench.ts'

let bench: ToolBench
afterEach(() => bench.close())

test('what a command changed is named, shown as file changes, and undone like an edit', async () => {
  bench = openToolBench({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' }, journal: true })
  await bench.call('edit_file', { path: 'a.txt', old_text: 'one', new_text: 'eins' })
  const result = await bench.call('shell_exec', { command: 'echo more >> a.txt; rm b.txt; echo new > c.txt' })
  expect(result.text.split('\n').at(-1)).toBe('Files it changed: a.txt, b.txt, c.txt')
  const changes = bench.events.flatMap((event) =>
    event.type === 'file-change' ? [[event.path, event.change, event.diff?.added]] : [],
  )
  expect(changes).toEqual([
    ['a.txt', 'modified', 1],
    ['a.txt', 'modified', 1],
    ['b.txt', 'deleted', 0],
    ['c.txt', 'created', 1],
  ])
  const journal = bench.workspace.journal!
  expect(journal.undo({ sessionId: 'test' })).toMatchObject({ ok: true, paths: ['a.txt', 'b.txt', 'c.txt'] })
  expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['eins\n', 'two\n'])
  expect(journal.undo({ sessionId: 'test' })).toMatchObject({ ok: true })
  expect(bench.read('a.txt')).toBe('one\n')
})

test('a command that changed nothing leaves the state as it was, one that did begins a new one', async () => {
  bench = openToolBench({ files: { 'a.txt': 'one\n', 'dir/b.txt': 'two\n' }, journal: true })
  const read = async () => (await bench.call('read_file', { path: 'dir/b.txt' })).status
  expect([await read(), await read()]).toEqual(['success', 'cached'])
  expect((await bench.call('shell_exec', { command: 'cat a.txt' })).text).not.toContain('changed')
  expect(await read()).toBe('cached')
  await bench.call('shell_exec', { command: 'echo >> a.txt' })
  expect(await read()).toBe('success')
})

test('a command judged read-only is not watched', async () => {
  bench = openToolBench({ files: { 'a.txt': 'one\n' }, journal: true, judge: () => ({ ...allow, readOnly: true }) })
  await bench.call('shell_exec', { command: 'echo >> a.txt' })
  expect(bench.workspace.journal!.changes()).toEqual([])
})

test('a command that is interrupted is recorded with what it had changed', async () => {
  bench = openToolBench({ files: { 'a.txt': 'one\n' }, journal: true })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 300)
  const [result] = await bench.batch(
    [{ name: 'shell_exec', args: { command: 'echo two > a.txt; sleep 60' } }],
    stop.signal,
  )
  expect(result).toMatchObject({ status: 'cancelled', code: 'INTERRUPTED', data: { changes: [{ path: 'a.txt' }] } })
  expect(bench.workspace.journal!.undo({ sessionId: 'test' })).toMatchObject({ ok: true, paths: ['a.txt'] })
  expect(bench.read('a.txt')).toBe('one\n')
})

test('where commands cannot be watched the user is told once that they cannot be undone', async () => {
  bench = openToolBench({ journal: true })
  bench.workspace.journal!.watchCommand = () =>
    Promise.resolve({ unwatched: 'the workspace holds the home folder', finish: () => Promise.resolve(null) })
  for (const command of ['echo 1 > a.txt', 'echo 2 > b.txt']) await bench.call('shell_exec', { command })
  expect(bench.events.filter((event) => event.type === 'notice')).toEqual([
    {
      type: 'notice',
      level: 'warning',
      text: 'What commands change here cannot be undone: the workspace holds the home folder.',
    },
  ])
})

test('what undo will not be able to put back is named at once', async () => {
  bench = openToolBench({ files: { 'a.txt': 'one\n' }, journal: true })
  await bench.call('shell_exec', { command: 'truncate -s 70M big.bin' })
  const { text } = await bench.call('shell_exec', { command: 'echo x >> big.bin; echo y >> a.txt' })
  expect(text).toContain('Undo cannot put back, because the content was not kept: big.bin')
})

test('a commit by a command is told in its result as what undo does not take back', async () => {
  bench = openToolBench({ files: { 'a.txt': 'one\n' }, journal: true })
  const commit = 'git -c user.name=a -c user.email=a@b commit -qm'
  await bench.call('shell_exec', { command: `git init -q -b main && git add -A && ${commit} first` })
  const { text, data } = await bench.call('shell_exec', { command: `echo two > a.txt && ${commit} second -a` })
  expect(text).toMatch(/In the repository, which undo does not take back: commit \w{7} on main "second"/)
  expect(data?.['repository']).toMatchObject([expect.stringMatching(/^commit \w{7} on main "second" \(back: /)])
  expect(bench.workspace.journal!.undo()).toMatchObject({
    ok: true,
    paths: ['a.txt'],
    git: [expect.stringContaining('"second"')],
  })
})

test('an empty folder and a changed mode of a folder are named as such', async () => {
  bench = openToolBench({ files: { 'dir/b.txt': 'two\n' }, journal: true })
  const { text } = await bench.call('shell_exec', { command: 'mkdir -p new/empty; chmod 700 dir' })
  expect(text.split('\n').at(-1)).toBe('Files it changed: dir/, new/empty/')
})
