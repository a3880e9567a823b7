// One conversation, open in this process. It takes operations in and gives events out; it runs one run at a time, queues
// what is typed meanwhile, and stores before it shows. It knows nothing of screens, wires or files.
import { WALL_TIME_REACHED } from '../agent/limits.ts'
import type { RunLimits } from '../agent/limits.ts'
import { runLoop } from '../agent/loop.ts'
import type { CallRunner, LoopEnd, QueuedMessage } from '../agent/ports.ts'
import type { EventBody, Mode, Operation, Report, Session } from '../protocol/index.ts'
import { askTitle, checkAnswer, saveStats, titleOf } from './after-run.ts'
import { CallDesk } from './call-desk.ts'
import { EventStream } from './event-stream.ts'
import { answerOpenCalls, StoredLog } from './message-log.ts'
import { MessageQueue } from './message-queue.ts'
import { toErrorInfo } from './error-info.ts'
import { OwnCommands } from './own-commands.ts'
import type { OpenModel, SessionParts } from './parts.ts'
import { PendingAnswers } from './pending.ts'
import { RunRecord } from './record.ts'
import { SessionModel } from './session-model.ts'
import { hiddenEvent, hidingStore } from './hide-secrets.ts'
import type { SessionStore } from './session-store.ts'
import { hearPrompt } from './session-hooks.ts'

const HIDDEN_IN_MESSAGE =
  'Your message holds the value of a known secret: it is sent and stored as ⟦secret:N⟧. secrets.allowNames lets a name be seen.'

type SendMessage = Extract<Operation, { type: 'send-message' }>
type AnswerApproval = Extract<Operation, { type: 'answer-approval' }>

interface ActiveRun {
  abort: AbortController
  ended: Promise<Report>
}

/** What a run goes by. */
interface RunFacts {
  message: QueuedMessage | undefined
  reason: string
  limits: RunLimits
  signal: AbortSignal
}

export class ChatSession {
  readonly row: Session
  readonly events: EventStream
  readonly log: StoredLog
  private readonly store: SessionStore
  private readonly parts: SessionParts
  private readonly pending = new PendingAnswers()
  private readonly queue: MessageQueue
  private readonly runner: CallRunner
  private readonly model: SessionModel
  private active: ActiveRun | undefined
  private closing = false
  private readonly commands: OwnCommands
  private readonly desk: CallDesk

  constructor(store: SessionStore, row: Session, parts: SessionParts) {
    const { secrets } = parts
    if (secrets) store = hidingStore(store, secrets)
    this.store = store
    this.row = row
    this.parts = parts
    this.events = new EventStream(row.id, parts.now, secrets ? (body) => hiddenEvent(body, secrets) : undefined)
    const emit = (event: EventBody): void => this.events.emit(event)
    this.log = new StoredLog(store, row.id, emit)
    this.queue = new MessageQueue(store, row.id)
    this.desk = new CallDesk({ store, sessionId: row.id, log: this.log, emit, pending: this.pending, parts })
    this.model = new SessionModel({ store, row, log: this.log, emit, parts })
    this.commands = new OwnCommands({
      store,
      sessionId: row.id,
      log: this.log,
      emit: (event, options) => this.events.emit(event, options),
      parts,
    })
    this.runner = parts.createRunner(this.desk, () => this.model.opened)
  }

  /** Makes the stored history true after a crash and announces the session. */
  open(resumed: boolean): void {
    if (resumed) answerOpenCalls(this.log)
    const { title, messageCount } = this.row
    this.events.emit({ type: 'session-start', title, model: this.model.name, resumed, messageCount })
    // They are for a person to look at before they are sent.
    const left = resumed && this.parts.interactive ? this.queue.left() : []
    if (left.length > 0) this.events.emit({ type: 'messages-returned', texts: left, resumed: true })
    this.tellDamage()
  }

  get mode(): Mode {
    return this.parts.policy.mode()
  }

  get running(): boolean {
    return this.active !== undefined
  }

  /** Takes one operation. Resolves when it has taken effect; a run it started goes on behind (see `waitForRun`). */
  async submit(operation: Operation): Promise<void> {
    switch (operation.type) {
      case 'send-message':
        return this.sendMessage(operation)
      case 'continue-run':
        return this.start(undefined, 'MANUAL_TRIGGER', operation.turns)
      case 'interrupt-run':
        this.active?.abort.abort()
        this.commands.stop()
        return
      case 'answer-approval':
        return this.answerApproval(operation)
      case 'answer-question':
        this.settle(this.pending.answer('question', operation.id, operation.answer), 'question')
        return
      case 'answer-error':
        this.settle(this.pending.answer('error', operation.id, operation.choice), 'choice')
        return
      case 'set-mode':
        return this.setMode(operation.mode)
      case 'set-model':
        return this.atRest('The model can be switched', () => this.model.switchTo(operation.model))
      case 'undo-changes':
        return this.undo(false, operation.count ?? 1)
      case 'redo-changes':
        return this.undo(true, operation.count ?? 1)
      case 'rewind-session':
        return this.rewind(operation.seq)
      case 'compress-context':
        return this.atRest('The context can be compressed', () => this.model.compress(operation))
      case 'rename-session':
        this.store.rename(this.row.id, operation.title)
        return
      case 'run-command':
        if (operation.exitCode !== undefined) return this.commands.ran(operation.command, operation.exitCode)
        return this.commands.run(operation.command)
      case 'show-context':
        return this.model.showContext()
      case 'edit-context':
        return this.atRest('The context can be changed', () => this.model.editContext(operation))
    }
  }

