import type { ProtectedChange } from '../protected/put-back.ts'
import type { WatchdogOptions } from './watchdog.ts'

/** Where a command runs: in the sandbox, in it with the network, or outside because the user said so. */
export type CommandPlace = 'inside' | 'network' | 'outside'

/** What holds a command; each part may be missing. */
export interface Confinement {
  /** Turns the argv into the one to start: the sandbox. */
  wrap?: (argv: readonly string[], run: { cwd: string }) => readonly string[]
  /** Compares the protected set behind it. */
  guard?: { begin(): { end(): ProtectedChange[] } }
  /** What it may take of the machine. */
  watchdog?: WatchdogOptions
}
