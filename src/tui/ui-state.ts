// What the user is doing at the prompt, as plain data: the text he types, the list he chooses from, how far an answer has got.
import type { View } from './view.ts'
import { emptyEditor } from './editor.ts'
import type { Editor } from './editor.ts'
import type { LargeAsk } from './large-index.ts'

/** Completions under the prompt; the chosen one replaces `from`..`to` of the text. */
export interface Menu {
  items: { text: string; note: string }[]
  at: number
  from: number
  to: number
  /** Opened while typing: Enter sends instead of choosing, until an arrow or Tab was used. */
  passive: boolean
}

export interface HistorySearch {
  query: string
  /** What is found; undefined when nothing is. */
  hit: string | undefined
  /** How many hits are skipped. */
  skip: number
}

/** How far the answer to an approval has got. */
export interface ApprovalAnswer {
  id: string
  /** Hunk the arrows are at. */
  hunk: number
  /** First row shown of what does not fit; undefined while it goes by the hunk. */
  first: number | undefined
  dropped: ReadonlySet<number>
  /** A reason for a no is being typed. */
  reason: boolean
}

/** A list that a command opened: sessions, models, messages to rewind to. */
export interface Picker {
  title: string
  items: { text: string; note: string }[]
  at: number
  choose: (at: number) => void
}

export interface Ui {
  editor: Editor
  menu: Menu | undefined
  search: HistorySearch | undefined
  approval: ApprovalAnswer | undefined
  /** Option of an open question the arrows are at. */
  option: number
  picker: Picker | undefined
  /** The letter at the prompt may be an answer. */
  held: boolean
  /** The question about a workspace with very many files. */
  large: LargeAsk | undefined
  details: boolean
  /** A line beside the prompt, gone with the next key. */
  hint: string
  /** Interrupted, but the run has not ended yet. */
  stopping: boolean
  /** The application is still being opened. */
  opening: boolean
}

export const emptyUi: Ui = {
  editor: emptyEditor,
  menu: undefined,
  search: undefined,
  approval: undefined,
  option: 0,
  picker: undefined,
  held: false,
  large: undefined,
  details: false,
  hint: '',
  stopping: false,
  opening: true,
}

/** What a key at the prompt means at this moment. A text that is being typed is never taken for an answer. */
export type Focus = 'prompt' | 'search' | 'picker' | 'approval' | 'reason' | 'question' | 'error' | 'large'

export function focusOf(view: View, ui: Ui): Focus {
  if (ui.search) return 'search'
  if (ui.picker) return 'picker'
  if (view.approval && ui.approval?.reason) return 'reason'
  const isChoosing = ui.large?.folders !== undefined && !view.approval
  if (ui.editor.text !== '') return view.question ? 'question' : isChoosing ? 'large' : 'prompt'
  if (view.approval) return 'approval'
  if (view.question) return 'question'
  if (view.errorRequest) return 'error'
  return ui.large ? 'large' : 'prompt'
}

/** The answer to an approval as it begins. */
export const newAnswer = (id: string): ApprovalAnswer => ({
  id,
  hunk: 0,
  first: undefined,
  dropped: new Set(),
  reason: false,
})
