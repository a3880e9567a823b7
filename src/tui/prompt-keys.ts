// Keys at the prompt: editing, history, completion, sending.
import { runCommand, isCommand } from './commands.ts'
import { completeAt, openMenu, takeChoice } from './complete.ts'
import type { Controller } from './controller.ts'
import { edit, emptyEditor, expanded, insert, moveLine, setText } from './editor.ts'
import type { EditAction } from './editor.ts'
import { InputHistory } from './input-history.ts'
import type { Pressed } from './keys.ts'
import { editText } from './open-editor.ts'
import { runOwnCommand } from './own-command.ts'

const actions: Record<string, EditAction> = {
  left: 'left',
  right: 'right',
  'ctrl-b': 'left',
  'ctrl-f': 'right',
  'ctrl-left': 'word-left',
  'ctrl-right': 'word-right',
  'alt-left': 'word-left',
  'alt-right': 'word-right',
  'alt-b': 'word-left',
  'alt-f': 'word-right',
  home: 'line-start',
  end: 'line-end',
  'ctrl-a': 'line-start',
  'ctrl-e': 'line-end',
  backspace: 'delete-left',
  'ctrl-h': 'delete-left',
  delete: 'delete-right',
  'ctrl-w': 'kill-word-left',
  'alt-backspace': 'kill-word-left',
  'ctrl-backspace': 'kill-word-left',
  'alt-d': 'kill-word-right',
  'ctrl-u': 'kill-to-start',
  'ctrl-k': 'kill-to-end',
  'ctrl-y': 'yank',
}

const histories = new WeakMap<Controller, InputHistory>()
const historyOf = (controller: Controller): InputHistory => {
  let history = histories.get(controller)
  if (!history) {
    history = new InputHistory(() => controller.bench?.inputs(MAX_HISTORY))
    histories.set(controller, history)
  }
  return history
}

/** Stored inputs the arrows reach. */
const MAX_HISTORY = 1000

/** Does what a key means at the prompt. */
export function promptKey(controller: Controller, key: Pressed): void {
  if (controller.ui.search) return searchKey(controller, key)
  if (controller.ui.menu && menuKey(controller, key)) return
  const { ui } = controller
  const { editor } = ui
  const { name, text } = key
  const action = actions[name]
  if (action) controller.setEditor(edit(editor, action))
  else if (name === 'text') {
    controller.setEditor(insert(editor, text))
    void completeAt(controller)
  } else if (name === 'enter') enter(controller)
  else if (name === 'shift-enter' || name === 'alt-enter' || name === 'newline') {
    if (controller.settings.input.multiline === 'on') submitText(controller)
    else controller.setEditor(insert(editor, '\n'))
  } else if (name === 'up' || name === 'down') upDown(controller, name)
  else if (name === 'tab') void openMenu(controller)
  else if (name === 'ctrl-r') controller.setUi({ search: { query: '', hit: undefined, skip: 0 } })
  else if (name === 'ctrl-g') void editDraft(controller)
  else if (name === 'ctrl-d') {
    if (editor.text === '') controller.leave(0)
    else controller.setEditor(edit(editor, 'delete-right'))
  } else if (name === 'ctrl-z') {
    if (editor.text === '') void controller.submit({ type: 'undo-changes' }).then(() => controller.drawNow())
    else controller.undoTyping()
  } else if (name === 'ctrl-l') void controller.suspend(() => {})
}

function enter(controller: Controller): void {
  const { editor } = controller.ui
  if (controller.settings.input.multiline === 'on' && !isCommand(editor.text)) {
    controller.setEditor(insert(editor, '\n'))
    return
  }
  if (controller.settings.input.multiline !== 'off' && editor.text[editor.cursor - 1] === '\\') {
    controller.setEditor(insert(edit(editor, 'delete-left'), '\n'))
    return
  }
  submitText(controller)
}

/** Sends what stands at the prompt: a message, a command of the screen, or a command of the shell. */
function submitText(controller: Controller): void {
  const text = expanded(controller.ui.editor)
  if (text.trim() === '') return
  controller.setUi({ editor: { ...emptyEditor, killed: controller.ui.editor.killed }, menu: undefined })
  controller.forgetTyping()
  if (controller.ui.opening && text.trim() !== '/quit') controller.keepEarly(text)
  else void runLine(controller, text).catch((thrown: unknown) => controller.showError(thrown))
}

/** Does what a line says. */
export async function runLine(controller: Controller, text: string): Promise<void> {
  historyOf(controller).add(text)
  await runText(controller, text)
}

async function runText(controller: Controller, text: string): Promise<void> {
  if (isCommand(text)) {
    // So that the scrollback tells what the rows under it answer.
    controller.note(`> ${text.trim().split('\n')[0]}`)
    await runCommand(controller, text)
  } else if (text.startsWith('!')) {
    controller.print({ kind: 'user', text, attachments: [] })
    await runOwnCommand(controller, text.slice(1))
  } else {
    const more = /^(?:continue|\+(\d{1,4}))$/.exec(text.trim())
    if (more && controller.atLimit)
      await controller.submit({ type: 'continue-run', ...(more[1] === undefined ? {} : { turns: Number(more[1]) }) })
    else await controller.send(text)
  }
  controller.drawNow()
}

function upDown(controller: Controller, name: 'up' | 'down'): void {
  const { editor } = controller.ui
  const moved = moveLine(editor, name === 'up' ? -1 : 1)
  if (moved) return controller.setEditor(moved)
  const text = historyOf(controller).move(name === 'up' ? -1 : 1, editor.text)
  if (text !== undefined) controller.setEditor(setText(editor, text))
}

/** True when the list took the key. */
function menuKey(controller: Controller, { name }: Pressed): boolean {
  const { menu } = controller.ui
  if (!menu) return false
  if (name === 'tab' || name === 'down' || name === 'up') {
    const by = name === 'up' ? menu.items.length - 1 : 1
    // Tab takes the first of a list that came up by itself, and walks through one that was asked for.
    if (name === 'tab' && (menu.passive || menu.items.length === 1)) takeChoice(controller)
    else if (menu.passive && name === 'up') return false
    else
      controller.setUi({ menu: { ...menu, passive: false, at: menu.passive ? 0 : (menu.at + by) % menu.items.length } })
    return true
  }
  if (name === 'enter' && !menu.passive) {
    takeChoice(controller)
    return true
  }
  controller.setUi({ menu: undefined })
  return name === 'esc'
}

function searchKey(controller: Controller, { name, text }: Pressed): void {
  const { search } = controller.ui
  if (!search) return
  const history = historyOf(controller)
  const look = (query: string, skip: number): void =>
    controller.setUi({ search: { query, skip, hit: history.search(query, skip) } })
  if (name === 'text') look(search.query + text, 0)
  else if (name === 'backspace') look(search.query.slice(0, -1), 0)
  else if (name === 'ctrl-r') look(search.query, search.skip + 1)
  else {
    controller.setUi({ search: undefined })
    if (name === 'esc' || name === 'ctrl-g') return
    if (search.hit !== undefined) controller.setEditor(setText(controller.ui.editor, search.hit))
    if (name === 'enter' && search.hit !== undefined) submitText(controller)
  }
}

async function editDraft(controller: Controller): Promise<void> {
  const draft = `${expanded(controller.ui.editor)}\n`
  const edited = await editText(controller, draft, 'message.md')
  // Left as it was, a paste stays a chip.
  if (edited !== undefined && edited !== draft)
    controller.setEditor(setText(controller.ui.editor, edited.replace(/\n$/, '')))
  controller.drawNow()
}
