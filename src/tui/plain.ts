// The line mode: no cursor movement, no redrawing, no colour; one line after another, as logs, dumb terminals and screen
// readers want it. The same session, commands and answers as on the screen; what waits for an answer is asked in a line.
import { createInterface } from 'node:readline'
import type { Interface } from 'node:readline'
import { basename } from 'node:path'
import { visible } from '../lib/visible.ts'
import type { ApprovalAction } from '../protocol/index.ts'
import { runCommand, isCommand } from './commands.ts'
import { choiceKeys } from './ask-rows.ts'
import { Controller } from './controller.ts'
import { diffRows } from './diff-rows.ts'
import { firstStart } from './first-start.ts'
import { largeLine, largeLines, takeIndexNews } from './large-index.ts'
import { runOwnCommand } from './own-command.ts'
import type { StartOptions } from './start.ts'
import { answersText, typedAnswer } from './typed-answer.ts'
import type { View } from './view.ts'

/** The exit code when the input ended before an answer (docs/cli.md). */
const EXIT_NEEDS_APPROVAL = 5
/** Steps of a progress that are told. */
const SHARES = 10
/** Rows are not wrapped: whatever shows them does that. */
const NO_WRAP = 10_000

/** Runs until the input ends or the user leaves; gives the exit code. */
export async function runPlain(options: StartOptions): Promise<number> {
  const { stdin, stdout } = options
  const controller = new Controller({
    columns: NO_WRAP,
    rows: NO_WRAP,
    env: { ...process.env, NO_COLOR: '1' },
    project: basename(options.cwd),
    now: Date.now,
  })
  const left = Promise.withResolvers<number>()
  controller.leave = left.resolve
  controller.hasTerminal = stdin.isTTY && stdout.isTTY
  const lines = createInterface({ input: stdin, output: stdout, terminal: false, prompt: '> ' })
  const front = new Plain(controller, stdout, lines, !stdin.isTTY)
  controller.draw = () => front.show()
  controller.onReturned = (texts, resumed) =>
    controller.note(
      `Not sent, because the ${resumed ? 'session ended' : 'run was stopped'} before: ${texts.join(' · ')}`,
      'warning',
    )
  controller.suspend = async (run) => {
    lines.pause()
    // What comes meanwhile is told behind it.
    controller.draw = () => {}
    try {
      await run()
    } finally {
      controller.draw = () => front.show()
      lines.resume()
      controller.drawNow()
    }
  }
  lines.on('line', (line) => front.take(line))
  lines.on('close', () => front.close())
  lines.on(
    'close',
    () => void front.drained().then(() => left.resolve(front.refused && !stdin.isTTY ? EXIT_NEEDS_APPROVAL : 0)),
  )
  const onInterrupt = (): void => {
    if (controller.running || controller.stopTask) controller.interrupt()
    else left.resolve(130)
  }
  process.on('SIGINT', onInterrupt)
  const bench = await options.openWorkbench()
  controller.useBench(bench)
  const client = await bench.open(options.choice)
  if (client.messages().length > 0) controller.showHistory(client.messages())
  await controller.useClient(client)
  // A pipe has no answer to a question that it cannot know of.
  if (stdin.isTTY) bench.watchIndex((news) => takeIndexNews(controller, news))
  await firstStart(controller, options.choice)
  controller.drawNow()
  front.begin(options.request)
  const code = await left.promise
  if (controller.running) await controller.submit({ type: 'interrupt-run' })
  await controller.client?.waitForRun()
  controller.drawNow()
  controller.end()
  lines.close()
  process.off('SIGINT', onInterrupt)
  await bench.close()
  return code
}

class Plain {
  private readonly controller: Controller
  private readonly stdout: NodeJS.WriteStream
  private readonly lines: Interface
  /** Nobody types: what is read comes from a file or a program. */
  private readonly piped: boolean
  private waiting: string[] = []
  private begun = false
  private closed = false
  /** A prompt stands at the end of what was written, without a line end. */
  private prompted = false
  private asked: string | undefined
  /** Step of the question about a large workspace that was written. */
  private askedLarge: unknown
  private largeAsked = Promise.withResolvers<void>()
  /** What moves on the screen is told once per step here. */
  private told = ''
  /** Lines that end in a backslash and are not sent yet. */
  private draft = ''
  private busy: Promise<void> = Promise.resolve()
  /** Lines that came and are not done. */
  private unhandled = 0
  /** Told when something begins to wait for an answer. */
  private onAsked: () => void = () => {}
  /** The input ended while something waited for an answer. */
  refused = false

