// Steps of typing that Ctrl+Z takes back.
import type { Editor } from './editor.ts'

const MAX_STEPS = 100

export class TypingUndo {
  private steps: Editor[] = []

  /** Keeps what the text was before a change. */
  keep(before: Editor): void {
    this.steps = [...this.steps, before].slice(-MAX_STEPS)
  }

  /** What the text was before the last change; undefined when nothing was changed. */
  takeBack(): Editor | undefined {
    return this.steps.pop()
  }

  /** Forgets the steps of a text that was sent. */
  forget(): void {
    this.steps = []
  }
}
