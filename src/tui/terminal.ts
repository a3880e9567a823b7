// What the terminal is asked for beside rows: whether the user looks, and a sign when he does not.
import type { Controller } from './controller.ts'

const FOCUS_REPORTS_ON = '\u001B[?1004h'
const FOCUS_REPORTS_OFF = '\u001B[?1004l'
const FOCUS_IN = '\u001B[I'
const FOCUS_OUT = '\u001B[O'
const BELL = '\u0007'

/** Runs shorter than this end while the user is still looking. Milliseconds. */
const LONG_RUN_MS = 10_000

/**
 * Rings, and sends a desktop notification where the terminal has them, when a run ends or waits for an answer and the terminal
 * is not in front, or when it does not tell and the run was long. Returns the function that takes it back.
 */
export function ringWhenAway(
  controller: Controller,
  { stdin, stdout }: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream },
): () => void {
  const ring = (what: string): void => {
    if (controller.settings.display.bellOnComplete) stdout.write(`${BELL}\u001B]9;codehound: ${what}\u001B\\`)
  }
  controller.onRunEnd = (elapsedMs) => {
    if (controller.inFront === false || (controller.inFront === undefined && elapsedMs >= LONG_RUN_MS)) ring('ready')
  }
  controller.onWaiting = () => {
    if (controller.inFront === false) ring('waiting for you')
  }
  const unwatch = watchFocus(stdin, (inFront) => (controller.inFront = inFront))
  stdout.write(FOCUS_REPORTS_ON)
  return () => {
    stdout.write(FOCUS_REPORTS_OFF)
    unwatch()
  }
}

/** Ink drops these reports, so they are seen as they are read. Returns the function that ends it. */
function watchFocus(stdin: NodeJS.ReadStream, tell: (inFront: boolean) => void): () => void {
  const read = stdin.read.bind(stdin)
  stdin.read = (size?: number) => {
    const chunk: unknown = read(size)
    const text = typeof chunk === 'string' ? chunk : Buffer.isBuffer(chunk) ? chunk.toString('latin1') : ''
    const [came, went] = [text.lastIndexOf(FOCUS_IN), text.lastIndexOf(FOCUS_OUT)]
    if (came !== went) tell(came > went)
    return chunk
  }
  return () => {
    Reflect.deleteProperty(stdin, 'read')
  }
}
