import { expect, test } from 'vitest'
import { editText } from './edit-text.ts'
import { isPlaceholder } from './placeholder.ts'

const placeholders = [
  '// ... existing code ...',
  '// rest of the code unchanged',
  '// ... rest of the file remains the same',
  '# ... rest of the function ...',
  '# rest of the code remains unchanged',
  '/* ... existing styles ... */',
  '<!-- rest of the markup unchanged -->',
  '{/* ... existing props ... */}',
  '-- remaining columns ... unchanged',
  '// ...',
  '/* ... */',
  '// … other methods …',
  '... (rest of the code unchanged) ...',
  '[... existing code ...]',
  '// existing imports',
  '// the rest of your code here',
  '# Keep the rest of the file the same',
  '// Other methods remain unchanged',
  '// same as before',
  '# no changes below',
  '// (remaining implementation unchanged)',
  '// unchanged',
  '// the rest is unchanged',
  '// previous code here',
]

const meant = [
  '...rest',
  '...existing,',
  '  return { ...previous, name }',
  'function f(...other) {',
  '    ...',
  'x: ...',
  '// Keep the rest of the arguments for the command',
  '// the existing file is closed first',
  '# The remaining budget is shared by the others',
  '// This code is unchanged by the optimiser since version 2',
  '// other',
  '// See https://example.com/... for details',
  'print("...")',
  '// Loading…',
  'case "rest of the code unchanged":',
  '/* eslint-disable */',
  '// TODO: handle the same file twice',
  '# type: ignore',
  'const existing = "// ..."',
]

test('Stand-ins for code are told from comments, spreads and ellipses', () => {
  expect(placeholders.filter((line) => !isPlaceholder(line, false))).toEqual([])
  expect(meant.filter((line) => isPlaceholder(line, false))).toEqual([])
})

test('A placeholder is refused only when the old text does not have it', () => {
  const file = 'a\n// ...\nb\n'
  expect(editText(file, [{ oldText: 'a\n// ...', newText: 'x\n// ...' }])).toMatchObject({ text: 'x\n// ...\nb\n' })
  expect(editText(file, [{ oldText: 'a', newText: 'x\n// ... existing code ...' }])).toEqual({
    ok: false,
    code: 'PLACEHOLDER',
    edit: 1,
    message:
      'new_text stands in for code with "// ... existing code ..." (line 2). Write out the code, or leave these lines out of old_text and new_text.',
  })
  expect(editText(file, [{ oldText: '// ...', newText: '// ...\n// ...' }])).toMatchObject({ code: 'PLACEHOLDER' })
})

test('In prose an ellipsis in a comment may be an example', () => {
  const edit = { oldText: 'a', newText: '```ts\nf() {\n  // ...\n}\n```' }
  expect(editText('a\n', [edit], { path: 'README.md' })).toMatchObject({ ok: true })
  expect(editText('a\n', [edit], { path: 'a.ts' })).toMatchObject({ code: 'PLACEHOLDER' })
})
