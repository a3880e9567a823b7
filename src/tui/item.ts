// What is finished and goes into the scrollback, in order, each once.
import type { Attachment, ErrorInfo, FileDiff, PlanItem, Report, ToolResult } from '../protocol/index.ts'

/** A finished piece of the conversation. `text` items of one answer follow one another and are closed by `text-end`. */
export type Item =
  | { kind: 'user'; text: string; attachments: Attachment[] }
  | { kind: 'text'; text: string }
  | { kind: 'text-end' }
  | { kind: 'call'; name: string; title: string; result: ToolResult; durationMs: number | undefined; output: string }
  | { kind: 'diff'; diff: FileDiff }
  | { kind: 'approval'; titles: string[]; answer: 'yes' | 'no' | 'cancelled'; reason: string | undefined }
  | { kind: 'question'; question: string; answer: string | null }
  | { kind: 'note'; level: 'info' | 'warning' | 'error'; text: string; suggestion: string | undefined }
  | { kind: 'error'; error: ErrorInfo }
  | { kind: 'plan'; items: PlanItem[] }
  | { kind: 'output'; text: string }
  | { kind: 'interrupted' }
  | { kind: 'stats'; report: Report }
