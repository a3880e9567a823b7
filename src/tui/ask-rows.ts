// What waits for an answer, as rows above the prompt: an approval with its diff, a question, a choice after an error.
import type { ApprovalAction, ErrorInfo, Question } from '../protocol/index.ts'
import { visible } from '../lib/visible.ts'
import { diffHead, hunkRows } from './diff-rows.ts'
import type { DiffLook } from './diff-rows.ts'
import { cut, wrap } from './styled-text.ts'
import type { ApprovalAnswer } from './ui-state.ts'

/** Rows around what the arrows are at. */
function windowed(rows: string[], focus: number, height: number, more: (hidden: number) => string): string[] {
  if (rows.length <= height) return rows
  const room = Math.max(1, height - 1)
  const first = Math.min(Math.max(0, focus), rows.length - room)
  return [...rows.slice(first, first + room), more(rows.length - room)]
}

/** Which part is shown of rows that do not fit. */
export interface Scrolled {
  first: number
  /** Rows shown. */
  room: number
  /** All there are. */
  rows: number
}

/** An approval; at most `height` rows. `scrolled` when what is asked about does not fit. */
export function approvalRows(
  actions: readonly ApprovalAction[],
  answer: ApprovalAnswer,
  look: DiffLook,
  height: number,
): { rows: string[]; scrolled: Scrolled | undefined } {
  const { theme, width } = look
  const keys = approvalKeys(actions, answer, look)
  const heads: string[] = []
  const body: string[] = []
  let focus = 0
  const [only] = actions
  const single = actions.length === 1 ? only?.diff : undefined
  for (const [n, action] of actions.entries()) {
    // Of several files it must be seen whose lines these are.
    if (action.diff && !single) body.push(`  ${theme.bold}${visible(action.diff.path)}${theme.reset}`)
    if (action.diff) heads.push(diffHead(action.diff, look))
    else {
      const what =
        action.subject !== undefined && !action.title.includes(action.subject) ? ` ${visible(action.subject)}` : ''
      heads.push(
        ...wrap(
          `${theme.accent}${theme.call}${theme.reset} ${visible(action.tool)} ${theme.bold}${visible(action.title)}${theme.reset}${what}`,
          width,
          '  ',
        ),
      )
    }
    for (const [i, hunk] of (action.diff?.hunks ?? []).entries()) {
      const dropped = single !== undefined && answer.dropped.has(i)
      const here = single !== undefined && i === answer.hunk
      if (here) focus = body.length
      const lead =
        single !== undefined && single.hunks.length > 1 ? (here ? `${theme.accent}>${theme.reset} ` : '  ') : '  '
      const rows = hunkRows(hunk, action.diff?.path ?? '', { ...look, width: width - 2 })
      if (i > 0 || dropped)
        body.push(`${lead}${theme.dim}${dropped ? 'dropped: space takes it back' : '…'}${theme.reset}`)
      if (!dropped) body.push(...rows.map((row, at) => (at === 0 ? lead : '  ') + row))
    }
    // Why is said once where it is the same for all.
    const why = whyRows(action, look)
    const next = actions[n + 1]
    if (!next || whyRows(next, look).join() !== why.join()) body.push(...why)
  }
  // A long command, or many files, go up and down with the rest.
  const isTall = heads.length > Math.max(1, Math.floor(height / 2))
  const shownHeads = isTall ? [] : heads
  const all = isTall ? [...heads, ...body] : body
  const room = Math.max(1, height - shownHeads.length - keys.length)
  if (all.length <= room) return { rows: [...shownHeads, ...all, ...keys], scrolled: undefined }
  const shown = Math.max(1, room - 1)
  const wanted = answer.first ?? (isTall ? 0 : focus)
  const scrolled = { first: Math.min(Math.max(0, wanted), all.length - shown), room: shown, rows: all.length }
  const part = all.slice(scrolled.first, scrolled.first + shown)
  return { rows: [...shownHeads, ...part, placeRow(scrolled, look), ...keys], scrolled }
}

/** Where one is in what does not fit, and how to see the rest. */
function placeRow({ first, room, rows }: Scrolled, { theme, width }: DiffLook): string {
  const place = `  rows ${first + 1}–${first + room} of ${rows}`
  const forms = [' · PageUp PageDown scroll · Ctrl+O prints all', ' · PgUp PgDn · Ctrl+O all', ' · PgUp PgDn', '']
  const fitting = forms.find((form) => place.length + form.length <= width) ?? ''
  return cut(`${theme.dim}${place}${fitting}${theme.reset}`, width)
}

