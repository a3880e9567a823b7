// `!command`: run beside the screen, its output shown and shared, or, where it wants a terminal, with ours.
import type { Controller } from './controller.ts'
import { runWithTerminal } from './hand-over.ts'

/** Commands of the user that run, of each screen. */
const running = new WeakMap<Controller, number>()

/** Runs what stands behind the `!`; behind `!!` it has the terminal whatever it is. Esc ends one that has not. */
export async function runOwnCommand(controller: Controller, typed: string): Promise<void> {
  const asked = typed.startsWith('!')
  const command = (asked ? typed.slice(1) : typed).trim()
  if (command === '') return controller.note('!command runs a command of the shell and shares what it prints.')
  const count = (by: number): number => {
    const now = (running.get(controller) ?? 0) + by
    running.set(controller, now)
    return now
  }
  count(1)
  controller.stopTask = () => {}
  if (!controller.running) controller.setActivity('tool')
  controller.drawNow()
  try {
    const program = await controller.bench?.terminalProgram(command, asked)
    if (!program) await controller.submit({ type: 'run-command', command })
    else if (controller.hasTerminal)
      await controller.submit({ type: 'run-command', command, exitCode: await runWithTerminal(controller, program) })
    else controller.note(`${program.name} wants a terminal, and there is none here.`, 'warning')
  } finally {
    controller.flush()
    // Another may still run.
    if (count(-1) === 0) {
      controller.stopTask = undefined
      if (!controller.running) controller.setActivity('ready')
    }
  }
}
