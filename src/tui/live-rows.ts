// The live part of the screen: what is unfinished, what waits for an answer, the status and the prompt. A pure function of
// view, prompt and size; always shorter than the screen, because a live part that fills it cannot be redrawn without a clear.
import { visible } from '../lib/visible.ts'
import { approvalRows, errorRows, questionRows } from './ask-rows.ts'
import type { Scrolled } from './ask-rows.ts'
import type { DiffLook } from './diff-rows.ts'
import { barText, bytesText, countText, elapsedText } from './numbers.ts'
import { callTitle, planRows } from './item-rows.ts'
import { largeRows } from './large-index.ts'
import { outputLine } from './output-line.ts'
import { promptRows } from './prompt-rows.ts'
import { cut, styledCells, wrap } from './styled-text.ts'
import { focusOf, newAnswer } from './ui-state.ts'
import type { Ui } from './ui-state.ts'
import type { View } from './view.ts'

export interface LiveInput {
  view: View
  ui: Ui
  /** Unfinished rows of the answer. */
  text: string[]
  look: DiffLook
  /** Rows of the screen. */
  height: number
  /** Milliseconds since the epoch. */
  now: number
  project: string
  branch: string | undefined
  /** Start of the session on this screen. */
  since: number
  progressBar: boolean
}

export interface LiveRows {
  rows: string[]
  cursor: { x: number; y: number }
  /** The part of an approval that is shown, when not all of it is. */
  scrolled: Scrolled | undefined
}

/** Rows of output shown of a running call. */
const TAIL_ROWS = 4
const MENU_ROWS = 6
/** Rows of the screen that stay free. */
const FREE_ROWS = 2

/** The live part; at most `height - FREE_ROWS` rows. */
export function liveRows(input: LiveInput): LiveRows {
  const { view, ui, look, height } = input
  const { width } = look
  const room = Math.max(4, height - FREE_ROWS)
  const focus = focusOf(view, ui)
  const lead = focus === 'reason' ? 'reason> ' : '> '
  const prompt =
    focus === 'search'
      ? searchRows(input)
      : promptRows(ui.editor, lead, width, Math.max(1, Math.min(10, Math.floor(room / 3))))
  const status = statusRow(input)
  const below = [
    ...menuRows(ui, look),
    ...(ui.hint === '' ? [] : [cut(`${look.theme.dim}${ui.hint}${look.theme.reset}`, width)]),
  ]
  const left = room - prompt.rows.length - below.length - 2
  const asked = askRows(input, Math.max(3, left - 2))
  const above = fit([input.text, busyRows(input), asked.rows, pickerRows(ui, look, left)], left)
  const head = [...above, ...queueRows(view, look).slice(0, Math.max(0, left - above.length)), '', status]
  const rows = [...head, ...prompt.rows, ...below].map((row) => cut(row.replaceAll('\n', ' '), width).trimEnd())
  // On a screen of a few rows what stands first goes first.
  const gone = Math.max(0, rows.length - room)
  const y = Math.max(0, head.length + prompt.cursor.y - gone)
  return { rows: rows.slice(gone), cursor: { x: Math.min(prompt.cursor.x, width - 1), y }, scrolled: asked.scrolled }
}

/** Groups of rows, cut at their heads so that all of them have `room`; the last group has precedence. */
function fit(groups: string[][], room: number): string[] {
  const out: string[][] = []
  let left = Math.max(0, room)
  for (const group of groups.toReversed()) {
    const rows = left === 0 ? [] : group.slice(-left)
    left -= rows.length
    out.unshift(rows)
  }
  return out.flat()
}

function busyRows({ view, look, now }: LiveInput): string[] {
  const { theme, width } = look
  const asked = new Set(view.approval?.actions.map((action) => action.callId))
  if (view.question) asked.add(view.question.callId)
  const calls = view.running.flatMap((call) => {
    if (asked.has(call.id)) return []
    const time = now - call.since >= 1000 ? `  ${elapsedText(now - call.since)}` : ''
    const head = cut(
      `${theme.warn}${theme.call}${theme.reset} ${visible(call.name)} ${theme.dim}${visible(callTitle(call.name, call.title))}${time}${theme.reset}`,
      width,
    )
    const tail = call.output
      .trimEnd()
      .split('\n')
      .slice(-TAIL_ROWS)
      .filter((line) => line !== '')
      .map((line) => cut(`  ${theme.dim}${outputLine(line)}${theme.reset}`, width))
    return [head, ...tail]
  })
  return [...planRows(view.plan, theme, width), ...calls]
}

function askRows({ view, ui, look }: LiveInput, height: number): { rows: string[]; scrolled: Scrolled | undefined } {
  const { theme } = look
  const plain = (rows: string[]) => ({ rows, scrolled: undefined })
  if (view.approval) {
    const answer = ui.approval?.id === view.approval.id ? ui.approval : newAnswer(view.approval.id)
    const { rows, scrolled } = approvalRows(view.approval.actions, answer, look, height)
    if (ui.editor.text === '' || ui.held || answer.reason) return { rows, scrolled }
    const how = `${theme.dim}  empty the line (Ctrl+U) or send it, then answer${theme.reset}`
    return { rows: [...rows.slice(0, -1), how], scrolled }
  }
  if (view.question) return plain(questionRows(view.question, ui.option, look, height))
  if (view.errorRequest) return plain(errorRows(view.errorRequest, look))
  return plain(ui.large ? largeRows(ui.large, look, height) : [])
}

