// What every test of the screen needs: a scratch project with a scripted model, and programs in pseudo-terminals that are
// closed when the test ends.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { configure, makePlace } from './cli.ts'
import type { Place } from './cli.ts'
import { startModelServer } from './model-server.ts'
import type { ModelServer, ServerOptions, ServerScript } from './model-server.ts'
import { startPty } from './pty.ts'
import type { PtyOptions, PtyScreen } from './pty.ts'

export interface Screens {
  place: Place
  server: ModelServer
  /** Starts the program and waits until it is ready; the server plays the script, a step per request. */
  open: (script: ServerScript, options?: PtyOptions & ServerOptions & { args?: string[] }) => Promise<PtyScreen>
  /** Starts the program and waits for nothing. */
  start: (args?: string[], options?: PtyOptions) => PtyScreen
  /** A file of the project. */
  file: (path: string) => string
}

/** Registers the hooks of a test file; the parts are there from the first test on. */
export function useScreens(): Screens {
  let started: PtyScreen[] = []
  const screens: Screens = {
    place: undefined!,
    server: undefined!,
    start: (args = [], options = {}) => {
      const screen = startPty(screens.place, args, options)
      started.push(screen)
      return screen
    },
    open: async (script, { args = [], ...more } = {}) => {
      screens.server.play(script, { by: 'requests', ...more })
      const screen = screens.start(args, more)
      await screen.ready()
      return screen
    },
    file: (path) => readFileSync(join(screens.place.folder, path), 'utf8'),
  }
  beforeEach(async () => {
    screens.place = makePlace({
      'src/math.ts': 'export function add(a: number, b: number) {\n  return a - b\n}\n',
      'package.json': '{"name":"demo"}\n',
    })
    screens.server = await startModelServer([])
    configure(screens.place, screens.server.url)
  })
  afterEach(async () => {
    for (const screen of started) screen.close()
    started = []
    await screens.server.close()
    screens.place.remove()
  })
  return screens
}

export const edit = (old_text: string, new_text: string, path = 'src/math.ts') => ({
  name: 'edit_file',
  arguments: { path, old_text, new_text },
})
export const read = (path: string) => ({ name: 'read_file', arguments: { path } })
export const shell = (command: string) => ({ name: 'shell_exec', arguments: { command } })
/** Mends the function of the scratch project. */
export const fix = edit('return a - b', 'return a + b')
