import { expect, test } from 'vitest'
import { tinyPng } from '../../../test/support/images.ts'
import { MAX_IMAGE_BYTES, takeImage } from './load-image.ts'

test('an image is what its bytes say, under their hash', () => {
  expect(takeImage('shot.gif', tinyPng(640, 480))).toEqual({
    ok: true,
    facts: {
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      mediaType: 'image/png',
      bytes: tinyPng(640, 480).length,
      width: 640,
      height: 480,
    },
    summary: 'PNG image, 640 × 480, 1 kB',
  })
})

test.each([
  ['a page', Buffer.from('<html>'), 'shot.png is no PNG, JPEG, GIF or WebP image, so it is not sent.'],
  ['an empty file', Buffer.alloc(0), 'shot.png is no PNG'],
  [
    'too many bytes',
    Buffer.concat([tinyPng(10, 10), Buffer.alloc(MAX_IMAGE_BYTES)]),
    'shot.png has 3.75 MB; images up to 3.75 MB are sent. Make it smaller.',
  ],
  ['too many pixels', tinyPng(9000, 20), 'shot.png has 9000 × 20 pixels; images up to 8000 pixels a side are sent.'],
])('%s is refused with why', (_, bytes, why) => {
  expect(takeImage('shot.png', bytes)).toEqual({ ok: false, message: expect.stringContaining(why) })
})
