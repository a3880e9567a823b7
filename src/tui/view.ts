// What a screen shows of a session, as data without widths, colours, keys or terminals.
import type { ApprovalAction, ErrorInfo, Mode, PlanItem, Question } from '../protocol/index.ts'

export interface RunningCall {
  id: string
  name: string
  title: string
  /** Milliseconds since the epoch. */
  since: number
  /** Last characters of its output. */
  output: string
}

export interface Retry {
  attempt: number
  of: number
  /** Milliseconds since the epoch when it is tried again. */
  until: number
  why: string
}

export type Activity = 'ready' | 'thinking' | 'reading-prompt' | 'tool' | 'waiting' | 'retry' | 'error'

export interface View {
  model: string
  mode: Mode
  activity: Activity
  /** Start of the run in progress, milliseconds since the epoch. */
  runSince: number | undefined
  contextTokens: number
  window: number
  running: RunningCall[]
  /** Text of an answer that waits for its end because streaming is off. */
  held: string
  retry: Retry | undefined
  approval: { id: string; actions: ApprovalAction[] } | undefined
  question: Question | undefined
  errorRequest: { id: string; error: ErrorInfo; choices: string[] } | undefined
  plan: PlanItem[]
  /** Messages typed during the run that have not joined yet. */
  queue: string[]
  progress: { label: string; done: number; total: number; bytes: boolean } | undefined
  /** Messages of the user so far. */
  userMessages: number
  /** Message of the error shown last, so that one fault is told once. */
  shownError: string
  /** Calls whose end is told already, by the line of the refusal or of the answer. */
  told: ReadonlySet<string>
}

/** What of a view is over when a run is. */
export const noRun = {
  runSince: undefined,
  running: [],
  held: '',
  retry: undefined,
  approval: undefined,
  question: undefined,
  errorRequest: undefined,
  plan: [],
} satisfies Partial<View>

export const emptyView: View = {
  ...noRun,
  model: '',
  mode: 'ask',
  activity: 'ready',
  contextTokens: 0,
  window: 0,
  queue: [],
  progress: undefined,
  userMessages: 0,
  shownError: '',
  told: new Set(),
}
