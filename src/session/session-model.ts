// The model of a session: opened when it is first needed, switched by the user; and what he asks of its prompt.
import { ModelError } from '../model/language-model.ts'
import type { ErrorInfo, EventBody, Message, Operation, Session } from '../protocol/index.ts'
import { blindNote } from './blind-note.ts'
import { toErrorInfo } from './error-info.ts'
import type { StoredLog } from './message-log.ts'
import type { OpenModel, SessionParts } from './parts.ts'
import type { SessionStore } from './session-store.ts'

type Compress = Extract<Operation, { type: 'compress-context' }>
type EditContext = Extract<Operation, { type: 'edit-context' }>

interface ModelDeps {
  store: SessionStore
  row: Session
  log: StoredLog
  emit: (event: EventBody) => void
  parts: SessionParts
}

export class SessionModel {
  /** `backend/model`. */
  name: string
  /** Undefined until it was needed. */
  opened: OpenModel | undefined
  private readonly deps: ModelDeps

  constructor(deps: ModelDeps) {
    this.deps = deps
    this.name = deps.row.model
  }

  /** The model for a run. A server that does not answer is asked again as long as `choose` says so; undefined: let it be. */
  async reach(
    signal: AbortSignal,
    choose: (error: ErrorInfo, signal: AbortSignal) => Promise<'retry' | 'skip' | 'abort'>,
  ): Promise<OpenModel | undefined> {
    for (;;) {
      try {
        return (this.opened ??= await this.open(this.name, signal))
      } catch (thrown) {
        if (!(thrown instanceof ModelError) || !this.deps.parts.interactive || signal.aborted) throw thrown
        const choice = await choose(thrown.toInfo(), signal)
        if (choice === 'skip') return undefined
        if (choice === 'abort') throw thrown
      }
    }
  }

  async switchTo(name: string): Promise<void> {
    const { store, row, emit } = this.deps
    try {
      this.opened = await this.open(name, new AbortController().signal)
    } catch (thrown) {
      emit({ type: 'error', error: toErrorInfo(thrown) })
      return
    }
    this.name = this.opened.name
    store.setModel(row.id, this.name)
    emit({ type: 'model-change', model: this.name, window: this.opened.window })
  }

  /** Tells of images that the model does not see. */
  noteBlind(attachments: Message['attachments']): void {
    const text = this.opened && blindNote(attachments, this.opened)
    if (text !== undefined) this.deps.emit({ type: 'notice', level: 'warning', text })
  }

  async compress({ keep, focus }: Compress): Promise<void> {
    const { log, emit } = this.deps
    const model = await this.have()
    if (!model) return
    // Asked for, it is done whatever the fill; without a number the newest exchanges of the configuration stay.
    const how = { ...(keep === undefined ? {} : { keep }), focus: focus ?? '' }
    const shrunk = await model.prompt.shrink(log.all(), new AbortController().signal, how)
    if (!shrunk)
      emit({ type: 'notice', level: 'info', text: 'Nothing to compress: the conversation is already short.' })
  }

  async showContext(): Promise<void> {
    const model = await this.have()
    if (model) this.deps.emit(model.prompt.describe(this.deps.log.all()))
  }

  async editContext({ action, block }: EditContext): Promise<void> {
    const model = await this.have()
    if (!model) return
    const { ok, text } = model.prompt.edit(this.deps.log.all(), action, block)
    this.deps.emit({ type: 'notice', level: ok ? 'info' : 'warning', text })
  }

  /** The model, opened when none is; undefined when it cannot be, and the user was told why. */
  private async have(): Promise<OpenModel | undefined> {
    try {
      return (this.opened ??= await this.open(this.name, new AbortController().signal))
    } catch (thrown) {
      this.deps.emit({ type: 'error', error: toErrorInfo(thrown) })
      return undefined
    }
  }

  private open(name: string, signal: AbortSignal): Promise<OpenModel> {
    const { parts, log, emit } = this.deps
    return parts.openModel(name, { log, emit }, signal)
  }
}