  constructor(controller: Controller, stdout: NodeJS.WriteStream, lines: Interface, piped: boolean) {
    this.controller = controller
    this.stdout = stdout
    this.lines = lines
    this.piped = piped
  }

  /** From now on lines are taken. */
  begin(request: string | undefined): void {
    this.begun = true
    if (request !== undefined) this.handle(request)
    for (const line of this.waiting.splice(0)) this.handle(line)
    this.prompt()
  }

  /** One line that was typed. */
  take(line: string): void {
    this.prompted = false
    // At once: a command before it may wait for just this answer.
    if (this.begun && this.takeLarge(line)) return
    if (this.begun) this.handle(line)
    else this.waiting.push(line)
  }

  /** A command that wants the index: when that waits for an answer, the lines behind do not wait with it. */
  private async unlessAsked(running: Promise<void>): Promise<void> {
    const left = this.largeAsked.promise.then(() => 'left')
    if ((await Promise.race([running, left])) !== 'left') return
    void running.catch((thrown: unknown) => this.controller.showError(thrown)).then(() => this.controller.drawNow())
  }

  private takeLarge(line: string): boolean {
    const { view, ui } = this.controller
    if (ui.picker || this.draft !== '' || view.approval || view.question || view.errorRequest) return false
    if (!largeLine(this.controller, line)) return false
    this.controller.drawNow()
    return true
  }

  /** No prompt from now on, and nobody to answer. */
  close(): void {
    this.closed = true
    void this.busy.then(() => this.controller.drawNow())
  }

  /** Nobody will answer what waits. */
  private refuse(): void {
    if (this.refused) return
    this.refused = true
    this.controller.note('The input has ended, so nobody can answer: this is not done.', 'warning')
    this.controller.interrupt()
  }

  /** Resolves when what was typed has been done: a pipe may end before the answer does. */
  async drained(): Promise<void> {
    while (!this.begun) await new Promise((resolve) => setTimeout(resolve, 20))
    await this.busy
    for (let run; (run = this.controller.client?.waitForRun());) await run
  }

  /** Writes what is finished, and asks what must be asked. */
  show(): void {
    for (const row of this.controller.takePrinted()) this.write(row.trimEnd())
    const { view } = this.controller
    this.tell(view)
    const id = waitingId(view)
    if (id !== undefined && id !== this.asked) {
      for (const row of askLines(this.controller)) this.write(row)
      this.onAsked()
    }
    this.asked = id
    if (id !== undefined && this.closed && this.unhandled === 0) this.refuse()
    this.showLarge(id !== undefined)
    if (view.runSince === undefined) this.prompt()
  }

  /** The question about a large workspace once per step, and after whatever else waits. */
  private showLarge(isWaiting: boolean): void {
    const { large } = this.controller.ui
    if (isWaiting) return
    const step = large && (large.folders ? `folders ${large.folders.length}` : 'question')
    if (large && step !== this.askedLarge) for (const row of largeLines(large)) this.write(row)
    if (step === undefined && this.askedLarge !== undefined) this.largeAsked = Promise.withResolvers()
    else if (step !== undefined) this.largeAsked.resolve()
    this.askedLarge = step
  }

  /** What a screen shows in its status row: a retry once, a download or an index at each tenth. */
  private tell({ retry, progress }: View): void {
    const share = progress && progress.total > 0 ? Math.floor((progress.done / progress.total) * SHARES) : 0
    const text = retry
      ? `retry ${retry.attempt}/${retry.of} in ${Math.ceil((retry.until - this.controller.now()) / 1000)} s (${retry.why})`
      : progress
        ? `${progress.label} ${(share * 100) / SHARES} %`
        : ''
    const step = retry ? `${retry.attempt} ${retry.until}` : text
    if (step !== this.told && text !== '') this.write(text)
    this.told = step
  }

  private write(row: string): void {
    if (this.prompted) this.stdout.write('\n')
    this.prompted = false
    this.stdout.write(`${row}\n`)
  }

  private handle(line: string): void {
    this.unhandled += 1
    this.busy = this.busy.then(() => this.one(line))
  }

