import { expect, test } from 'vitest'
import { imageFacts } from './image-facts.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const PNG_HEAD = '89504e470d0a1a0a 0000000d 49484452'
const JPEG_FRAME = 'ffc0 0011 08 0050 0078 03 00000000'
const riff = (kind: string, body: string): Buffer =>
  Buffer.concat([Buffer.from('RIFF....WEBP'), Buffer.from(kind), hex(body)])

test.each([
  ['PNG', hex(`${PNG_HEAD} 00000280 000001e0 0806000000`), { mediaType: 'image/png', width: 640, height: 480 }],
  [
    'GIF',
    Buffer.concat([Buffer.from('GIF89a'), hex('0a00 1400 00')]),
    { mediaType: 'image/gif', width: 10, height: 20 },
  ],
  ['JPEG', hex(`ffd8 ffe0 0004 4a46 ffdb 0003 00 ${JPEG_FRAME}`), { mediaType: 'image/jpeg', width: 120, height: 80 }],
  [
    'JPEG with a table before',
    hex(`ffd8 ffc4 0004 0000 ${JPEG_FRAME}`),
    { mediaType: 'image/jpeg', width: 120, height: 80 },
  ],
  [
    'lossy WebP',
    riff('VP8 ', '00000000 000000 9d012a 4001 f000'),
    { mediaType: 'image/webp', width: 320, height: 240 },
  ],
  [
    'lossless WebP',
    riff('VP8L', '00000000 2f 3fc13b00 0000000000'),
    { mediaType: 'image/webp', width: 320, height: 240 },
  ],
  [
    'extended WebP',
    riff('VP8X', '0a000000 00000000 3f0100 ef0000'),
    { mediaType: 'image/webp', width: 320, height: 240 },
  ],
])('%s has its type and size', (_, bytes, facts) => {
  expect(imageFacts(bytes)).toEqual(facts)
})

test.each([
  ['a cut PNG', hex(PNG_HEAD), 'image/png'],
  ['a cut JPEG', hex('ffd8 ffe0 0004 4a46'), 'image/jpeg'],
  ['a JPEG that lies about a length', hex('ffd8 ffe0 ffff 4a46 0000 0000 0000'), 'image/jpeg'],
  ['a cut WebP', riff('VP8 ', '0000'), 'image/webp'],
])('%s is an image of unknown size', (_, bytes, mediaType) => {
  expect(imageFacts(bytes)).toEqual({ mediaType })
})

test.each([
  ['nothing', ''],
  ['text', 'hello'],
  ['a PDF', '%PDF-1.7'],
  ['another RIFF', 'RIFF....WAVEfmt '],
  ['a BMP', 'BM6\0\0\0'],
])('%s is none', (_, text) => {
  expect(imageFacts(Buffer.from(text))).toBeUndefined()
})
