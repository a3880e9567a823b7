// The life of the screen: first paint, then the application, then the session; and the way out.
import { Controller } from './controller.ts'
import { firstStart } from './first-start.ts'
import { Input } from './input.ts'
import { takeIndexNews } from './large-index.ts'
import { runLine } from './prompt-keys.ts'
import { Screen } from './screen.ts'
import type { StartOptions } from './start.ts'
import { ringWhenAway } from './bell.ts'
import { youngSpaceBound } from './young-space.ts'

/** Runs until the user leaves. */
export async function runScreen(options: StartOptions, project: string): Promise<number> {
  const { stdin, stdout } = options
  const controller = new Controller({
    columns: stdout.columns,
    rows: stdout.rows,
    env: process.env,
    project,
    now: Date.now,
  })
  const left = Promise.withResolvers<number>()
  controller.leave = left.resolve
  const input = new Input(controller)
  const screen = new Screen(
    controller,
    { key: (key) => input.key(key), paste: (text) => input.paste(text) },
    { stdin, stdout, env: process.env },
  )
  screen.start()
  ringWhenAway(controller, stdout)
  controller.onFrame = youngSpaceBound()
  const onSignal = (signal: NodeJS.Signals): void => left.resolve(signal === 'SIGHUP' ? 129 : 143)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onSignal)
  // The prompt is on the screen before the rest is read.
  setImmediate(() => {
    open(controller, options)
      .catch((thrown: unknown) => controller.notOpened(thrown))
      .then(() => runEarly(controller, options.request))
      .catch((thrown: unknown) => controller.showError(thrown))
  })
  const code = await left.promise
  if (controller.running || controller.stopTask) await controller.submit({ type: 'interrupt-run' })
  controller.stopTask?.()
  await controller.client?.waitForRun()
  controller.setUi({ picker: undefined, large: undefined, menu: undefined, hint: '' })
  controller.drawNow()
  controller.end()
  await screen.end()
  process.off('SIGTERM', onSignal)
  process.off('SIGHUP', onSignal)
  const { client, bench } = controller
  const used = client?.messages().some((message) => message.sender === 'USER') === true
  await bench?.close()
  if (used) stdout.write(`The session is kept: codehound --resume ${client.session.id}\n`)
  return code
}

async function open(controller: Controller, options: StartOptions): Promise<void> {
  const bench = await options.openWorkbench()
  controller.useBench(bench)
  const client = await bench.open(options.choice)
  if (client.messages().length > 0) controller.showHistory(client.messages())
  await controller.useClient(client)
  bench.watchIndex((news) => takeIndexNews(controller, news))
  void firstStart(controller, options.choice).catch((thrown: unknown) => controller.showError(thrown))
}

/** The request that was given at the start, then lines typed while the program was opened, in their order. */
async function runEarly(controller: Controller, request: string | undefined): Promise<void> {
  if (request !== undefined) await runLine(controller, request)
  for (const text of controller.takeEarly()) await runLine(controller, text)
}
