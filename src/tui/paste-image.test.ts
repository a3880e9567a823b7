import { expect, test } from 'vitest'
import { mentionOf, pastedImage } from './paste-image.ts'

test.each([
  ['/tmp/shot.png', '/tmp/shot.png'],
  ["'/tmp/my shot.JPG'", '/tmp/my shot.JPG'],
  ['"/tmp/my shot.webp"\n', '/tmp/my shot.webp'],
  [String.raw`/tmp/my\ shot\(1\).gif `, '/tmp/my shot(1).gif'],
  ['file:///tmp/my%20shot.jpeg', '/tmp/my shot.jpeg'],
  ['~/shot.png', '~/shot.png'],
])('%j is the path of an image', (pasted, path) => {
  expect(pastedImage(pasted)).toBe(path)
})

test.each([
  '/tmp/notes.txt',
  'see /tmp/shot.png',
  'shot.png',
  '/a.png\n/b.png',
  'file:///%zz.png',
  'https://example.org/a.png',
])('%j is none', (pasted) => {
  expect(pastedImage(pasted)).toBeUndefined()
})

test('a mention is short inside of the project, and quoted where its name needs it', () => {
  expect(mentionOf('/work/app/a.png', '/work/app')).toBe('@a.png')
  expect(mentionOf('/work/app2/a.png', '/work/app')).toBe('@/work/app2/a.png')
  expect(mentionOf('/tmp/my shot.png', '/work/app')).toBe('@"/tmp/my shot.png"')
  expect(mentionOf('/tmp/a"b.png', '/work/app')).toBeUndefined()
})
