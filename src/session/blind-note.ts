import type { Message } from '../protocol/index.ts'
import type { OpenModel } from './parts.ts'

/** What the user is told when the model cannot see images he attached; undefined when it can, or there are none. */
export function blindNote(
  attachments: Message['attachments'],
  model: Pick<OpenModel, 'name' | 'images'>,
): string | undefined {
  const refs = (attachments ?? []).flatMap(({ ref, image }) => (image ? [ref] : []))
  if (model.images || refs.length === 0) return undefined
  return `${model.name} takes no images; it is told that there is ${refs.join(', ')}, and does not see it. Choose a model that sees with /model, or set vision: true for its backend.`
}