  /** The report of the run in progress, or undefined when none is. */
  waitForRun(): Promise<Report> | undefined {
    return this.active?.ended
  }

  /** Ends the run in progress and closes what the session opened. */
  async close(): Promise<void> {
    this.closing = true
    this.active?.abort.abort()
    await this.active?.ended
    await this.parts.close()
  }

  /** Says what of the store was found damaged: what it names is not in the conversation any more. */
  private tellDamage(): void {
    for (const line of this.store.takeDamage()) this.notice('warning', line)
  }

  private notice(level: 'info' | 'warning' | 'error', text: string): void {
    this.events.emit({ type: 'notice', level, text })
  }

  /** Does what must not happen under a run. */
  private async atRest(what: string, act: () => Promise<void>): Promise<void> {
    if (this.active) return this.notice('warning', `${what} when the run has ended.`)
    await act()
  }

  private settle(found: boolean, what: string): void {
    if (!found) this.notice('warning', `That ${what} is no longer open: it was answered, or the run ended.`)
  }

  private async sendMessage({ text: typed, attachments, data }: SendMessage): Promise<void> {
    const text = this.parts.secrets?.maskKnown(typed) ?? typed
    if (text !== typed) this.notice('warning', HIDDEN_IN_MESSAGE)
    if (this.parts.saveInput) this.store.addInput(this.row.id, text)
    const message: QueuedMessage = { text }
    if (this.active) this.queue.keep(message)
    const looked = await this.parts.attach(text)
    for (const [hash, bytes] of looked.images) this.store.addImage(this.row.id, hash, bytes)
    message.data = [...(data ?? []), ...looked.data]
    const all = [...(attachments ?? []), ...looked.attachments]
    if (all.length > 0) message.attachments = all
    if (!this.active) return this.start(message, 'USER_MESSAGE')
    try {
      await this.hear(message)
      if (!this.active) return await this.start(message, 'USER_MESSAGE')
      this.model.noteBlind(message.attachments)
      this.queue.push(message)
    } catch (thrown) {
      this.notice('warning', toErrorInfo(thrown).message)
    }
  }

  private start(message: QueuedMessage | undefined, reason: string, turns?: number): Promise<void> {
    if (this.active) {
      this.notice(
        'warning',
        'A run is in progress; one run at a time per session. Interrupt it first, or type a message to queue it.',
      )
      return Promise.resolve()
    }
    const abort = new AbortController()
    const ended = this.run(message, reason, turns, abort)
    this.active = { abort, ended }
    return Promise.resolve()
  }

  /** One run from the user's message to its report. Never rejects. */
  private async run(
    message: QueuedMessage | undefined,
    reason: string,
    turns: number | undefined,
    abort: AbortController,
  ): Promise<Report> {
    const { parts, events } = this
    const { signal } = abort
    const limits = parts.limits(turns)
    const timer = limits.wallMs > 0 ? setTimeout(() => abort.abort(WALL_TIME_REACHED), limits.wallMs) : undefined
    const runId = parts.newId()
    events.runId = runId
    const record = new RunRecord(performance.now(), parts.interactive)
    const stop = events.subscribe((event) => record.take(event))
    let end: LoopEnd
    try {
      if (message) {
        await this.hear(message)
        await this.storeUserMessage(message, runId)
      }
      events.emit({ type: 'status', state: 'thinking' })
      const model = await this.model.reach(signal, (error) => this.desk.chooseAfterError(error, signal))
      end = model ? await this.converse(model, { message, reason, limits, signal }) : { outcome: 'done', skipped: true }
    } catch (thrown) {
      const error = toErrorInfo(thrown)
      parts.onError(error)
      events.emit({ type: 'error', error })
      end = signal.aborted ? { outcome: 'interrupted' } : { outcome: 'failed', error }
    }
    clearTimeout(timer)
    stop()
    parts.policy.runEnded()
    const told = record.report(end, {
      sessionId: this.row.id,
      model: this.model.name,
      modelHost: this.model.opened?.host,
      // The clock may be set while a run lasts; limits and durations go by one that only goes on.
      now: performance.now(),
    })
    const report = parts.secrets?.maskKnown(told) ?? told
    const { store, log, row } = this
    saveStats(store, report)
    if (end.outcome === 'done' && !end.skipped) {
      await checkAnswer(report, log, parts.checkAnswer, (text) => this.notice('warning', text))
      if (parts.titles === 'model') await askTitle({ log, store, sessionId: row.id, model: this.model.opened }, signal)
    }
    this.active = undefined
    this.tellDamage()
    events.emit({ type: 'status', state: end.outcome === 'failed' ? 'error' : 'ready' })
    events.emit({ type: 'run-end', report })
    events.runId = undefined
    await this.afterRun(end.outcome === 'done')
    return report
  }

