// Runs the built program in a real pseudo-terminal with a headless terminal behind it, and types like a person.
import xterm from '@xterm/headless'
import { spawn } from '@lydell/node-pty'
import type { IPty } from '@lydell/node-pty'
import { CLI } from './cli.ts'
import type { Place } from './cli.ts'

/** Nothing a test waits for takes longer, on a busy machine either. Milliseconds. */
const WAIT_MS = 60_000
const LOOK_MS = 15

export const keys = {
  enter: '\r',
  esc: '\u001B',
  tab: '\t',
  shiftTab: '\u001B[Z',
  up: '\u001B[A',
  down: '\u001B[B',
  pageUp: '\u001B[5~',
  pageDown: '\u001B[6~',
  end: '\u001B[F',
  ctrlA: '\u0001',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlG: '\u0007',
  ctrlL: '\u000C',
  ctrlO: '\u000F',
  ctrlR: '\u0012',
  ctrlU: '\u0015',
  ctrlY: '\u0019',
  ctrlZ: '\u001A',
  altEnter: '\u001B\r',
} as const

export interface PtyScreen {
  /** The terminal behind it, for whoever wants colours. */
  readonly terminal: xterm.Terminal
  /** Everything the terminal holds, scrollback included, without blank ends of rows. */
  text(): string
  /** The same with rows that the terminal wrapped put together again. */
  joined(): string
  /** Rows that are on the screen now. */
  rows(): string[]
  /** The row with the prompt. */
  prompt(): string
  /** What the program wrote so far. */
  bytes(): string
  type(text: string): void
  /** Types a line and Enter. */
  send(line: string): Promise<void>
  /** Types a text as a terminal with bracketed paste gives it. */
  paste(text: string): void
  resize(columns: number, rows: number): void
  /** Waits until the text holds it; throws with the screen when it does not come. */
  waitFor(what: string | RegExp | ((text: string) => boolean)): Promise<void>
  /** The mode that the status row names. */
  mode(): string
  /** Waits until nothing runs and the prompt is there. */
  ready(): Promise<void>
  pid: number
  ended: Promise<number>
  close(): void
}

export interface PtyOptions {
  columns?: number
  rows?: number
  env?: Record<string, string>
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts the program. `close` ends it whatever it does. */
export function startPty(place: Place, args: string[] = [], options: PtyOptions = {}): PtyScreen {
  const { columns = 100, rows = 30, env = {} } = options
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true })
  const pty: IPty = spawn(process.execPath, [CLI, ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: place.folder,
    env: { ...place.env, TERM: 'xterm-256color', ...env },
  })
  let bytes = ''
  let exited = false
  pty.onData((data) => {
    bytes += data
    terminal.write(data)
  })
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      exited = true
      resolve(exitCode)
    })
  })
  const linesFrom = (first: number): string[] => {
    const { active } = terminal.buffer
    return Array.from(
      { length: active.length - first },
      (_, i) => active.getLine(first + i)?.translateToString(true) ?? '',
    )
  }
  const screen: PtyScreen = {
    terminal,
    text: () => linesFrom(0).join('\n'),
    joined: () => {
      const { active } = terminal.buffer
      let out = ''
      for (let i = 0; i < active.length; i++) {
        const line = active.getLine(i)
        out += `${i > 0 && line?.isWrapped !== true ? '\n' : ''}${line?.translateToString(active.getLine(i + 1)?.isWrapped !== true) ?? ''}`
      }
      return out
    },
    rows: () => linesFrom(terminal.buffer.active.baseY),
    prompt: () => screen.rows().findLast((row) => /^(> |>$|reason> |search:)/.test(row)) ?? '',
    bytes: () => bytes,
    type: (text) => pty.write(text),
    send: async (line) => pty.write(`${line}\r`),
    paste: (text) => pty.write(`\u001B[200~${text}\u001B[201~`),
    resize: (columns, rows) => {
      terminal.resize(columns, rows)
      pty.resize(columns, rows)
    },
    waitFor: async (what) => {
      const until = Date.now() + WAIT_MS
      const holds = (text: string): boolean =>
        typeof what === 'string' ? text.includes(what) : what instanceof RegExp ? what.test(text) : what(text)
      for (;;) {
        if (holds(screen.text())) return
        if (Date.now() > until || (exited && !holds(screen.text())))
          throw new Error(
            `${exited ? 'the program ended' : 'it did not come'}: ${String(what)}\n${screen.text().trimEnd()}`,
          )
        await sleep(LOOK_MS)
      }
    },
    mode: () => {
      const status = screen.rows().findLast((row) => row.startsWith('codehound · ')) ?? ''
      return status.split(' · ').find((part) => /^(plan|ask|auto-edit|auto)$/.test(part)) ?? ''
    },
    ready: () => screen.waitFor(() => screen.rows().some((row) => /[·-] (?:ready|error)(?: [·-]|$)/.test(row))),
    pid: pty.pid,
    ended,
    close: () => {
      if (!exited) pty.kill('SIGKILL')
      terminal.dispose()
    },
  }
  return screen
}
