// Takes an image in: what its bytes say it is decides, and what no server would take is refused here, with why.
import { createHash } from 'node:crypto'
import { imageFacts } from '../../lib/image-facts.ts'
import type { AttachedImage } from '../../protocol/index.ts'

/** Claude takes 5 MB of base64 an image, the least of the known servers (https://docs.anthropic.com/en/docs/build-with-claude/vision). Bytes. */
export const MAX_IMAGE_BYTES = 3_750_000
/** From the same page. Pixels. */
const MAX_IMAGE_SIDE = 8000

/** A path that names an image, whatever is in the file. */
export const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i

export type TakenImage = { ok: true; facts: AttachedImage; summary: string } | { ok: false; message: string }

/** What becomes of the bytes of a file that was attached as an image. `name` is what the user calls it. */
export function takeImage(name: string, bytes: Uint8Array): TakenImage {
  const found = imageFacts(bytes)
  if (!found) return { ok: false, message: `${name} is no PNG, JPEG, GIF or WebP image, so it is not sent.` }
  if (bytes.length > MAX_IMAGE_BYTES)
    return {
      ok: false,
      message: `${name} has ${megabytes(bytes.length)}; images up to ${megabytes(MAX_IMAGE_BYTES)} are sent. Make it smaller.`,
    }
  const { width = 0, height = 0 } = found
  if (Math.max(width, height) > MAX_IMAGE_SIDE)
    return {
      ok: false,
      message: `${name} has ${width} × ${height} pixels; images up to ${MAX_IMAGE_SIDE} pixels a side are sent. Make it smaller.`,
    }
  const hash = createHash('sha256').update(bytes).digest('hex')
  const size = width > 0 ? `${width} × ${height}, ` : ''
  const kind = found.mediaType.slice('image/'.length).toUpperCase()
  return {
    ok: true,
    facts: { hash, bytes: bytes.length, ...found },
    summary: `${kind} image, ${size}${Math.ceil(bytes.length / 1000)} kB`,
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`
