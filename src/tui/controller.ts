// The state of one screen: events of the session and keys of the user come in, rows for the scrollback and a live part go
// out. Events are gathered until the next frame (frames.ts); a key is drawn at once.
import type { Client } from '../client/client.ts'
import type { FrontSettings, Workbench } from '../client/workbench.ts'
import type { Event, Message, Operation, Report } from '../protocol/index.ts'
import { setText } from './editor.ts'
import type { Editor } from './editor.ts'
import { showsUtf8, withAsciiSigns } from './ascii.ts'
import { Frames } from './frames.ts'
import { HeldLetter } from './held-letter.ts'
import { Highlighter } from './highlight.ts'
import { historyItems } from './history-items.ts'
import { Printer } from './item-rows.ts'
import { liveRows } from './live-rows.ts'
import type { LiveRows } from './live-rows.ts'
import { defaultSettings } from './default-settings.ts'
import { themeOf } from './theme.ts'
import type { Theme } from './theme.ts'
import { TypingUndo } from './typing-undo.ts'
import { emptyUi, newAnswer } from './ui-state.ts'
import type { Ui } from './ui-state.ts'
import { reduce } from './view-state.ts'
import { emptyView } from './view.ts'
import type { Item } from './item.ts'
import type { View } from './view.ts'

/** Calls of the last run that Ctrl+O shows. */
const MAX_KEPT_CALLS = 20

/** Output of a command within one frame; of what comes faster the end is shown, and keys are still heard. Characters. */
const MAX_FRAME_OUTPUT = 32_768

function endOf(output: string): string {
  if (output.length <= 2 * MAX_FRAME_OUTPUT) return output
  const end = output.slice(-MAX_FRAME_OUTPUT)
  return `\n… output that came too fast is left out\n${end.slice(end.indexOf('\n') + 1)}`
}

export interface ControllerOptions {
  columns: number
  rows: number
  env: NodeJS.ProcessEnv
  /** Name and branch shown before the project is opened. */
  project: string
  now: () => number
}

export class Controller {
  view: View = emptyView
  ui: Ui = emptyUi
  client: Client | undefined
  bench: Workbench | undefined
  settings: FrontSettings = defaultSettings
  theme: Theme
  columns: number
  rows: number
  readonly now: () => number
  /** Draws the screen; set by it. */
  draw: () => void = () => {}
  /** Ends the program; set by the start. */
  leave: (code: number) => void = () => {}
  /** Gives the terminal to a child program while the callback runs; set by the screen. */
  suspend: (run: () => void | Promise<void>) => Promise<void> = async (run) => run()
  /** Told of each frame. */
  onFrame: () => void = () => {}
  /** Told when a run has ended: rings when nobody looks. */
  onRunEnd: (elapsedMs: number) => void = () => {}
  /** Told when an answer is waited for. */
  onWaiting: () => void = () => {}
  /** Takes back messages that were queued when the run was stopped: they stand at the prompt, before what is typed there. */
  onReturned: (texts: readonly string[], resumed: boolean) => void = (texts, resumed) => {
    if (resumed) this.note('What was queued when this session ended was not sent; it stands at the prompt again.')
    const { editor } = this.ui
    const typed = editor.text === '' ? [] : [editor.text]
    this.setEditor(setText(editor, [...texts, ...typed].join('\n')))
  }
  /** Whether the terminal has the focus; undefined when it does not tell. */
  inFront: boolean | undefined
  /** Ends what the user started beside a run: a download, a command of his own. */
  stopTask: (() => void) | undefined
  /** A child program can have the terminal. */
  hasTerminal = true
  /** Lines typed before the session was open. */
  private early: string[] = []
  private printed: string[] = []
  private pending: Event[] = []
  private readonly printer: Printer
  private readonly highlighter = new Highlighter()
  private readonly frames: Frames
  private unsubscribe: () => void = () => {}
  private readonly since: number
  private readonly utf8: boolean
  private readonly env: NodeJS.ProcessEnv
  private readonly projectName: string
  /** What the last run of this start came to. */
  lastReport: Report | undefined
  /** The last run ended at a limit, so that "continue" goes on. */
  atLimit = false
  /** What is shown of an approval that does not fit, as it was drawn last. */
  scrolled: LiveRows['scrolled']
  readonly heldLetter = new HeldLetter(this)
  private readonly typing = new TypingUndo()
  private calls: Extract<Item, { kind: 'call' }>[] = []

