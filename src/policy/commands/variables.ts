import type { Word } from './segment.ts'

/** What is known of the variables that one command text sets. */
export class Variables {
  /** Set so far to values that may be printed. */
  readonly #shown = new Set<string>()
  /** Whether every value it gets anywhere in the text is a whole number. */
  readonly #numeric = new Map<string, boolean>()
  /** Evaluated by arithmetic. */
  readonly #evaluated = new Set<string>()

  /**
   * A variable whose value comes from this very command may be printed; one that takes over another may not. `certain`
   * is false where it may not come to pass: then a name in capitals may still be that of the environment.
   */
  note(name: string, values: readonly Word[], certain: boolean): void {
    const isKnown = values.every((word) => word.value !== undefined || word.harmless !== undefined)
    if (isKnown && (certain || /^[a-z]/.test(name))) this.#shown.add(name)
    else if (!isKnown) this.#shown.delete(name)
    const isNumber = values.every((word) => word.harmless === 'number' || /^-?\d{1,15}$/.test(word.value ?? ''))
    this.#numeric.set(name, isNumber && this.#numeric.get(name) !== false)
  }

  evaluate(names: readonly string[]): void {
    for (const name of names) this.#evaluated.add(name)
  }

  isShown(name: string): boolean {
    return this.#shown.has(name)
  }

  /** True when arithmetic takes in a variable that may hold anything but a number: `a[$(cmd)]` would run `cmd`. */
  evaluatesText(): boolean {
    return [...this.#evaluated].some(
      (name) => this.#numeric.get(name) !== true && !/^(?:RANDOM|SECONDS|LINENO)$/.test(name),
    )
  }
}