/** Why it is asked, what would silence it, and what it touches. */
function whyRows(action: ApprovalAction, { theme, width }: DiffLook): string[] {
  const { reason, source, silence, warning } = action
  const where = source ? ` (${visible(source.file)}:${source.line})` : ''
  return [
    ...(warning === undefined ? [] : wrap(`  ${theme.warn}! ${visible(warning)}${theme.reset}`, width, '    ')),
    ...wrap(
      `  ${theme.dim}${visible(reason)}${where}${silence === undefined ? '' : ` · ${visible(silence)}`}${theme.reset}`,
      width,
      '  ',
    ),
  ]
}

function approvalKeys(
  actions: readonly ApprovalAction[],
  answer: ApprovalAnswer,
  { theme, width }: DiffLook,
): string[] {
  if (answer.reason) return [`${theme.dim}  a reason for the model, or Enter alone; Esc goes back${theme.reset}`]
  const key = (letter: string, what: string): string => `${theme.bold}[${letter}]${theme.reset} ${what}`
  const edits = actions.every((action) => action.diff !== undefined)
  const remember = [...new Set(actions.flatMap((action) => action.remember))]
  const [only] = actions
  const keys = edits
    ? [
        key('Y', answer.dropped.size > 0 ? 'apply the rest' : 'apply'),
        key('N', 'reject'),
        ...(actions.length === 1 && only?.diff?.change !== 'deleted' ? [key('E', 'edit')] : []),
        key('A', 'all'),
      ]
    : [
        key('Y', 'yes'),
        key('N', 'no'),
        ...(remember.length > 0 ? [key('S', 'this session'), key('W', `always: ${visible(remember.join(', '))}`)] : []),
      ]
  const hunks = actions.length === 1 ? (only?.diff?.hunks.length ?? 0) : 0
  const note =
    hunks > 1 ? `   ${theme.dim}hunk ${answer.hunk + 1}/${hunks} · arrows move, space drops${theme.reset}` : ''
  return wrap(`  ${keys.join('  ')}${note}`, width, '  ')
}

/** A question with its options; at most `height` rows, the chosen option whole and always among them. */
export function questionRows(question: Question, option: number, { theme, width }: DiffLook, height: number): string[] {
  const options = question.kind === 'confirm' ? (question.options ?? ['yes', 'no']) : (question.options ?? [])
  const more = (hidden: number): string => `${theme.dim}  … ${hidden} more${theme.reset}`
  const heads = windowed(
    wrap(`${theme.bold}?${theme.reset} ${visible(question.question)}`, width, '  '),
    0,
    Math.max(1, Math.floor(height / 2)),
    more,
  )
  const body = options.flatMap((each, i) => {
    const text = `${i + 1} ${visible(each)}`
    return i === option
      ? wrap(`  ${theme.accent}> ${text}${theme.reset}`, width, '      ')
      : [cut(`    ${text}`, width)]
  })
  return [
    ...heads,
    // Each option before the chosen one has one row.
    ...windowed(body, option, Math.max(1, height - heads.length - 1), more),
    cut(
      `${theme.dim}  ${options.length > 0 ? 'arrows and Enter, a number, or an answer of your own' : 'type an answer'}; Esc interrupts${theme.reset}`,
      width,
    ),
  ]
}

/** The keys of a choice: its first letter that no other choice before it has. */
export function choiceKeys(choices: readonly string[]): { letter: string; choice: string }[] {
  const taken = new Set<string>()
  return choices.map((choice) => {
    const letter = choice.split('').find((each) => !taken.has(each)) ?? choice[0]!
    taken.add(letter)
    return { letter, choice }
  })
}

/** A choice after an error. The error itself stands in the scrollback. */
export function errorRows({ choices }: { error: ErrorInfo; choices: string[] }, { theme, width }: DiffLook): string[] {
  const keys = choiceKeys(choices).map(
    ({ letter, choice }) => `${theme.bold}[${letter.toUpperCase()}]${theme.reset} ${choice}`,
  )
  return wrap(`  ${keys.join('  ')}`, width, '  ')
}