  constructor({ columns, rows, env, project, now }: ControllerOptions) {
    this.columns = columns
    this.rows = rows
    this.env = env
    this.now = now
    this.since = now()
    this.utf8 = showsUtf8(env)
    this.frames = new Frames(now, () => this.drawNow())
    this.projectName = project
    this.theme = themeOf('dark', env)
    this.printer = new Printer({
      width: columns,
      theme: this.theme,
      settings: this.settings,
      details: false,
      highlight: (line, language, before) => this.highlighter.line(line, language, before, this.theme),
    })
  }

  /** Takes the opened application: its settings hold from now on. */
  useBench(bench: Workbench): void {
    this.bench = bench
    this.settings = bench.settings
    this.setTheme(bench.settings.display.theme)
  }

  setTheme(name: Parameters<typeof themeOf>[0]): void {
    this.theme = themeOf(name, this.env)
    this.highlighter.active = this.theme.reset !== ''
    this.printer.change({ theme: this.theme, settings: this.settings })
  }

  /** Takes a session. */
  async useClient(client: Client): Promise<void> {
    this.unsubscribe()
    this.client = client
    this.lastReport = undefined
    this.view = { ...emptyView, model: client.session.model, mode: client.mode() }
    this.unsubscribe = client.events((event) => this.take(event), 0)
    this.setUi({ opening: false })
    this.drawNow()
  }

  /** The application or the session could not be opened; what needs neither works. */
  notOpened(thrown: unknown): void {
    this.setUi({ opening: false })
    this.view = { ...this.view, activity: 'error' }
    this.showError(thrown)
  }

  /** Keeps a line until the session is open. */
  keepEarly(text: string): void {
    this.early.push(text)
    this.view = { ...this.view, queue: [...this.view.queue, text] }
  }

  /** What was kept, each once. */
  takeEarly(): string[] {
    this.view = { ...this.view, queue: [] }
    return this.early.splice(0)
  }

  /** Sends a message. */
  async send(text: string): Promise<void> {
    if (!this.client)
      return this.note('Not sent, because no session is open. Mend what the error names and start again.', 'error')
    if (this.running) this.view = { ...this.view, queue: [...this.view.queue, text] }
    await this.submit({ type: 'send-message', text })
  }

  get running(): boolean {
    return this.client?.waitForRun() !== undefined
  }

  /** Hands an operation in; a fault of it becomes a line on the screen. */
  async submit(operation: Operation): Promise<void> {
    try {
      await this.client?.submit(operation)
    } catch (thrown) {
      this.showError(thrown)
    }
  }

  setActivity(activity: View['activity']): void {
    this.view = { ...this.view, activity }
  }

  /** Aborts first, draws after. */
  interrupt(): void {
    void this.submit({ type: 'interrupt-run' })
    this.stopTask?.()
    this.setUi({ stopping: this.running, approval: undefined })
    this.drawNow()
  }

  setUi(change: Partial<Ui>): void {
    this.ui = { ...this.ui, ...change }
  }

  /** Changes the text; with `remember` Ctrl+Z takes it back. */
  setEditor(editor: Editor, remember = true): void {
    if (remember && editor.text !== this.ui.editor.text) this.typing.keep(this.ui.editor)
    this.setUi({ editor })
  }

  undoTyping(): void {
    const editor = this.typing.takeBack()
    if (editor) this.setUi({ editor })
  }

  /** Forgets the steps of a text that was sent. */
  forgetTyping(): void {
    this.typing.forget()
  }

  /** Puts what the user did or asked for into the scrollback; an answer that streams goes on behind it. */
  print(...items: Item[]): void {
    this.flush()
    for (const item of items) this.printed.push(...this.printer.rows(item, true))
    this.requestFrame()
  }

  /** What was said before, when a stored session is opened: its last messages. */
  showHistory(messages: readonly Message[]): void {
    this.flush()
    for (const item of historyItems(messages)) this.printed.push(...this.printer.rows(item))
    this.requestFrame()
  }

  showProgress(progress: View['progress']): void {
    this.view = { ...this.view, progress }
    this.requestFrame()
  }

  /** A line of the program itself. */
  note(text: string, level: 'info' | 'warning' | 'error' = 'info', suggestion?: string): void {
    this.print({ kind: 'note', level, text, suggestion })
  }

  showError(thrown: unknown): void {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const suggestion =
      thrown instanceof Error && 'suggestion' in thrown && typeof thrown.suggestion === 'string'
        ? { suggestion: thrown.suggestion }
        : {}
    this.print({ kind: 'error', error: { code: 'internal', message, recoverable: false, ...suggestion } })
  }

