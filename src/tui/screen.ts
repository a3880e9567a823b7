// The screen and the keyboard of one terminal. It promises that a frame is one write, that a key is drawn at once, and that the
// terminal is as it was found however the program ends. What is drawn is made by the controller, the bytes by ScreenWriter.
import type { Controller } from './controller.ts'
import type { Pressed } from './keys.ts'
import { ScreenWriter } from './screen-writer.ts'
import { TerminalInput } from './terminal-input.ts'
import type { TerminalEvent } from './terminal-input.ts'

const ESC = '\u001B'
/** Focus reports and marked pastes. */
const MODES_ON = `${ESC}[?1004h${ESC}[?2004h`
const MODES_OFF = `${ESC}[?1004l${ESC}[?2004l`
/** Asks whether kitty's keyboard protocol is spoken; who does not know the question says nothing. */
const KITTY_QUERY = `${ESC}[?u`
/** Keys that were told apart by nothing are told apart from then on. */
const KITTY_ON = `${ESC}[>1u`
const KITTY_OFF = `${ESC}[<u`

/** An ESC that nothing follows for so long was the key. Milliseconds. */
const ESC_WAIT_MS = 20

export interface ScreenHandlers {
  key: (key: Pressed) => void
  paste: (text: string) => void
}

export interface ScreenOptions {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  env: NodeJS.ProcessEnv
}

/** Terminals that cannot mark a paste: the Linux console before 6.16 and its like. */
const marksPastes = (env: NodeJS.ProcessEnv): boolean => !/^(?:linux|ansi|vt\d+|cons25)/.test(env['TERM'] ?? '')

/** xterm cuts rows that are too wide at a resize; nearly all others wrap them. */
const wrapsAtResize = (env: NodeJS.ProcessEnv): boolean => (env['XTERM_VERSION'] ?? '') === ''

export class Screen {
  private readonly controller: Controller
  private readonly handlers: ScreenHandlers
  private readonly options: ScreenOptions
  private readonly writer = new ScreenWriter()
  private readonly input: TerminalInput
  private kitty = false
  private open = false
  /** Keys are being taken: what they change is drawn after the last of them. */
  private taking = false
  private due = false
  private undecided: NodeJS.Timeout | undefined

  constructor(controller: Controller, handlers: ScreenHandlers, options: ScreenOptions) {
    this.controller = controller
    this.handlers = handlers
    this.options = options
    this.input = new TerminalInput(marksPastes(options.env))
  }

  /** Takes the terminal and draws from now on, until `end`. */
  start(): void {
    const { controller } = this
    const { stdin, stdout } = this.options
    controller.draw = () => this.draw()
    controller.suspend = (run) => this.suspend(run)
    stdout.on('resize', this.resized)
    process.on('exit', this.restore)
    stdin.setEncoding('utf8')
    this.take()
    this.draw()
    stdout.write(KITTY_QUERY)
  }

  /** Leaves what stands on the screen and gives the terminal back. */
  async end(): Promise<void> {
    const { stdout } = this.options
    stdout.off('resize', this.resized)
    process.off('exit', this.restore)
    stdout.write(this.writer.leave())
    this.restore()
    await new Promise<void>((resolve) => void stdout.write('', () => resolve()))
  }

  private draw(): void {
    if (!this.open) return
    if (this.taking) {
      this.due = true
      return
    }
    const printed = this.controller.takePrinted()
    const bytes = this.writer.frame({ printed, ...this.controller.live() })
    if (bytes !== '') this.options.stdout.write(bytes)
  }

  private readonly read = (chunk: string): void => {
    clearTimeout(this.undecided)
    this.handle(this.input.read(chunk))
    if (this.input.undecided) this.undecided = setTimeout(() => this.handle(this.input.decide()), ESC_WAIT_MS)
  }

  private handle(events: TerminalEvent[]): void {
    this.taking = true
    try {
      for (const event of events) this.handleOne(event)
    } finally {
      this.taking = false
      if (this.due) this.draw()
      this.due = false
    }
  }

  private handleOne(event: TerminalEvent): void {
    switch (event.type) {
      case 'key':
        return this.handlers.key(event.key)
      case 'paste':
        return this.handlers.paste(event.text)
      case 'focus':
        this.controller.inFront = event.inFront
        return
      case 'kitty':
        if (!this.kitty) this.options.stdout.write(KITTY_ON)
        this.kitty = true
    }
  }

  private readonly resized = (): void => {
    const { controller } = this
    const { stdout, env } = this.options
    controller.resize(stdout.columns, stdout.rows)
    if (!this.open) return
    stdout.write(this.writer.erase(stdout.columns, wrapsAtResize(env)))
    controller.drawNow()
  }

  private async suspend(run: () => void | Promise<void>): Promise<void> {
    this.options.stdout.write(this.writer.erase())
    this.restore()
    try {
      await run()
    } finally {
      this.take()
      this.draw()
    }
  }

  private take(): void {
    const { stdin, stdout } = this.options
    this.open = true
    stdin.setRawMode(true)
    stdin.on('data', this.read)
    stdin.resume()
    stdout.write(MODES_ON + (this.kitty ? KITTY_ON : ''))
  }

  /** Gives the terminal back as it was; works while the process exits, too. */
  private readonly restore = (): void => {
    if (!this.open) return
    const { stdin, stdout } = this.options
    this.open = false
    clearTimeout(this.undecided)
    stdin.off('data', this.read)
    stdin.pause()
    stdin.setRawMode(false)
    stdout.write(MODES_OFF + (this.kitty ? KITTY_OFF : ''))
  }
}
