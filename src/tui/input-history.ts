// What was typed before, for the arrows and Ctrl+R. Stored inputs are read when they are first wanted.

export class InputHistory {
  private readonly load: () => string[] | undefined
  private inputs: string[] | undefined
  private added: string[] = []
  /** Place from the end; 0 is the draft. */
  private place = 0
  private draft = ''

  /** `load` gives stored inputs, newest last; undefined while they cannot be read yet. */
  constructor(load: () => string[] | undefined) {
    this.load = load
  }

  /** Takes what was sent just now; the next walk begins after it. */
  add(text: string): void {
    if (this.all().at(-1) !== text) this.added.push(text)
    this.place = 0
  }

  /** The input before (-1) or after (1) the one shown; undefined at the ends. */
  move(by: -1 | 1, shown: string): string | undefined {
    const all = this.all()
    if (this.place === 0) this.draft = shown
    const place = this.place - by
    if (place < 0 || place > all.length) return undefined
    this.place = place
    return place === 0 ? this.draft : all[all.length - place]
  }

  /** The newest input that holds the text, after `skip` others; undefined when there is none. */
  search(query: string, skip: number): string | undefined {
    if (query === '') return undefined
    const wanted = query.toLowerCase()
    const hits = this.all().filter((input) => input.toLowerCase().includes(wanted))
    return [...new Set(hits.toReversed())][skip]
  }

  private all(): string[] {
    this.inputs ??= this.load()
    return [...(this.inputs ?? []), ...this.added]
  }
}
