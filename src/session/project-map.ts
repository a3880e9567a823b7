// The repository map in a session's prompt: waited for a moment with the first request, else given with the first result. Made
// once, so that the prompt keeps its bytes.
import { setTimeout } from 'node:timers/promises'
import type { CodeIndex } from '../index/code-index.ts'

/** Share of the window the map may take; a small window gets a small map. */
const WINDOW_SHARE = 0.04
/** A map smaller than this says nothing. Tokens. */
const SMALLEST = 60
/** Words of the first message that can be names of files or symbols. */
const NAMES = /[\w$./-]{3,}/g

export interface MapSettings {
  /** `context.mapTokens`. */
  tokens: number
  /** `context.mapWait`, milliseconds. */
  waitMs: number
}

export class ProjectMap {
  private state: 'unasked' | 'late' | 'given' = 'unasked'
  private words: string[] = []
  private budget = 0
  private readonly open: () => Promise<CodeIndex>
  private readonly settings: MapSettings

  constructor(open: () => Promise<CodeIndex>, settings: MapSettings) {
    this.open = open
    this.settings = settings
  }

  /** Takes the words of the conversation in; only what was said before the map is made counts. */
  hear(text: string): void {
    if (this.state === 'unasked') this.words.push(...(text.match(NAMES) ?? []))
  }

  /** The map for level 2, or undefined when it is not there in time, switched off, or empty. */
  async forPrompt(window: number): Promise<string | undefined> {
    if (this.state !== 'unasked') return undefined
    this.budget = Math.floor(Math.min(this.settings.tokens, window * WINDOW_SHARE))
    if (this.budget < SMALLEST) {
      this.state = 'given'
      return undefined
    }
    this.state = 'late'
    const index = await Promise.race([this.ready(), wait(this.settings.waitMs)])
    return index ? this.make(index) : undefined
  }

  /** The map for the end of a result, once, when it was late and the index is ready now. */
  async forResult(): Promise<string | undefined> {
    if (this.state !== 'late') return undefined
    const index = await Promise.race([this.ready(), wait(0)])
    return index && this.state === 'late' ? this.make(index) : undefined
  }

  private async ready(): Promise<CodeIndex | undefined> {
    try {
      const index = await this.open()
      await index.ready()
      return index
    } catch {
      // Without an index there is no map; the session works all the same.
      this.state = 'given'
      return undefined
    }
  }

  private async make(index: CodeIndex): Promise<string | undefined> {
    this.state = 'given'
    const { repositoryMap } = await import('../index/map/repository-map.ts')
    const map = repositoryMap(index.view(), { tokens: this.budget, mentioned: this.words })
    return map === ''
      ? undefined
      : `# Repository map (files by importance, with what they offer; read a file before you rely on it)\n${map}`
  }
}

/** A wait that keeps no process alive. */
const wait = (ms: number): Promise<undefined> => setTimeout(ms, undefined, { ref: false })
