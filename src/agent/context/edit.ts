// What a user decides about a block by hand: pinned, it is never shortened and goes through every summary word for word;
// dropped, a line stands in its place. Pure: what was decided is a marker, as that of a pass over a full window.
import type { Message } from '../../protocol/index.ts'
import { blocksOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import { inForm, leftOut } from './result-form.ts'
import type { ContextView, Marker } from './view.ts'

export type BlockAction = 'pin' | 'unpin' | 'drop'

export type BlockEdit =
  /** `carried`: only its pin keeps it in the prompt, behind a summary. */
  { ok: true; block: Block; marker: Marker; carried: boolean } | { ok: false; message: string }

/** `name`: the handle of a block, with or without its sign, or a part of its title. */
export function editBlock(log: readonly Message[], view: ContextView, action: BlockAction, name: string): BlockEdit {
  const found = findBlock(blocksOf(log, view), name)
  if (!('key' in found)) return found
  const refusal = refusalOf(found, view, action)
  return refusal === undefined
    ? {
        ok: true,
        block: found,
        marker: markerOf(found, view, action),
        carried: found.seq < (view.summary?.beforeSeq ?? 0),
      }
    : { ok: false, message: `${found.title} ${refusal}` }
}

function findBlock(blocks: readonly Block[], name: string): Block | { ok: false; message: string } {
  const handle = name.startsWith('#') ? name : `#${name}`
  const exact = blocks.find((block) => block.handle === handle)
  if (exact) return exact
  const fits = blocks.filter(({ title }) => title.toLowerCase().includes(name.toLowerCase()))
  const [only, ...others] = fits
  if (only && others.length === 0) return only
  const lines = fits.map((block) => `${block.handle} ${block.title}`)
  const message = only
    ? `"${name}" fits ${fits.length} blocks; name one by its number: ${lines.join(', ')}.`
    : `No block "${name}" can be pinned or dropped: results and attachments can, by the number /context shows for them.`
  return { ok: false, message }
}

function refusalOf(block: Block, view: ContextView, action: BlockAction): string | undefined {
  const isPinned = view.pinned.has(block.key)
  if (action === 'pin') return isPinned ? 'is pinned already.' : undefined
  if (action === 'unpin') return isPinned ? undefined : 'is not pinned.'
  const isOut = block.call ? view.results.get(block.key) === 'stub' : view.dropped.has(block.key)
  if (isOut) return 'is left out already.'
  const { call, text, image } = block
  const short = call ? inForm(text, 'stub', call) : leftOut(text)
  return !image && short.length >= text.length ? 'is so short that nothing would be saved.' : undefined
}

function markerOf({ key, call }: Block, view: ContextView, action: BlockAction): Marker {
  if (action === 'unpin') return { results: {}, pins: { [key]: false } }
  const isDrop = action === 'drop'
  const pins = isDrop && !view.pinned.has(key) ? {} : { pins: { [key]: !isDrop } }
  if (call) return { results: { [key]: isDrop ? 'stub' : 'whole' }, ...pins }
  return { results: {}, dropped: { [key]: isDrop }, ...pins }
}

/** What the user is told. Tokens: what the prompt lost, and what of it a server with a prompt cache reads anew. */
export function editWords(
  action: BlockAction,
  { block, carried }: Extract<BlockEdit, { ok: true }>,
  { saved, anew }: { saved: number; anew: number },
): string {
  const name = `${block.handle} ${block.title}`
  const stands = carried
    ? 'The summary stands in its place.'
    : 'A line stands in its place; the model can load it again.'
  const what: Record<BlockAction, string> = {
    pin: `Pinned: ${name}. It is never shortened or summed up.`,
    unpin: `No longer pinned: ${name}.${carried ? ` ${stands}` : ''}`,
    drop: `Dropped: ${name}, about ${saved} tokens. ${stands}`,
  }
  const cost =
    anew > 0
      ? ` The prompt changed there: the server reads about ${anew} tokens anew with the next request.`
      : ' The prompt is the same as before.'
  return what[action] + cost
}
