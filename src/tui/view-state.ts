// The view of a session as a pure function of its events: `reduce` gives the next view and the items that are finished.
import type { ErrorInfo, Event, Message } from '../protocol/index.ts'
import type { Item } from './item.ts'
import { noRun, type View } from './view.ts'

/** Output of a running call that is kept for the screen. Characters. */
const KEPT_OUTPUT = 4000

export interface ReduceOptions {
  /** False holds text back until it is whole (`display.stream`). */
  stream: boolean
}

interface Step {
  view: View
  items: Item[]
}

/** The next view, and what is finished by this event. */
export function reduce(view: View, event: Event, options: ReduceOptions): Step {
  const only = (change: Partial<View>, ...items: Item[]): Step => ({ view: { ...view, ...change }, items })
  switch (event.type) {
    case 'session-start':
      return only({ model: event.model })
    case 'run-start':
      return only({
        model: event.model,
        mode: event.mode,
        window: event.window,
        runSince: event.time,
        plan: [],
        told: new Set(),
        shownError: '',
      })
    case 'message':
      return takeMessage(view, event.message)
    case 'turn-start':
      return only({ contextTokens: event.promptTokens, window: event.window, retry: undefined })
    case 'text-delta':
      if (!options.stream) return { view: { ...answering(view), held: view.held + event.text }, items: [] }
      return { view: answering(view), items: [{ kind: 'text', text: event.text }] }
    case 'text-end':
      if (view.held === '') return only({}, { kind: 'text-end' })
      return only({ held: '' }, { kind: 'text', text: view.held }, { kind: 'text-end' })
    case 'reasoning-delta':
      return { view: answering(view), items: [] }
    case 'retry':
      return only({
        activity: 'retry',
        retry: {
          attempt: event.attempt,
          of: event.of,
          until: event.time + event.delayMs,
          why: `${event.error.status ?? event.error.code}`,
        },
      })
    case 'status':
      return only({ activity: event.state, retry: event.state === 'retry' ? view.retry : undefined })
    case 'usage':
      return only({ contextTokens: event.contextTokens, window: event.window })
    case 'mode-change':
      return only({ mode: event.mode })
    case 'model-change':
      return only({ model: event.model, window: event.window }, info(`model: ${event.model}`))
    case 'tool-call':
    case 'tool-output-delta':
    case 'tool-result':
    case 'file-change':
      return takeCall(view, event)
    case 'approval-request':
    case 'approval-answer':
    case 'question-request':
    case 'question-answer':
    case 'error-request':
    case 'error-answer':
      return takeAsking(view, event)
    case 'plan-update':
      return only({ plan: event.items })
    case 'run-end':
      return endRun(view, event)
    default:
      return takeOther(view, event)
  }
}

const info = (text: string): Item => ({ kind: 'note', level: 'info', text, suggestion: undefined })

function takeMessage(view: View, message: Message): Step {
  if (message.sender !== 'USER') return { view, items: [] }
  const place = view.queue.indexOf(message.text)
  const queue = place < 0 ? view.queue : view.queue.toSpliced(place, 1)
  return {
    // After another message the same fault is news.
    view: { ...view, queue, userMessages: view.userMessages + 1, shownError: '' },
    items: [{ kind: 'user', text: message.text, attachments: message.attachments ?? [] }],
  }
}

type Of<Type extends Event['type']> = Extract<Event, { type: Type }>

function takeCall(
  view: View,
  event: Of<'tool-call'> | Of<'tool-output-delta'> | Of<'tool-result'> | Of<'file-change'>,
): Step {
  switch (event.type) {
    case 'tool-call': {
      const call = { id: event.call.id, name: event.call.name, title: event.title, since: event.time, output: '' }
      return { view: { ...answering(view), activity: 'tool', running: [...view.running, call] }, items: [] }
    }
    case 'tool-output-delta': {
      if (!view.running.some((call) => call.id === event.callId))
        return { view, items: [{ kind: 'output', text: event.text }] }
      const running = view.running.map((call) =>
        call.id === event.callId ? { ...call, output: (call.output + event.text).slice(-KEPT_OUTPUT) } : call,
      )
      return { view: { ...view, running }, items: [] }
    }
    case 'tool-result': {
      const call = view.running.find((each) => each.id === event.callId)
      const running = view.running.filter((each) => each.id !== event.callId)
      const next = { ...view, running, activity: running.length === 0 && call ? ('thinking' as const) : view.activity }
      if (view.told.has(event.callId)) return { view: next, items: [] }
      const { result, durationMs } = event
      const item: Item = {
        kind: 'call',
        name: call?.name ?? event.tool,
        title: call?.title ?? '',
        result,
        durationMs,
        output: call?.output ?? '',
      }
      return { view: next, items: [item] }
    }
    case 'file-change':
      return { view, items: event.diff ? [{ kind: 'diff', diff: event.diff }] : [] }
  }
}

