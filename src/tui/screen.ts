// The screen on Ink: finished rows once into the scrollback, the live part redrawn by line, the cursor where the text is.
// All layout is made by the controller; Ink measures nothing but rows that fit.
import { Box, render, Static, Text, useApp, useCursor, useInput, usePaste } from 'ink'
import { createElement as h, useReducer } from 'react'
import type { Controller } from './controller.ts'
import { pressed } from './keys.ts'
import type { Pressed } from './keys.ts'

/** Ink's own limit; the controller's is lower for what streams, and a key must not wait. */
const MAX_FPS = 125

export interface ScreenHandlers {
  key: (key: Pressed) => void
  paste: (text: string) => void
}

/** Chunks of rows as Static takes them: it prints each index once, so what was printed is let go. */
class Scrollback {
  private chunks: string[] = []
  take(rows: string[]): string[] {
    if (rows.length > 0) this.chunks = [...this.chunks.fill(''), rows.map((row) => (row === '' ? ' ' : row)).join('\n')]
    return this.chunks
  }
}

/** Draws until `end` is called. */
export function openScreen(
  controller: Controller,
  { key, paste }: ScreenHandlers,
  { stdin, stdout }: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream },
): { end: () => Promise<void> } {
  const scrollback = new Scrollback()
  function Screen() {
    const [, frame] = useReducer((count: number) => count + 1, 0)
    const { suspendTerminal } = useApp()
    const { setCursorPosition } = useCursor()
    controller.draw = frame
    controller.suspend = suspendTerminal
    useInput((input, inkKey) => {
      const name = pressed(input, inkKey)
      if (name) key(name)
    })
    usePaste(paste)
    const chunks = scrollback.take(controller.takePrinted())
    const { rows, cursor } = controller.live()
    setCursorPosition(cursor)
    return h(
      Box,
      { flexDirection: 'column' },
      h(Static<string>, { items: chunks, children: (chunk, i) => h(Text, { key: i, wrap: 'truncate' }, chunk) }),
      h(Text, { wrap: 'truncate' }, rows.map((row) => (row === '' ? ' ' : row)).join('\n')),
    )
  }
  const resized = (): void => {
    controller.resize(stdout.columns, stdout.rows)
    controller.drawNow()
  }
  // Before Ink's own listener, which draws at once.
  stdout.prependListener('resize', resized)
  const ink = render(h(Screen), {
    stdin,
    stdout,
    incrementalRendering: true,
    maxFps: MAX_FPS,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    kittyKeyboard: { mode: 'auto' },
  })
  return {
    end: async () => {
      stdout.off('resize', resized)
      ink.unmount()
      await ink.waitUntilExit()
    },
  }
}
