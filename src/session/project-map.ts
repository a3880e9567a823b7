// The repository map in a session's prompt: with the first request when there is one from before or the index is opening already,
// else with the first result that finds the index ready. Made once, so that the prompt keeps its bytes.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CodeIndex } from '../index/code-index.ts'
import type { MapOptions } from '../index/map/repository-map.ts'

/** Share of the window the map may take; a small window gets a small map. */
const WINDOW_SHARE = 0.04
/** A map smaller than this says nothing. Tokens. */
const SMALLEST = 60
/** Waiting for the model so long starts the index: it is built in time nobody else uses. Milliseconds. */
const IDLE_MS = 150
/** Words of the first message that can be names of files or symbols. */
const NAMES = /[\w$./-]{3,}/g

export interface MapSettings {
  /** `context.mapTokens`. */
  tokens: number
  /** `context.mapWait`, milliseconds. */
  waitMs: number
}

/** Where maps come from. */
export interface MapIndex {
  /** True once somebody opened the index. */
  isOpening(): boolean
  /** Opens it; undefined where that fails. */
  whenReady(): Promise<CodeIndex | undefined>
  /** The map of the state saved last; undefined when there is none. */
  storedMap(options: MapOptions): Promise<string | undefined>
}

export class ProjectMap {
  private state: 'unasked' | 'late' | 'given' = 'unasked'
  private words: string[] = []
  private budget = 0
  private idle: NodeJS.Timeout | undefined
  private readonly index: MapIndex
  private readonly settings: MapSettings

  constructor(index: MapIndex, settings: MapSettings) {
    this.index = index
    this.settings = settings
  }

  /** Takes the words of the conversation in; only what was said before the map is made counts. */
  hear(text: string): void {
    // One by one: the words of a long paste are more than a call takes as arguments.
    if (this.state === 'unasked') for (const word of text.match(NAMES) ?? []) this.words.push(word)
  }

  /** The map for level 2, or undefined when it is not there in time, switched off, or empty. */
  async forPrompt(window: number): Promise<string | undefined> {
    if (this.state !== 'unasked') return undefined
    this.waiting()
    this.budget = Math.floor(Math.min(this.settings.tokens, window * WINDOW_SHARE))
    this.state = 'given'
    if (this.budget < SMALLEST) return undefined
    if (this.index.isOpening()) {
      this.state = 'late'
      const index = await Promise.race([this.ready(), wait(this.settings.waitMs)])
      if (index) return this.make(index)
    }
    const stored = await this.index.storedMap(this.options)
    this.state = stored === undefined ? 'late' : 'given'
    return titled(stored)
  }

  /** The model is being waited for: after a moment the index is opened. */
  waiting(): void {
    clearTimeout(this.idle)
    if (!this.index.isOpening()) this.idle = setTimeout(() => void this.ready(), IDLE_MS).unref()
  }

  /** A call runs, or nothing is to start any more. */
  busy(): void {
    clearTimeout(this.idle)
  }

  /** The map for the end of a result, once, when it was late and the index is ready now. */
  async forResult(): Promise<string | undefined> {
    if (this.state !== 'late' || !this.index.isOpening()) return undefined
    const index = await Promise.race([this.ready(), wait(0)])
    return index && this.state === 'late' ? this.make(index) : undefined
  }

  private get options(): MapOptions {
    return { tokens: this.budget, mentioned: this.words }
  }

  /** Without an index there is no map; the session works all the same, and tools that want the index say so. */
  private async ready(): Promise<CodeIndex | undefined> {
    const index = await this.index.whenReady()
    if (!index) this.state = 'given'
    return index
  }

  private async make(index: CodeIndex): Promise<string | undefined> {
    this.state = 'given'
    const { repositoryMap } = await import('../index/map/repository-map.ts')
    return titled(await repositoryMap(index, this.options))
  }
}

const titled = (map: string | undefined): string | undefined =>
  map === undefined || map === ''
    ? undefined
    : `# Repository map (the files that matter most here, by path, with what they offer; read a file before you rely on it)\n${map}`

/** A wait that keeps no process alive. */
const wait = (ms: number): Promise<undefined> => sleep(ms, undefined, { ref: false })