function takeAsking(
  view: View,
  event:
    | Of<'approval-request'>
    | Of<'approval-answer'>
    | Of<'question-request'>
    | Of<'question-answer'>
    | Of<'error-request'>
    | Of<'error-answer'>,
): Step {
  const none: Item[] = []
  switch (event.type) {
    case 'approval-request':
      return { view: { ...view, approval: { id: event.id, actions: event.actions } }, items: none }
    case 'approval-answer': {
      const titles = view.approval?.actions.map((action) => action.title) ?? []
      const { answer, reason } = event
      const told = answer === 'no' ? view.approval?.actions.map((action) => action.callId) : undefined
      return {
        view: { ...working(view), approval: undefined, ...(told ? { told: new Set([...view.told, ...told]) } : {}) },
        items: [{ kind: 'approval', titles, answer, reason }],
      }
    }
    case 'question-request':
      return { view: { ...view, question: event.question }, items: none }
    case 'question-answer': {
      const question = view.question?.question ?? ''
      const told = new Set([...view.told, ...(view.question ? [view.question.callId] : [])])
      return {
        view: { ...working(view), question: undefined, told },
        items: [{ kind: 'question', question, answer: event.answer }],
      }
    }
    case 'error-request': {
      const { id, error, choices } = event
      return showError({ ...view, errorRequest: { id, error, choices } }, error)
    }
    case 'error-answer': {
      // After a retry the same fault is news.
      const shownError = event.choice === 'retry' ? '' : view.shownError
      return { view: { ...working(view), errorRequest: undefined, shownError }, items: none }
    }
  }
}

/** The view when the model speaks: the prompt is read, and whatever was tried again has worked. */
function answering(view: View): View {
  const waited = view.retry || view.activity === 'retry' || view.activity === 'reading-prompt'
  return waited ? { ...view, retry: undefined, activity: 'thinking' } : view
}

/** The view after an answer: what waited goes on. */
function working(view: View): View {
  return { ...view, activity: view.running.length > 0 ? 'tool' : 'thinking' }
}

function endRun(view: View, { report, time }: Of<'run-end'>): Step {
  const items: Item[] = [{ kind: 'text-end' }]
  // What was still open when the run was stopped leaves its line.
  for (const { name, title, output, since } of view.running)
    items.push({
      kind: 'call',
      name,
      title,
      output,
      durationMs: Math.max(0, time - since),
      result: { status: 'cancelled', code: 'INTERRUPTED', text: 'interrupted' },
    })
  if (view.plan.some((each) => each.state !== 'done')) items.push({ kind: 'plan', items: view.plan })
  if (report.outcome === 'interrupted') items.push({ kind: 'interrupted' })
  items.push({ kind: 'stats', report })
  return {
    view: {
      ...view,
      ...noRun,
      activity: report.outcome === 'failed' || report.outcome === 'unreachable' ? 'error' : 'ready',
    },
    items: view.held === '' ? items : [{ kind: 'text', text: view.held }, ...items],
  }
}

function showError(view: View, error: ErrorInfo): Step {
  if (error.message === view.shownError) return { view, items: [] }
  return { view: { ...view, shownError: error.message }, items: [{ kind: 'error', error }] }
}

function takeOther(view: View, event: Event): Step {
  const show = (...items: Item[]): Step => ({ view, items })
  switch (event.type) {
    case 'notice':
      return show({ kind: 'note', level: event.level, text: event.text, suggestion: event.suggestion })
    case 'error':
      return showError(view, event.error)
    case 'limit-reached':
      return show({
        kind: 'note',
        level: 'warning',
        text: event.text,
        suggestion: 'Type "continue" to go on, or +N for N more turns.',
      })
    case 'format-error':
      return show({
        kind: 'note',
        level: 'warning',
        text: `The answer did not parse (attempt ${event.attempt}): ${event.text.split('\n')[0] ?? ''}`,
        suggestion: undefined,
      })
    case 'compaction':
      return {
        view: { ...view, contextTokens: event.after },
        items: [info(`context compacted: ${event.before} → ${event.after} tokens`)],
      }
    case 'context':
      return show(...contextItems(event))
    case 'changes-undone':
      return show(info(event.text))
    case 'messages-returned':
      return { view: { ...view, queue: [] }, items: [] }
    case 'index-progress':
      return progress(view, event.phase === 'ready' || event.phase === 'failed', {
        label: `index: ${event.phase}`,
        done: event.done,
        total: event.total,
        bytes: false,
      })
    case 'pull-progress':
      return progress(view, event.status === 'success', {
        label: `${event.model}: ${event.status}`,
        done: event.completed,
        total: event.total,
        bytes: true,
      })
    default:
      return { view, items: [] }
  }
}

/** What can be pinned and dropped has its number. */
function blockTitle({ id, title, pinned }: { id: string; title: string; pinned?: boolean | undefined }): string {
  return `${id.startsWith('#') ? `${id} ` : ''}${title}${pinned ? ' (pinned)' : ''}`
}

/** The blocks of the prompt and their sum. */
function contextItems({ blocks, window }: Of<'context'>): Item[] {
  const sum = blocks.reduce((all, block) => all + block.tokens, 0)
  const over = sum > window ? ', so older parts are shortened before the next request' : ''
  return [
    ...blocks.map((block) => info(`${String(block.tokens).padStart(7)}  ${blockTitle(block)} · ${block.why}`)),
    info(`${String(sum).padStart(7)}  of a window of ${window}${over}`),
  ]
}

function progress(view: View, ended: boolean, next: NonNullable<View['progress']>): Step {
  return { view: { ...view, progress: ended ? undefined : next }, items: [] }
}