function pickerRows({ picker }: Ui, { theme, width }: DiffLook, height: number): string[] {
  if (!picker) return []
  const title = `${theme.bold}${visible(picker.title)}${theme.reset}${theme.dim}  arrows, Enter; Esc leaves${theme.reset}`
  const heads = wrap(title, width, '  ')
  const room = Math.max(2, Math.min(picker.items.length, height - 1 - heads.length))
  const first = Math.min(Math.max(0, picker.at - room + 1), Math.max(0, picker.items.length - room))
  return [
    ...heads,
    ...picker.items
      .slice(first, first + room)
      .map(({ text, note }, i) =>
        cut(
          `${first + i === picker.at ? `${theme.accent}> ` : '  '}${visible(text)}${theme.reset}${note === '' ? '' : `  ${theme.dim}${visible(note)}${theme.reset}`}`,
          width,
        ),
      ),
  ]
}

function menuRows({ menu }: Ui, { theme, width }: DiffLook): string[] {
  if (!menu) return []
  const first = Math.min(Math.max(0, menu.at - MENU_ROWS + 1), Math.max(0, menu.items.length - MENU_ROWS))
  const rows = menu.items
    .slice(first, first + MENU_ROWS)
    .map(({ text, note }, i) =>
      cut(
        `  ${first + i === menu.at ? theme.accent : theme.dim}${visible(text)}${theme.reset}${note === '' ? '' : `  ${theme.dim}${visible(note)}${theme.reset}`}`,
        width,
      ),
    )
  const hidden = menu.items.length - rows.length
  return hidden > 0 ? [...rows, `${theme.dim}  … ${hidden} more, with the arrows${theme.reset}`] : rows
}

function queueRows(view: View, { theme, width }: DiffLook): string[] {
  return view.queue.map((text) => cut(`${theme.dim}queued: ${visible(text.split('\n')[0] ?? '')}${theme.reset}`, width))
}

function searchRows({ ui, look }: LiveInput): { rows: string[]; cursor: { x: number; y: number } } {
  const query = ui.search?.query ?? ''
  const hit = ui.search?.hit
  const lead = `search: ${query}`
  const shown = hit === undefined ? (query === '' ? '' : '  (nothing found)') : `  ${hit.split('\n')[0] ?? ''}`
  return {
    rows: [cut(`${visible(lead)}${look.theme.dim}${visible(shown)}${look.theme.reset}`, look.width)],
    cursor: { x: Math.min(styledCells(lead), look.width - 1), y: 0 },
  }
}

/** What the program is doing, in one word or two. */
function activityText({ view, ui, now, progressBar }: LiveInput): string {
  if (ui.opening) return 'opening'
  if (ui.stopping) return 'interrupted'
  const { retry } = view
  if (retry)
    return `retry ${retry.attempt}/${retry.of} in ${Math.max(0, Math.ceil((retry.until - now) / 1000))} s (${retry.why})`
  if (view.progress && view.runSince === undefined) return progressText(view.progress, progressBar)
  const words = {
    ready: 'ready',
    thinking: 'thinking',
    'reading-prompt': 'reading the prompt',
    tool: 'tool',
    waiting: 'waiting for you',
    retry: 'retry',
    error: 'error',
  }
  const word = words[view.activity]
  return view.runSince === undefined ? word : `${word} ${elapsedText(now - view.runSince)}`
}

function progressText({ label, done, total, bytes }: NonNullable<View['progress']>, bar: boolean): string {
  const share = bar ? barText(done, total) : total > 0 ? `${Math.floor((done / total) * 100)} %` : ''
  return `${label} ${share}${bytes && total > 0 ? ` of ${bytesText(total)}` : ''}`
}

/** One row; what matters least goes first when there is no room. */
function statusRow(input: LiveInput): string {
  const { view, ui, look, project, branch, now, since } = input
  const { theme, width } = look
  const minutes = Math.floor((now - since) / 60_000)
  const full = view.window > 0 ? `ctx ${Math.round((100 * view.contextTokens) / view.window)}%` : ''
  const parts: { text: string; keep: number }[] = [
    { text: 'codehound', keep: 1 },
    { text: visible(project), keep: 5 },
    { text: branch === undefined ? '' : visible(branch), keep: 3 },
    { text: full, keep: 6 },
    { text: minutes > 0 ? elapsedText(minutes * 60_000) : '', keep: 2 },
    { text: activityText(input), keep: 9 },
    { text: view.progress && view.runSince !== undefined ? progressText(view.progress, false) : '', keep: 3 },
    { text: visible(view.model), keep: 4 },
    { text: view.mode, keep: 8 },
    { text: view.queue.length > 0 ? `queue ${countText(view.queue.length)}` : '', keep: 7 },
    { text: ui.details ? 'details' : '', keep: 2 },
  ].filter((part) => part.text !== '')
  const length = (): number => parts.reduce((sum, part) => sum + styledCells(part.text) + 3, -3)
  while (parts.length > 2 && length() > width) {
    const least = Math.min(...parts.map((part) => part.keep))
    parts.splice(
      parts.findIndex((part) => part.keep === least),
      1,
    )
  }
  const row = parts.map((part) => part.text).join(' · ')
  return cut(`${theme.dim}${row.replaceAll('\n', ' ')}${theme.reset}`, width)
}
