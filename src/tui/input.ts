// What keys do, by what waits for them. Nothing here draws: the caller does, once per key.
import type { Controller } from './controller.ts'
import { askKey } from './ask-keys.ts'
import { paste as pasteInto } from './editor.ts'
import type { Pressed } from './keys.ts'
import { mentionPasted } from './paste-image.ts'
import { promptKey } from './prompt-keys.ts'
import { focusOf } from './ui-state.ts'
import type { Mode } from '../protocol/index.ts'

/** A second Ctrl+C within this time leaves. */
const LEAVE_WITHIN_MS = 3000

const modes: Mode[] = ['plan', 'ask', 'auto-edit', 'auto']

export class Input {
  private readonly controller: Controller
  private lastCtrlC = Number.NEGATIVE_INFINITY

  constructor(controller: Controller) {
    this.controller = controller
  }

  key(key: Pressed): void {
    const { controller } = this
    if (controller.heldLetter.key(key)) return controller.drawNow()
    // Esc and Ctrl+C stop what runs before anything is drawn or decided.
    if (key.name === 'ctrl-c') return this.ctrlC()
    if (key.name === 'esc' && (controller.running || controller.stopTask) && !this.hasOverlay())
      return controller.interrupt()
    controller.flush()
    if (controller.ui.hint !== '') controller.setUi({ hint: '' })
    if (key.name === 'shift-tab') void nextMode(controller)
    else if (key.name === 'ctrl-o') controller.setDetails(!controller.ui.details)
    else if (!askKey(controller, key)) promptKey(controller, key)
    controller.drawNow()
  }

  paste(text: string): void {
    const { controller } = this
    controller.heldLetter.drop()
    controller.flush()
    if (controller.ui.search) promptKey(controller, { name: 'text', text: text.split('\n')[0] ?? '' })
    else {
      const editor = pasteInto(controller.ui.editor, text)
      controller.setEditor(editor)
      controller.setUi({ picker: undefined })
      void mentionPasted(controller, text, editor)
    }
    controller.drawNow()
  }

  private hasOverlay(): boolean {
    const { view, ui } = this.controller
    const focus = focusOf(view, ui)
    const isChoosing = focus === 'large' && ui.large?.folders !== undefined
    return ui.menu !== undefined || focus === 'search' || focus === 'picker' || focus === 'reason' || isChoosing
  }

  private ctrlC(): void {
    const { controller } = this
    const again = controller.now() - this.lastCtrlC < LEAVE_WITHIN_MS
    this.lastCtrlC = controller.now()
    if ((controller.running || controller.stopTask) && !again) {
      controller.interrupt()
      controller.setUi({ hint: 'Ctrl+C again leaves' })
    } else if (again) return controller.leave(0)
    else if (controller.ui.editor.text !== '') {
      controller.setEditor({ ...controller.ui.editor, text: '', cursor: 0, killed: controller.ui.editor.text })
      controller.setUi({ menu: undefined, search: undefined, hint: 'Ctrl+Y brings the text back; Ctrl+C again leaves' })
    } else controller.setUi({ picker: undefined, search: undefined, menu: undefined, hint: 'Ctrl+C again leaves' })
    controller.drawNow()
  }
}

/** The next mode that may be entered; a refusal is told by the session. */
async function nextMode(controller: Controller): Promise<void> {
  const at = modes.indexOf(controller.view.mode)
  const mode = modes[(at + 1) % modes.length]!
  await controller.submit({ type: 'set-mode', mode })
  controller.flush()
  if (controller.view.mode !== mode) {
    await controller.submit({ type: 'set-mode', mode: modes[(at + 2) % modes.length]! })
    controller.flush()
  }
  controller.drawNow()
}
