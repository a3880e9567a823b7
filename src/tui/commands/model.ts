// Commands about models: which one answers, and getting one.
import type { SlashCommand } from '../commands.ts'
import type { Controller } from '../controller.ts'

/** A name has no blanks; what stands after it, on a second line too, is no part of it. */
const nameOf = (args: string): string => args.split(/\s/)[0] ?? ''

/** Switches to a model, or shows those there are. */
async function model(controller: Controller, args: string): Promise<void> {
  const { bench } = controller
  if (!bench) return controller.note('The project is still being opened.')
  if (args !== '') return controller.submit({ type: 'set-model', model: nameOf(args) })
  controller.note('Asking the servers for their models …')
  const { names, faults } = await bench.models()
  for (const fault of faults) controller.note(fault, 'warning')
  if (names.length === 0)
    return controller.note(
      'No configured server offers a model.',
      'warning',
      'Start one and try again; backends in ~/.config/codehound/config.yaml name others.',
    )
  controller.setUi({
    picker: {
      title: 'Model',
      items: names.map((text) => ({ text, note: text === controller.view.model ? 'in use' : '' })),
      at: Math.max(0, names.indexOf(controller.view.model)),
      choose: (at) => void controller.submit({ type: 'set-model', model: names[at]! }).then(() => controller.drawNow()),
    },
  })
  controller.drawNow()
}

/** Downloads a model with a bar, then uses it. */
export async function pull(controller: Controller, args: string): Promise<void> {
  const { bench } = controller
  if (!bench) return
  const wanted = args === '' ? bench.model.name : nameOf(args)
  const abort = new AbortController()
  controller.stopTask = () => abort.abort()
  controller.note(`Downloading ${wanted}; Esc stops it, what was downloaded is kept.`)
  try {
    await bench.pull(
      wanted,
      ({ status, completed, total }) => controller.showProgress({ label: status, done: completed, total, bytes: true }),
      abort.signal,
    )
  } finally {
    controller.stopTask = undefined
    controller.showProgress(undefined)
  }
  controller.note(`${wanted} is here.`)
  await controller.submit({ type: 'set-model', model: wanted })
}

/** Makes a found model the user's own. */
export async function choose(controller: Controller, name: string): Promise<void> {
  const file = await controller.bench?.choose(name)
  await controller.submit({ type: 'set-model', model: name })
  controller.note(`Kept for the next start in ${file}.`)
}

export const modelCommands: readonly SlashCommand[] = [
  { name: 'model', args: '[backend/model]', help: 'which model answers', run: model },
  {
    name: 'use',
    args: 'backend/model',
    help: 'use a model that was found, and write it into the configuration',
    run: (controller, args) =>
      args === '' ? controller.note('/use takes backend/model.', 'warning') : choose(controller, nameOf(args)),
  },
  { name: 'pull', args: '[backend/model]', help: 'download a model, then use it', run: pull },
]
