// Where the calls of a run meet people and the record: approvals, questions, choices after an error, and the results,
// each stored before anyone sees it. A wait is preceded by a stored placeholder, so a history that ends there is true.
import type {
  ApprovalAction,
  ErrorInfo,
  EventBody,
  Operation,
  PlanItem,
  Question,
  ToolCall,
  ToolResult,
} from '../protocol/index.ts'
import type { MessageLog } from '../agent/ports.ts'
import type { ConflictChoice } from '../tools/run-tool.ts'
import type { ApprovalAnswer, CallHost, SessionParts } from './parts.ts'
import type { PendingAnswers } from './pending.ts'
import type { SessionStore } from './session-store.ts'

type AnswerApproval = Extract<Operation, { type: 'answer-approval' }>

interface DeskOptions {
  store: SessionStore
  sessionId: string
  log: MessageLog
  emit: (event: EventBody) => void
  pending: PendingAnswers
  parts: Pick<SessionParts, 'interactive' | 'policy'>
}

const CONFLICT_WORDS =
  'apply: on top of the new version · skip: leave the file · regenerate: the model reads it again and makes the change anew.'

export class CallDesk implements CallHost {
  readonly emit: (event: EventBody) => void
  private readonly store: SessionStore
  private readonly sessionId: string
  private readonly log: MessageLog
  private readonly pending: PendingAnswers
  private readonly parts: DeskOptions['parts']
  /** Message id of the placeholder, by call id. */
  private readonly placeholders = new Map<string, string>()

  constructor({ store, sessionId, log, emit, pending, parts }: DeskOptions) {
    this.store = store
    this.sessionId = sessionId
    this.log = log
    this.emit = emit
    this.pending = pending
    this.parts = parts
  }

  async chooseAfterError(error: ErrorInfo, signal: AbortSignal): Promise<'retry' | 'skip' | 'abort'> {
    if (!this.parts.interactive) return 'abort'
    this.emit({ type: 'status', state: 'error', detail: error.message })
    let requestId = ''
    const choice = await this.pending.wait<'retry' | 'skip' | 'abort'>('error', signal, (id) => {
      requestId = id
      this.emit({ type: 'error-request', id, error, choices: ['retry', 'skip', 'abort'] })
    })
    this.emit({ type: 'error-answer', id: requestId, choice: choice ?? 'abort' })
    if (choice === 'skip')
      this.emit({
        type: 'notice',
        level: 'info',
        text: 'Skipped: the message stays in the conversation, without an answer.',
      })
    return choice ?? 'abort'
  }

  async chooseInConflict(
    message: string,
    choices: readonly ConflictChoice[],
    signal: AbortSignal,
  ): Promise<ConflictChoice | undefined> {
    if (!this.parts.interactive) return undefined
    this.emit({ type: 'status', state: 'waiting', detail: 'conflict' })
    let requestId = ''
    const error: ErrorInfo = { code: 'workspace', message, recoverable: true, suggestion: CONFLICT_WORDS }
    const choice = await this.pending.wait<ConflictChoice>('error', signal, (id) => {
      requestId = id
      this.emit({ type: 'error-request', id, error, choices: [...choices] })
    })
    this.emit({ type: 'error-answer', id: requestId, choice: choice ?? 'skip' })
    // A choice that was not offered changes nothing.
    return choice === undefined || choices.includes(choice) ? choice : 'skip'
  }

  setPlan(items: PlanItem[]): void {
    this.emit({ type: 'plan-update', items })
  }

  async approve(actions: ApprovalAction[], signal: AbortSignal): Promise<ApprovalAnswer> {
    if (!this.parts.interactive) return { answer: 'unavailable' }
    this.emit({ type: 'status', state: 'waiting', detail: 'approval' })
    let requestId = ''
    const answer = await this.pending.wait<AnswerApproval>('approval', signal, (id) => {
      requestId = id
      this.store.addQuestion({
        id,
        sessionId: this.sessionId,
        kind: 'approval',
        text: actions.map((each) => each.title).join('; '),
        data: actions,
      })
      this.emit({ type: 'approval-request', id, actions })
    })
    const said = answer?.answer ?? 'cancelled'
    this.store.answerQuestion(requestId, said, 'user')
    this.emit({
      type: 'approval-answer',
      id: requestId,
      answer: said,
      ...(answer?.reason === undefined ? {} : { reason: answer.reason }),
    })
    if (!answer) return { answer: 'no', reason: 'The run was interrupted while it waited for approval.' }
    if (answer.answer === 'no')
      return { answer: 'no', ...(answer.reason === undefined ? {} : { reason: answer.reason }) }
    const scope = answer.scope ?? 'once'
    if (scope !== 'once')
      this.parts.policy.remember(
        actions.flatMap((each) => each.remember),
        scope,
      )
    return {
      answer: 'yes',
      scope,
      ...(answer.droppedHunks ? { droppedHunks: answer.droppedHunks } : {}),
      ...(answer.editedText === undefined ? {} : { editedText: answer.editedText }),
    }
  }

  async ask(question: Question, signal: AbortSignal): Promise<string | undefined> {
    if (!this.parts.interactive) return undefined
    this.emit({ type: 'status', state: 'waiting', detail: 'question' })
    let requestId = ''
    const answer = await this.pending.wait<string>('question', signal, (id) => {
      requestId = id
      this.store.addQuestion({
        id,
        sessionId: this.sessionId,
        kind: question.kind,
        text: question.question,
        ...(question.options ? { options: question.options } : {}),
      })
      this.emit({ type: 'question-request', question: { ...question, id } })
    })
    if (answer !== undefined) this.store.answerQuestion(requestId, answer, 'user')
    this.emit({ type: 'question-answer', id: requestId, answer: answer ?? null })
    return answer
  }

  onWaiting(call: ToolCall, kind: 'approval' | 'question', batchId: string, tool: string): void {
    const type = kind === 'approval' ? 'VALIDATION_CANCELLED' : 'COMMUNICATION_CANCELLED'
    const text =
      kind === 'approval'
        ? "This action waited for the user's approval and codehound ended before there was one. It was not done."
        : 'This question waited for the user and codehound ended before there was an answer.'
    const stored = this.log.append({
      sender: 'SYSTEM',
      text: '',
      system: { type, batchId, callId: call.id, toolName: tool, result: { status: 'cancelled', code: type, text } },
    })
    this.placeholders.set(call.id, stored.id)
  }

  onResult(call: ToolCall, result: ToolResult, facts: { batchId: string; tool: string; reads: boolean }): void {
    const message = {
      sender: 'SYSTEM' as const,
      text: '',
      system: {
        type: facts.reads ? ('DATA_ADDED' as const) : ('ACTIONS_EXECUTED' as const),
        batchId: facts.batchId,
        callId: call.id,
        toolName: facts.tool,
        result,
      },
    }
    const placeholder = this.placeholders.get(call.id)
    if (placeholder === undefined) this.log.append(message)
    else {
      this.placeholders.delete(call.id)
      this.log.replace(placeholder, message)
    }
    if (facts.tool === 'shell_exec' && typeof call.args['command'] === 'string') {
      const exitCode = result.data?.['exitCode']
      this.store.addCommand(this.sessionId, call.args['command'], typeof exitCode === 'number' ? exitCode : null)
    }
  }
}
