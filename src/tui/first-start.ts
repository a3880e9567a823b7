// A start without a chosen model: what could be used is offered above a normal prompt, which works meanwhile; and the last
// session is offered when there is one.
import type { ModelOffer, SessionChoice } from '../client/workbench.ts'
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
  if (found.some(({ models }) => models.includes(bench.model.name))) {
    controller.note(`Model: ${bench.model.name}, found on this machine. /model shows the others, /use keeps one.`)
    return offerLast(controller, choice)
  }
  controller.note(offerText(found, bench.model.name))
}

function offerText(found: readonly ModelOffer[], fallback: string): string {
  const goOn = 'You can go on without one: /map, /status, /help and !commands work.'
  if (found.length === 0)
    return [
      'No model was found: no server on the usual ports, no key in the environment.',
      'Install Ollama (https://ollama.com) and start codehound again, or name a server in ~/.config/codehound/config.yaml:',
      '  backends: { mine: { type: openai-compatible, url: "http://HOST:PORT/v1" } }',
      '  model: mine/NAME',
      goOn,
    ].join('\n')
  const offers = found.flatMap(({ title, where, models, backend }) => [
    `${title} (${where})${models.length === 0 && !where.startsWith('$') ? ': no model yet' : ':'}`,
    ...models.slice(0, SHOWN_MODELS).map((model) => `  /use ${model}`),
    ...(models.length > SHOWN_MODELS ? [`  … and ${models.length - SHOWN_MODELS} more: /model shows all`] : []),
    ...(where.startsWith('$') ? [`  /use ${backend}/NAME, with the name of one of its models`] : []),
    ...(backend === 'ollama' ? [`  /pull downloads ${fallback}, the default`] : []),
  ])
  return ['No model is chosen yet. Found:', ...offers, goOn].join('\n')
}

/** One line; the session is a key away. */
function offerLast(controller: Controller, choice: SessionChoice): void {
  const current = controller.client?.session
  if (choice.kind !== 'start' || !current || current.messageCount > 0) return
  const last = controller.bench?.sessions({ limit: 5 }).find((each) => each.id !== current.id && each.messageCount > 0)
  if (last && controller.now() - last.updatedAt < RECENT_MS)
    controller.note(`Last session: ${last.title} · /resume goes on with it, /sessions shows all`)
}