  setDetails(details: boolean): void {
    this.setUi({ details })
    this.printer.change({ details })
    if (!details) return
    if (this.view.approval) {
      for (const { diff } of this.view.approval.actions) if (diff) this.print({ kind: 'diff', diff })
    } else this.print(...this.calls)
  }

  resize(columns: number, rows: number): void {
    if (columns !== this.columns) {
      this.flush()
      this.printer.change({ width: columns })
    }
    this.columns = columns
    this.rows = rows
  }

  /** Rows that go into the scrollback now, each once. */
  takePrinted(): string[] {
    const rows = this.printed.splice(0)
    return this.utf8 ? rows : rows.map(withAsciiSigns)
  }

  hasPrinted(): boolean {
    return this.printed.length > 0
  }

  live(): LiveRows {
    const { view, ui, theme, settings, columns, rows } = this
    const {
      rows: made,
      cursor,
      scrolled,
    } = liveRows({
      view,
      ui,
      text: this.printer.live(),
      look: {
        width: columns,
        theme,
        settings: settings.edit,
        highlight: (line, language, before) => this.highlighter.line(line, language, before, theme),
      },
      height: rows,
      now: this.now(),
      project: this.bench?.project.name ?? this.projectName,
      branch: this.bench?.project.branch,
      since: this.since,
      progressBar: settings.display.progressBar,
    })
    this.scrolled = scrolled
    return { rows: this.utf8 ? made : made.map(withAsciiSigns), cursor, scrolled }
  }

  /** Draws now, with everything that has come. */
  drawNow(): void {
    this.frames.begin()
    this.flush()
    this.draw()
    this.onFrame()
    this.frames.clock(this.view.runSince !== undefined || this.view.retry !== undefined)
  }

  /** Draws soon, together with whatever comes until then. */
  requestFrame(): void {
    this.frames.request()
  }

  /** Stops every timer. */
  end(): void {
    this.unsubscribe()
    this.heldLetter.drop()
    this.frames.end()
  }

  private take(event: Event): void {
    const last = this.pending.at(-1)
    // Text of one frame is laid out once.
    if (event.type === 'text-delta' && last?.type === 'text-delta')
      this.pending[this.pending.length - 1] = { ...event, text: last.text + event.text }
    else if (
      event.type === 'tool-output-delta' &&
      last?.type === 'tool-output-delta' &&
      last.callId === event.callId &&
      last.stream === event.stream
    )
      this.pending[this.pending.length - 1] = { ...event, text: endOf(last.text + event.text) }
    else this.pending.push(event)
    this.requestFrame()
  }

  /** Takes in what has come. Code that begins waits for its colours to be loaded, which takes a moment once. */
  flush(): void {
    const events = this.pending
    if (events.length === 0) return
    if (this.highlighter.mustLoad(events)) {
      void this.highlighter.load(events).then(() => this.requestFrame())
      return
    }
    this.pending = []
    for (const event of events) {
      const { view, items } = reduce(this.view, event, { stream: this.settings.display.stream })
      this.view = view
      for (const item of items) {
        this.printed.push(...this.printer.rows(item))
        if (item.kind === 'call') this.calls = [...this.calls, item].slice(-MAX_KEPT_CALLS)
      }
      if (event.type === 'run-start') this.calls = []
      if (event.type === 'run-end') this.lastReport = event.report
      if (event.type === 'run-end') this.atLimit = event.report.outcome === 'limit'
      if (event.type === 'approval-request') this.setUi({ approval: newAnswer(event.id) })
      if (event.type === 'question-request') this.setUi({ option: 0 })
      if (/^(approval|question|error)-request$/.test(event.type)) this.onWaiting()
      if (event.type === 'run-end') this.endRun(event.report.elapsedMs)
      if (event.type === 'messages-returned') this.onReturned(event.texts, event.resumed)
    }
  }

  private endRun(elapsedMs: number): void {
    this.setUi({ stopping: false, approval: undefined })
    const { suggestCompressAt } = this.settings
    if (suggestCompressAt > 0 && this.view.userMessages > 0 && this.view.userMessages % suggestCompressAt === 0)
      this.printed.push(
        ...this.printer.rows({
          kind: 'note',
          level: 'info',
          text: `${this.view.userMessages} messages in this session: /compress keeps requests small.`,
          suggestion: undefined,
        }),
      )
    this.onRunEnd(elapsedMs)
  }
}
