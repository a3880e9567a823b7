// How one model of one server is told of tools: in the server's own form (`native`) or as text it answers with tags
// (`xml`). `auto` follows what was seen and remembers it for the next session; it never changes because of one slip.
import type { ModelInfo } from './language-model.ts'
import type { Dialect } from './text-calls/types.ts'

/** Where small facts are kept between sessions. */
export interface FactPort {
  getFact(key: string): string | undefined
  setFact(key: string, value: string): void
}

export interface ToolFormatFacts {
  setting: 'auto' | 'native' | 'xml'
  /** `backend/model`. */
  model: string
  /** A model may be served differently elsewhere. */
  url: string | undefined
  info?: ModelInfo | undefined
  facts?: FactPort | undefined
}

/** Text calls in a row before a model that has made native calls is taken to write text. */
const SLIPS_OF_A_NATIVE_MODEL = 3

export class ToolFormat {
  readonly #auto: boolean
  readonly #key: string
  readonly #facts: FactPort | undefined
  #current: 'native' | 'xml'
  #dialect: Dialect | undefined
  #native = false
  #textInRow = 0

  constructor({ setting, model, url, info, facts }: ToolFormatFacts) {
    this.#auto = setting === 'auto'
    this.#key = `tool-format ${model} ${url ?? ''}`
    this.#facts = facts
    const [format, dialect] = (this.#auto ? facts?.getFact(this.#key) : undefined)?.split(' ') ?? []
    if (setting !== 'auto') this.#current = setting
    else if (format === 'native' || format === 'xml') this.#current = format
    else this.#current = info?.tools === false ? 'xml' : 'native'
    if (dialect !== undefined && dialect !== '') this.#dialect = dialect as Dialect
  }

  get current(): 'native' | 'xml' {
    return this.#current
  }

  /** The form of text calls this model uses; undefined until one was seen. */
  get dialect(): Dialect | undefined {
    return this.#dialect
  }

  /** Whether it has made a native call in this session. */
  get madeNativeCalls(): boolean {
    return this.#native
  }

  /** Takes in an answer that called tools. True when the format has changed and the next request must be written anew. */
  observe(seen: 'native' | 'text', dialect?: Dialect): boolean {
    if (seen === 'native') {
      this.#native = true
      this.#textInRow = 0
      return false
    }
    this.#textInRow++
    this.#dialect = dialect ?? this.#dialect
    const enough = this.#native ? SLIPS_OF_A_NATIVE_MODEL : 1
    if (this.#textInRow < enough) return false
    return this.#switchTo('xml')
  }

  /** The server refuses requests with tools for this model (ModelError.unsupported). */
  refused(): boolean {
    return this.#switchTo('xml')
  }

  /** Keeps what a probe found out. */
  learn(format: 'native' | 'xml', dialect?: Dialect): void {
    this.#dialect = dialect ?? this.#dialect
    this.#switchTo(format)
    this.#remember()
  }

  #switchTo(format: 'native' | 'xml'): boolean {
    if (!this.#auto) return false
    const changed = this.#current !== format
    this.#current = format
    if (changed) this.#remember()
    return changed
  }

  #remember(): void {
    if (this.#auto) this.#facts?.setFact(this.#key, `${this.#current} ${this.#dialect ?? ''}`.trim())
  }
}
