import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { diffFile } from '../diff/file-diff.ts'
import { unifiedText } from '../diff/unified.ts'
import { applyChunks } from './apply-patch.ts'
import { type FilePatch, parsePatch } from './parse-patch.ts'
import fc from '../../../test/support/property.ts'

function patched(text: string, patch: string): string {
  const parsed = parsePatch(patch)
  if (!parsed.ok) return `syntax: ${parsed.message}`
  const [file] = parsed.files
  if (file?.kind !== 'update') return 'no update'
  const done = applyChunks(text, file.chunks)
  return done.ok ? done.text : done.code
}

const update = (body: string): string => `*** Begin Patch\n*** Update File: a.py\n${body}\n*** End Patch`

test('An envelope adds, deletes, moves and updates files', () => {
  const patch = `*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Delete File: old.txt
*** Update File: from.py
*** Move to: to.py
@@ class A:
@@   def f(self):
-    pass
+    return 1
*** End of File
*** End Patch`
  const files: FilePatch[] = [
    { kind: 'add', path: 'new.txt', text: 'one\n\ntwo\n' },
    { kind: 'delete', path: 'old.txt' },
    {
      kind: 'update',
      path: 'from.py',
      moveTo: 'to.py',
      chunks: [
        {
          headers: ['class A:', '  def f(self):'],
          lines: [
            { kind: 'remove', text: '    pass' },
            { kind: 'add', text: '    return 1' },
          ],
          endOfFile: true,
        },
      ],
    },
  ]
  expect(parsePatch(patch)).toEqual({ ok: true, files })
  expect(parsePatch(`\`\`\`diff\n${patch}\n\`\`\``)).toEqual({ ok: true, files })
  expect(parsePatch(`apply_patch <<'EOF'\n${patch}\nEOF`)).toEqual({ ok: true, files })
  expect(parsePatch(patch.replaceAll('\n', '\r\n'))).toEqual({ ok: true, files })
})

test('A unified diff of git is read with renames, new and deleted files', () => {
  const patch = `diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/fresh b/fresh
new file mode 100644
--- /dev/null
+++ b/fresh
@@ -0,0 +1,2 @@
+-- not a header
+b
\\ No newline at end of file
--- a/changed.c\t2024-01-01
+++ b/changed.c\t2024-01-02
@@ -10,3 +10,2 @@ int main()
 a
--- decrement
 b
`
  expect(parsePatch(patch)).toMatchObject({
    ok: true,
    files: [
      { kind: 'update', path: 'old name.txt', moveTo: 'new name.txt', chunks: [] },
      { kind: 'delete', path: 'gone' },
      { kind: 'add', path: 'fresh', text: '-- not a header\nb' },
      { kind: 'update', path: 'changed.c', chunks: [{ hint: 10, headers: [], lines: { length: 3 } }] },
    ],
  })
})

test('What is no patch is refused with the line at fault', () => {
  expect(parsePatch('')).toMatchObject({ ok: false, line: 1 })
  expect(parsePatch('*** Begin Patch\nfoo\n*** End Patch')).toMatchObject({ ok: false, line: 2 })
  expect(parsePatch(update('@@\nno sign'))).toMatchObject({ ok: false, line: 4 })
  expect(parsePatch('*** Begin Patch\n*** Add File: a\nno plus\n*** End Patch')).toMatchObject({ ok: false, line: 3 })
  expect(parsePatch('@@ -1 +1 @@\n-a\n+b')).toMatchObject({ ok: false, line: 1 })
})

test('A hunk goes to its one place, by header or stated line where there are several, else it is refused', () => {
  const twice = 'class A:\n  def f():\n    pass\n\nclass B:\n  def f():\n    pass\n'
  const change = '-    pass\n+    return 1'
  expect(patched('a\nb\nc\n', update(' a\n-b\n+B\n c'))).toBe('a\nB\nc\n')
  expect(patched(twice, update(`@@\n   def f():\n${change}`))).toBe('AMBIGUOUS_MATCH')
  expect(patched(twice, update(`@@ class B:\n   def f():\n${change}`))).toBe(twice.replace(/pass\n$/, 'return 1\n'))
  expect(patched(twice, update(`@@ class A:\n   def f():\n${change}`))).toBe(twice.replace('pass', 'return 1'))
  expect(patched(twice, update(`@@ class C:\n   def f():\n${change}`))).toBe('NO_MATCH')
  expect(patched(twice, `--- a/x\n+++ b/x\n@@ -6,2 +6,2 @@\n   def f():\n${change}\n`)).toBe(
    twice.replace(/pass\n$/, 'return 1\n'),
  )
  expect(patched(twice, `--- a/x\n+++ b/x\n@@ -40,2 +40,2 @@\n   def f():\n${change}\n`)).toBe('AMBIGUOUS_MATCH')
  expect(patched(twice, update(`@@\n${change}\n*** End of File`))).toBe(twice.replace(/pass\n$/, 'return 1\n'))
})

test('Hunk lines are whole lines, on every rung', () => {
  expect(patched('barfoo\nx\n', update('-foo\n+y'))).toBe('NO_MATCH')
  expect(patched('foobar\nfoo\n', update('-foo\n+y'))).toBe('foobar\ny\n')
  expect(patched('  a \r\n  b\r\n', update(' a\n-b\n+c'))).toBe('  a \r\n  c\r\n')
  expect(patched('say(“hi”)\n', update('-say("hi")\n+say("ho")'))).toBe('say(“ho”)\n')
})

test('Added lines alone go below their header or to the end', () => {
  expect(patched('a\nb\n', update('@@ a\n+x'))).toBe('a\nx\nb\n')
  expect(patched('a\nb\n', update('@@\n+x'))).toBe('a\nb\nx\n')
  expect(patched('a\r\nb', update('@@\n+x'))).toBe('a\r\nb\r\nx')
  expect(patched('', update('@@\n+x'))).toBe('x\n')
})

test('A placeholder in a patch is refused', () => {
  expect(patched('a\nb\n', update(' a\n-b\n+// ... rest of the code'))).toBe('PLACEHOLDER')
})

const text = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', '-- x', '++ y', ''), fc.constantFrom('', '1', '2', '3')), {
    maxLength: 25,
  })
  .chain((lines) => fc.constantFrom('', 'end').map((end) => lines.map((line) => `${line.join('')}\n`).join('') + end))

test('Our own unified diff, read back, makes the new text of the old one', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== '' && after !== '')
      expect(patched(before, unifiedText(diffFile('f', before, after)))).toBe(after)
    }),
    { numRuns: 1000 },
  )
})

test("git's unified diff, read back, makes the new text of the old one", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== '' && after !== '')
      const script = 'd=$(mktemp -d); printf %s "$0" > $d/a; printf %s "$1" > $d/b; diff -U1 $d/a $d/b; rm -r $d; true'
      const patch = execFileSync('sh', ['-c', script, before, after], { encoding: 'utf8' })
      expect(patched(before, patch)).toBe(after)
    }),
    { numRuns: 60 },
  )
})
