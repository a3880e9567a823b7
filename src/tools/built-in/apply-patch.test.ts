import { afterEach, expect, test } from 'vitest'
import { allow, openToolBench, type ToolBench } from '../../../test/support/tool-bench.ts'

let bench: ToolBench
afterEach(() => bench.close())

const patch = `*** Begin Patch
*** Add File: new.ts
+export const a = 1
*** Update File: old.ts
*** Move to: moved.ts
@@
-two
+zwei
*** Delete File: gone.ts
*** End Patch`
const files = { 'old.ts': 'one\ntwo\n', 'gone.ts': 'x\n' }

test('a patch of several files is shown file by file and made as a whole', async () => {
  const shown: (string | undefined)[] = []
  bench = openToolBench({
    files,
    judge: () => ({ ...allow, verdict: 'ask' }),
    approve: (actions) => {
      shown.push(...actions.map(({ diff }) => diff && `${diff.change} ${diff.path}`))
      return Promise.resolve({ answer: 'yes' })
    },
  })
  const result = await bench.call('apply_patch', { input: patch })
  expect(result.status).toBe('success')
  expect(shown).toEqual(['created new.ts', 'created moved.ts', 'deleted old.ts', 'deleted gone.ts'])
  expect([bench.read('new.ts'), bench.read('moved.ts')]).toEqual(['export const a = 1\n', 'one\nzwei\n'])
  expect(await bench.workspace.list('.')).toMatchObject({ entries: [{ path: 'moved.ts' }, { path: 'new.ts' }] })
})

test('a unified diff works as well, and one hunk that does not fit stops all of it', async () => {
  bench = openToolBench({ files })
  const good = '--- a/old.ts\n+++ b/old.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n'
  expect((await bench.call('apply_patch', { patch: good })).status).toBe('success')
  expect(bench.read('old.ts')).toBe('one\n2\n')
  const bad = await bench.call('apply_patch', { patch })
  expect(bad).toMatchObject({
    status: 'failed',
    code: 'NO_MATCH',
    text: expect.stringContaining('Nothing was changed'),
  })
  expect(await bench.call('read_file', { path: 'new.ts' })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await bench.call('apply_patch', { patch: 'hello' })).toMatchObject({ code: 'FORMAT_ERROR' })
})

test('a person who leaves out a part of a patch of several files stops it whole', async () => {
  bench = openToolBench({
    files,
    judge: () => ({ ...allow, verdict: 'ask' }),
    approve: () => Promise.resolve({ answer: 'yes', droppedHunks: [0] }),
  })
  expect(await bench.call('apply_patch', { patch })).toMatchObject({ code: 'USER_REJECTED' })
  expect(bench.read('old.ts')).toBe('one\ntwo\n')
})
