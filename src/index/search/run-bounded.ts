import { createContext, Script } from 'node:vm'

let inContext: { run: () => void; script: Script; context: object } | undefined

/** Runs a function under a time bound that also ends a runaway regular expression; throws when it is over. */
export function runBounded(run: () => void, timeoutMs: number): void {
  // Made once: a context takes milliseconds, and a search runs in many slices.
  if (!inContext) {
    const box = { run, script: new Script('call()'), context: createContext({ call: () => box.run() }) }
    inContext = box
  }
  inContext.run = run
  inContext.script.runInContext(inContext.context, { timeout: timeoutMs })
}