  /** Turns with the model until the run ends. */
  private async converse(model: OpenModel, { message, reason, limits, signal }: RunFacts): Promise<LoopEnd> {
    const { parts, events } = this
    this.model.noteBlind(message?.attachments)
    events.emit({
      type: 'run-start',
      reason,
      prompt: message?.text ?? '',
      ...(message?.attachments ? { attachments: message.attachments } : {}),
      model: model.name,
      mode: parts.policy.mode(),
      window: model.window,
    })
    const loop = () =>
      runLoop({
        model: model.port,
        prompt: model.prompt,
        calls: model.calls,
        runner: this.runner,
        log: this.log,
        limits,
        answer: parts.answerLimits,
        mode: parts.loopMode,
        request: { ...model.request, window: model.window },
        emit: (event) => events.emit(event),
        now: () => performance.now(),
        newId: parts.newId,
        signal,
        toolsRefused: () => model.toolsRefused(),
        imagesRefused: () => {
          const isNews = model.imagesRefused()
          if (isNews) this.model.noteBlind(this.log.all().flatMap(({ attachments }) => attachments ?? []))
          return isNews
        },
        takeQueued: () => this.queue.take(),
        onModelError: (error) => this.desk.chooseAfterError(error, signal),
      })
    const end = await loop()
    return end.outcome === 'done' && !end.skipped && (await this.sentOn()) ? await loop() : end
  }

  /** What was typed too late for the run: after a good end it is the next run, else whoever typed it has it back. */
  private async afterRun(done: boolean): Promise<void> {
    const next = done && !this.closing ? this.queue.shift() : undefined
    if (next) return this.start(next, 'USER_MESSAGE')
    const texts = this.queue.giveBack()
    if (texts.length > 0) this.events.emit({ type: 'messages-returned', texts, resumed: false })
  }

  /** A hook may send a run on that would end: once, with its reason for the model. */
  private async sentOn(): Promise<boolean> {
    const said = await this.parts.hooks?.beforeStop()
    said?.problems.forEach((problem) => this.notice('warning', problem))
    if (said?.block === undefined) return false
    const data = `A hook of the user does not let the run end yet: ${said.block}`
    this.log.append({ sender: 'SYSTEM', text: '', system: { type: 'DATA_ADDED', data } })
    return true
  }

  private async hear(message: QueuedMessage): Promise<void> {
    try {
      await hearPrompt(this.parts.hooks, message, (problem) => this.notice('warning', problem))
    } catch (thrown) {
      this.queue.drop(message)
      throw thrown
    }
  }

  private async storeUserMessage(message: QueuedMessage, runId: string): Promise<void> {
    const { text, attachments, data } = message
    if (this.log.all().length === 0) this.store.rename(this.row.id, titleOf(text))
    const stored = this.log.append({ sender: 'USER', text, ...(attachments ? { attachments } : {}) })
    for (const content of data ?? []) {
      this.log.append({ sender: 'SYSTEM', text: '', system: { type: 'DATA_ADDED', data: content } })
    }
    this.queue.sent(message)
    await this.parts.changes?.beginRun(runId, stored.seq)
  }

  private answerApproval(operation: AnswerApproval): void {
    this.settle(this.pending.answer('approval', operation.id, operation), 'approval')
  }

  private setMode(mode: Mode): void {
    const refusal = this.parts.policy.setMode(mode)
    if (refusal === undefined) this.events.emit({ type: 'mode-change', mode })
    else this.notice('warning', refusal)
  }

  private async undo(redo: boolean, count: number): Promise<void> {
    const { changes } = this.parts
    if (!changes) return this.notice('warning', 'No journal is kept here, so nothing can be undone.')
    const done = await (redo ? changes.redo(count) : changes.undo(count))
    if (done.ok) this.events.emit({ type: 'changes-undone', paths: done.paths, redo, text: done.text })
    else this.notice('warning', done.text)
    this.tellDamage()
  }

  private async rewind(seq: number): Promise<void> {
    if (this.active) return this.notice('warning', 'Interrupt the run before you rewind.')
    const target = this.log.all().find((message) => message.seq === seq)
    if (target?.sender !== 'USER')
      return this.notice('warning', `Message ${seq} is not one of yours; /rewind goes to before a message of the user.`)
    const files = await this.parts.changes?.rewind(seq)
    if (files && !files.ok) return this.notice('warning', files.text)
    this.store.truncate(this.row.id, seq)
    this.log.reload()
    this.events.emit({
      type: 'changes-undone',
      paths: files?.paths ?? [],
      redo: false,
      text: `Back to before: ${target.text.slice(0, 80)}`,
    })
  }
}
