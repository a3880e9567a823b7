// A letter at an empty prompt, while something waits for an answer, may be that answer or the beginning of a sentence ("stop
// that" is no `S`, "a helper would be better" is no `A`). It stands at the prompt and is the answer when nothing follows it.
import type { Controller } from './controller.ts'
import { emptyEditor, insert } from './editor.ts'
import type { Pressed } from './keys.ts'

/** Who types on presses the next key sooner, who has answered sees no delay yet. Milliseconds. */
const PAUSE_MS = 250

export class HeldLetter {
  private readonly controller: Controller
  private held: { letter: string; give: () => void; timer: NodeJS.Timeout } | undefined

  constructor(controller: Controller) {
    this.controller = controller
  }

  /** Puts the letter at the prompt; `give` is called when it was the answer. */
  hold(letter: string, give: () => void): void {
    const { controller } = this
    controller.setEditor(insert(controller.ui.editor, letter), false)
    this.wait(letter, give)
  }

  /** Hears the next key; true when it belonged to the letter alone. */
  key({ name, text }: Pressed): boolean {
    const { held } = this
    if (!held) return false
    const { letter, give } = held
    this.drop()
    if (name === 'text' && text === letter) this.wait(letter, give)
    else if (name === 'enter') this.take(give)
    else if (name === 'backspace') this.clear()
    else if (name === 'esc' || name === 'ctrl-c') {
      this.clear()
      return false
    } else return false
    return true
  }

  /** The letter is text from now on. */
  drop(): void {
    clearTimeout(this.held?.timer)
    this.held = undefined
    this.controller.setUi({ held: false })
  }

  private wait(letter: string, give: () => void): void {
    const timer = setTimeout(() => {
      this.drop()
      this.take(give)
      this.controller.drawNow()
    }, PAUSE_MS)
    this.held = { letter, give, timer }
    this.controller.setUi({ held: true })
  }

  private take(give: () => void): void {
    this.clear()
    give()
  }

  private clear(): void {
    const { controller } = this
    controller.setUi({ editor: { ...emptyEditor, killed: controller.ui.editor.killed } })
  }
}
