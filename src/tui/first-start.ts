// A start without a chosen model: what could be used is offered above a normal prompt, which works meanwhile; and the last
// session is offered when there is one.
import type { SessionChoice } from '../client/workbench.ts'
import type { Controller } from './controller.ts'

/** Models named of one server. */
const SHOWN_MODELS = 5
/** A session older than this is not offered. Milliseconds: a week. */
const RECENT_MS = 7 * 24 * 60 * 60 * 1000

/** Puts the offers of a start on the screen. */
export async function firstStart(controller: Controller, choice: SessionChoice): Promise<void> {
  const { bench } = controller
  if (!bench) return
  if (bench.model.configured) return offerLast(controller, choice)
  const found = await bench.discover()
  const lines: string[] = []
  let pullable = false
  for (const { title, where, models } of found) {
    lines.push(`${title} (${where})${models.length === 0 ? '' : ':'}`)
    for (const model of models.slice(0, SHOWN_MODELS)) lines.push(`  /use ${model}`)
    if (models.length > SHOWN_MODELS) lines.push(`  … ${models.length - SHOWN_MODELS} more`)
    if (where.startsWith('$')) lines.push(`  /use NAME/MODEL after codehound config, or see docs/models.md`)
    pullable ||= title === 'Ollama'
  }
  const [head, tail] =
    found.length === 0
      ? [
          'No model was found: no server on the usual ports, no key in the environment.',
          'Install Ollama (https://ollama.com) and start codehound again, or name a server in ~/.config/codehound/config.yaml.',
        ]
      : ['No model is chosen yet. Found:', '']
  const pull = pullable ? `/pull downloads ${bench.model.name} (the default).` : ''
  const text = [head, ...lines, pull, tail, 'You can go on without one: /map, /status, /help and !commands work.']
  controller.note(text.filter((line) => line !== '').join('\n'))
}

/** One line; the session is a key away. */
function offerLast(controller: Controller, choice: SessionChoice): void {
  const current = controller.client?.session
  if (choice.kind !== 'start' || !current || current.messageCount > 0) return
  const last = controller.bench?.sessions({ limit: 5 }).find((each) => each.id !== current.id && each.messageCount > 0)
  if (last && controller.now() - last.updatedAt < RECENT_MS)
    controller.note(`Last session: ${last.title} · /sessions goes on with it`)
}
