// What the first bytes of an image say: its type, never its name, and its size where the header has it.

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

export interface ImageFacts {
  mediaType: ImageType
  /** Pixels; undefined when the header is cut or of a kind that is not read. */
  width?: number
  height?: number
}

/** Reads PNG, JPEG, GIF and WebP; undefined for anything else. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = typeOf(view)
  if (found === undefined) return undefined
  const size = readers[found](view)
  return size && size[0] > 0 && size[1] > 0
    ? { mediaType: found, width: size[0], height: size[1] }
    : { mediaType: found }
}

function typeOf(view: Buffer): ImageType | undefined {
  if (view.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (view.toString('latin1', 0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (/^GIF8[79]a/.test(view.toString('latin1', 0, 6))) return 'image/gif'
  if (/^RIFF[^]{4}WEBP/.test(view.toString('latin1', 0, 12))) return 'image/webp'
  return undefined
}

type Size = [width: number, height: number] | undefined

const readers: Record<ImageType, (view: Buffer) => Size> = {
  // https://www.w3.org/TR/png/#11IHDR
  'image/png': (view) => (view.length < 24 ? undefined : [view.readUInt32BE(16), view.readUInt32BE(20)]),
  // https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18
  'image/gif': (view) => (view.length < 10 ? undefined : [view.readUInt16LE(6), view.readUInt16LE(8)]),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
}

/** The frame header (ITU T.81, B.2.2) comes after segments of any number and length. */
function jpegSize(view: Buffer): Size {
  let at = 2
  while (at + 9 <= view.length && view[at] === 0xff) {
    const marker = view[at + 1]!
    // C4, C8 and CC are tables among the frame headers.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return [view.readUInt16BE(at + 7), view.readUInt16BE(at + 5)]
    // Fill bytes before a marker have no length.
    at += marker === 0xff ? 1 : 2 + view.readUInt16BE(at + 2)
  }
  return undefined
}

/** Lossy, lossless and extended files have it in different places (RFC 9649). */
function webpSize(view: Buffer): Size {
  if (view.length < 30) return undefined
  const kind = view.toString('latin1', 12, 16)
  if (kind === 'VP8 ') return [view.readUInt16LE(26) & 0x3fff, view.readUInt16LE(28) & 0x3fff]
  if (kind === 'VP8X') return [view.readUIntLE(24, 3) + 1, view.readUIntLE(27, 3) + 1]
  if (kind !== 'VP8L') return undefined
  const bits = view.readUInt32LE(21)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}
