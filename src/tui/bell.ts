// A sign for a user who looks elsewhere.
import type { Controller } from './controller.ts'

const BELL = '\u0007'

/** Runs shorter than this end while the user is still looking. Milliseconds. */
const LONG_RUN_MS = 10_000

/**
 * Rings, and sends a desktop notification where the terminal has them, when a run ends or waits for an answer and the terminal
 * is not in front, or when it does not tell and the run was long.
 */
export function ringWhenAway(controller: Controller, stdout: NodeJS.WriteStream): void {
  const ring = (what: string): void => {
    if (controller.settings.display.bellOnComplete) stdout.write(`${BELL}\u001B]9;codehound: ${what}\u001B\\`)
  }
  controller.onRunEnd = (elapsedMs) => {
    if (controller.inFront === false || (controller.inFront === undefined && elapsedMs >= LONG_RUN_MS)) ring('ready')
  }
  controller.onWaiting = () => {
    if (controller.inFront === false) ring('waiting for you')
  }
}