  /** Does a line to its end. Never rejects. */
  private async one(line: string): Promise<void> {
    try {
      await this.act(line)
      await this.pipeWaits()
    } catch (thrown) {
      this.controller.showError(thrown)
    }
    this.unhandled -= 1
    this.controller.drawNow()
  }

  /** A pipe gives the next line at once: it is for the next turn, or the answer to what comes to wait for one. */
  private async pipeWaits(): Promise<void> {
    if (!this.piped) return
    // An answer takes effect behind the operation that gives it.
    await new Promise<void>((resolve) => void setImmediate(resolve))
    this.controller.flush()
    if (waitingId(this.controller.view) !== undefined) return
    await Promise.race([
      this.controller.client?.waitForRun(),
      new Promise<void>((resolve) => {
        this.onAsked = resolve
      }),
    ])
  }

  private async act(typed: string): Promise<void> {
    const { controller } = this
    controller.flush()
    if (typed.endsWith('\\')) {
      this.draft += `${typed.slice(0, -1)}\n`
      return
    }
    const line = this.draft + typed
    this.draft = ''
    const { picker } = controller.ui
    if (picker) {
      controller.setUi({ picker: undefined })
      const at = Number(line) - 1
      if (picker.items[at]) picker.choose(at)
      return
    }
    if (answerLine(controller, line)) return
    const asked = askLines(controller).at(-1)
    if (line.trim() === '') {
      if (asked !== undefined) controller.note(asked)
    } else if (isCommand(line)) {
      await (/^\/(?:map|reindex)\b/.test(line)
        ? this.unlessAsked(runCommand(controller, line))
        : runCommand(controller, line))
      const opened = controller.ui.picker
      for (const [i, { text, note }] of (opened?.items ?? []).entries())
        controller.note(`${i + 1} ${text}${note === '' ? '' : `  ${note}`}`)
      if (opened) controller.note(`${opened.title} · Type a number, or an empty line to leave it.`)
    } else if (line.startsWith('!')) await runOwnCommand(controller, line.slice(1))
    else {
      await controller.send(line)
      if (asked !== undefined) controller.note(`Kept for the next turn. What waits: ${asked}`)
    }
  }

  private prompt(): void {
    if (!this.begun || this.closed || this.prompted || !this.stdout.isTTY || this.controller.running) return
    this.lines.prompt()
    this.prompted = true
  }
}

/** What waits for an answer. */
const waitingId = ({ approval, question, errorRequest }: View): string | undefined =>
  approval?.id ?? question?.id ?? errorRequest?.id

/** What waits, in lines. */
function askLines({ view, settings, theme }: Controller): string[] {
  if (view.approval) {
    const look = {
      width: NO_WRAP,
      theme,
      settings: { ...settings.edit, diffFormat: 'unified' as const },
      highlight: (line: string) => line,
    }
    return [
      ...view.approval.actions.flatMap((action) => [
        ...(action.diff ? diffRows(action.diff, look) : [`${visible(action.tool)} ${visible(action.title)}`]),
        ...(action.warning === undefined ? [] : [`warning: ${visible(action.warning)}`]),
        whyText(action),
      ]),
      visible(answersText(view.approval)),
    ]
  }
  if (view.question) {
    const { question, options = [] } = view.question
    return [
      `? ${visible(question)}`,
      ...options.map((each, i) => `${i + 1} ${visible(each)}`),
      'Type an answer or a number.',
    ]
  }
  if (!view.errorRequest) return []
  return [
    choiceKeys(view.errorRequest.choices)
      .map(({ letter, choice }) => `${letter} ${choice}`)
      .join(', '),
  ]
}

/** Why it is asked, which rule says so, and what would silence it. */
function whyText({ reason, source, silence }: ApprovalAction): string {
  const where = source ? ` (${visible(source.file)}:${source.line})` : ''
  return `${visible(reason)}${where}${silence === undefined ? '' : ` · ${visible(silence)}`}`
}

/** True when the line was the answer to what waits. Commands and empty lines answer nothing. */
function answerLine(controller: Controller, line: string): boolean {
  const { question }: View = controller.view
  const text = line.trim()
  if (!question) return typedAnswer(controller, text)
  if (text === '' || isCommand(text) || text.startsWith('!')) return false
  const answer = /^\d+$/.test(text) ? (question.options?.[Number(text) - 1] ?? text) : text
  void controller.submit({ type: 'answer-question', id: question.id, answer })
  return true
}
