// Another program has the terminal: the user's editor, or a command of his that needs the screen and the keys.
import { spawn } from 'node:child_process'
import type { Controller } from './controller.ts'

/** Signals that the terminal's keys send to whoever has it, and to us as well because we stand in one process group. */
const KEY_SIGNALS = ['SIGINT', 'SIGQUIT'] as const

export interface Program {
  command: string
  args: readonly string[]
  cwd?: string
  env?: Readonly<Record<string, string>>
}

/** Runs a program with the terminal; its exit code, or null when a signal ended it or it could not be started. */
export async function runWithTerminal(controller: Controller, program: Program): Promise<number | null> {
  let code: number | null = null
  await controller.suspend(() =>
    deaf(async () => {
      code = await exitOf(program)
    }),
  )
  return code
}

/** Ctrl+C is meant for the other program while it runs. */
async function deaf(run: () => Promise<void>): Promise<void> {
  const others = KEY_SIGNALS.map((signal) => ({ signal, heard: process.rawListeners(signal) }))
  const ignore = (): void => {}
  for (const { signal } of others) {
    process.removeAllListeners(signal)
    process.on(signal, ignore)
  }
  try {
    await run()
  } finally {
    for (const { signal, heard } of others) {
      for (const listener of heard) process.on(signal, listener as NodeJS.SignalsListener)
      process.off(signal, ignore)
    }
  }
}

function exitOf({ command, args, cwd, env }: Program): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    })
    child.on('error', () => resolve(null))
    child.on('exit', (code) => resolve(code))
  })
}
