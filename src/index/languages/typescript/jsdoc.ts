// Names in doc comments: `{@link Name}` and the types of `@param {Name}` are uses of the file's own and imported names, as
// editors count them. Names the file does not know are passed over.
import type { FactsWriter } from '../../facts-writer.ts'
import { USE_FLAG } from '../../kinds.ts'
import type { Comment } from './comments.ts'

const LINK = /\{@link(?:code|plain)?\s+([A-Za-z_$][\w$]*)/g
const TYPE =
  /@(?:param|arg|argument|returns?|type|throws|exception|property|prop|typedef|satisfies|extends|augments|implements|this|enum)\s+\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g
const NAME = /(?<![.\w$'"])[A-Za-z_$][\w$]*/g

/** Whether a file may have such names at all. */
export function mayHaveDocNames(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.includes('{@link') || (buffer.includes('/**') && buffer.includes(' {'))
}

/** Writes the uses; to be called when all top-level names are bound. */
export function readDocNames(comments: readonly Comment[], text: string, out: FactsWriter): void {
  for (const { start, end, isBlock } of comments) {
    if (!isBlock) continue
    const slice = text.slice(start, end)
    if (!slice.startsWith('/**') || !slice.includes('{')) continue
    for (const match of slice.matchAll(LINK))
      use(match[1]!, start + match.index + match[0].length - match[1]!.length, out)
    for (const match of slice.matchAll(TYPE)) {
      const typeStart = start + match.index + match[0].length - match[1]!.length - 1
      for (const name of match[1]!.matchAll(NAME)) use(name[0], typeStart + name.index, out)
    }
  }
}

function use(name: string, position: number, out: FactsWriter): void {
  const binding = out.knownBinding(out.name(name))
  if (binding >= 0) out.ref(binding, position, USE_FLAG.type)
}
