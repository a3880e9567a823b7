// The question about a workspace with very many files: how much of it the index is to read. It stands above the prompt until it
// is answered; what is typed goes to the prompt as ever, but for the path once a folder is being chosen.
import type { IndexNews, LargeAnswer, LargeFolder } from '../client/workbench.ts'
import { visible } from '../lib/visible.ts'
import { isCommand } from './commands.ts'
import type { Controller } from './controller.ts'
import type { DiffLook } from './diff-rows.ts'
import { emptyEditor, expanded } from './editor.ts'
import type { Pressed } from './keys.ts'
import { cut, wrap } from './styled-text.ts'
import { counted, countText } from './numbers.ts'

/** Where the question has got. */
export interface LargeAsk {
  question: LargeFolder
  /** The option the arrows are at. */
  at: number
  /** Folders to choose from, in the order they were first shown; undefined before. */
  folders: LargeFolder['folders'] | undefined
}

/** What can be said, as it is typed in the line mode. */
const CHOICES = ['continue', 'choose a folder', 'cancel'] as const
const NOTES = ['read them all, which takes time and memory', 'the index keeps to it', 'no code index in this session']

/** As many as there are digits to choose by. */
const MOST_SHOWN = 9

/** Takes what is new of the index. */
export function takeIndexNews(controller: Controller, { question, progress }: IndexNews): void {
  const before = controller.ui.large
  const large = question && {
    question,
    at: before?.at ?? 0,
    folders: before?.folders && sameOrder(before.folders, question.folders),
  }
  controller.setUi({ large })
  if (large && !before) controller.onWaiting()
  controller.showProgress(progress && { label: `index: ${progress.phase}`, ...progress, bytes: false })
}

/** Newer counts in the order that is on the screen, what is new behind them: what an arrow is at must not move away. */
function sameOrder(shown: LargeFolder['folders'], next: LargeFolder['folders']): LargeFolder['folders'] {
  const newer = new Map(next.map((each) => [each.path, each]))
  const kept = shown.map((each) => newer.get(each.path) ?? each)
  const known = new Set(kept.map(({ path }) => path))
  return [...kept, ...next.filter(({ path }) => !known.has(path))].slice(0, MOST_SHOWN)
}

function questionText({ files, isCounting, limit }: LargeFolder): string {
  return `More than ${countText(limit)} files are here (${countText(files)}${isCounting ? ' so far' : ''}). Read them all into the code index?`
}

function options({ folders }: LargeAsk): { text: string; note: string }[] {
  return (
    folders?.map(({ path, files }) => ({ text: `${path}/`, note: counted(files, 'file') })) ??
    CHOICES.map((text, i) => ({ text, note: NOTES[i]! }))
  )
}

/** The question with its options, above the prompt. */
export function largeRows(ask: LargeAsk, { theme, width }: DiffLook, height: number): string[] {
  const title = ask.folders ? 'Which folder is the code index to keep to?' : questionText(ask.question)
  const keys = ask.folders
    ? 'arrows and Enter, a number, or a path of your own; Esc goes back'
    : 'arrows and Enter, or a number; the prompt works meanwhile'
  const heads = wrap(`${theme.bold}?${theme.reset} ${title}`, width, '  ')
  const rows = options(ask).map(({ text, note }, i) =>
    cut(
      `  ${i === ask.at ? `${theme.accent}>` : ' '} ${i + 1} ${visible(text)}${theme.reset}  ${theme.dim}${note}${theme.reset}`,
      width,
    ),
  )
  const room = Math.max(1, height - heads.length - 1)
  const first = Math.max(0, Math.min(ask.at - room + 1, rows.length - room))
  return [...heads, ...rows.slice(first, first + room), cut(`${theme.dim}  ${keys}${theme.reset}`, width)]
}

/** The same in lines, for the line mode. */
export function largeLines(ask: LargeAsk): string[] {
  return [
    ask.folders ? 'Which folder is the code index to keep to?' : `? ${questionText(ask.question)}`,
    ...options(ask).map(({ text, note }, i) => `${i + 1} ${visible(text)}  ${note}`),
    ask.folders ? 'Type a number or a path; an empty line goes back.' : 'Type a number; anything else is a message.',
  ]
}

/** Takes a key that is meant for the question. */
export function largeKey(controller: Controller, { name, text }: Pressed): boolean {
  const ask = controller.ui.large
  if (!ask) return false
  const typed = expanded(controller.ui.editor)
  if (typed !== '') {
    if (name !== 'enter' || ask.folders === undefined || isCommand(typed)) return false
    controller.setUi({ editor: emptyEditor, menu: undefined })
    give(controller, { kind: 'folder', path: typed.trim() })
    return true
  }
  const last = options(ask).length
  if (name === 'up' || name === 'down') {
    if (last > 0) controller.setUi({ large: { ...ask, at: (ask.at + (name === 'up' ? last - 1 : 1)) % last } })
  } else if (name === 'enter') choose(controller, ask.at)
  else if (name === 'esc' && ask.folders) controller.setUi({ large: { ...ask, folders: undefined, at: 1 } })
  else if (name === 'text' && /^[1-9]$/.test(text) && Number(text) <= last)
    controller.heldLetter.hold(text, () => choose(controller, Number(text) - 1))
  else return false
  return true
}

/** Takes a line of the line mode; false when it is none of the answers. */
export function largeLine(controller: Controller, line: string): boolean {
  const ask = controller.ui.large
  if (!ask) return false
  const text = line.trim()
  if (ask.folders) {
    if (isCommand(text) || text.startsWith('!')) return false
    if (text === '') controller.setUi({ large: { ...ask, folders: undefined, at: 0 } })
    else if (/^\d$/.test(text) && ask.folders[Number(text) - 1]) choose(controller, Number(text) - 1)
    else give(controller, { kind: 'folder', path: text })
    return true
  }
  const at = CHOICES.findIndex((choice, i) => text === String(i + 1) || text.toLowerCase() === choice)
  if (at < 0) return false
  choose(controller, at)
  return true
}

function choose(controller: Controller, at: number): void {
  const ask = controller.ui.large
  if (!ask) return
  const folder = ask.folders?.[at]
  if (ask.folders) {
    if (folder) give(controller, { kind: 'folder', path: folder.path })
  } else if (at === 1) controller.setUi({ large: { ...ask, folders: ask.question.folders, at: 0 } })
  else give(controller, { kind: at === 0 ? 'all' : 'none' })
}

/** The question stays when the answer is refused. */
function give(controller: Controller, answer: LargeAnswer): void {
  void controller.bench
    ?.answerLarge(answer)
    .then((text) => controller.note(text))
    .catch((thrown: unknown) => controller.showError(thrown))
    .then(() => controller.drawNow())
}
