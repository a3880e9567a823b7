// Answers by request, in two tiers: in memory, and in a store that outlives the process. Only whole answers are kept; a hit
// streams like a live one. What counts as the same request stands in cache-key.ts.
import type { FinishReason } from '../protocol/index.ts'
import { cacheKey } from './cache-key.ts'
import type { ModelRequest, StreamPart } from './language-model.ts'

const MEMORY_ENTRIES = 1_000
/** Answers longer than this are not worth their memory. Characters of JSON. */
const LONGEST_ENTRY = 1024 * 1024
const wholeEnds: ReadonlySet<FinishReason> = new Set(['stop', 'tool_calls'])

export interface CacheEntry {
  /** SHA-256 of the request, hex. */
  hash: string
  /** JSON of the parts. */
  response: string
  model: string
  /** Milliseconds since the epoch. */
  createdAt: number
  expiresAt: number
}

/** Tier 2. */
export interface CacheStore {
  /** The entry when it has not expired; counts the hit. */
  get(hash: string, now: number): CacheEntry | undefined
  /** Replaces an entry of the same hash and keeps the store within its size. */
  put(entry: CacheEntry): void
  /** Removes what has expired; gives the number removed. */
  sweep(now: number): number
}

export type CachePolicy = 'off' | 'temperature-0' | 'always'

export interface ResponseCacheOptions {
  policy: CachePolicy
  /** Milliseconds. */
  ttlMs: number
  ignoreCase?: boolean
  store?: CacheStore | undefined
  now?: () => number
}

export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #now: () => number
  /** In the order of use: the first was used longest ago. */
  readonly #memory = new Map<string, CacheEntry>()

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#quietly((store) => store.sweep(this.#now()))
  }

  /** Streams the cached answer, or the live one and keeps it. `onHit` is called before the first part of a cached answer. */
  async *stream(
    request: ModelRequest,
    live: () => AsyncIterable<StreamPart>,
    onHit: (hit: { tier: 1 | 2 }) => void,
  ): AsyncGenerator<StreamPart, void, undefined> {
    if (!this.#applies(request)) {
      yield* live()
      return
    }
    const hash = cacheKey(request, this.#options.ignoreCase ?? false)
    const hit = this.#find(hash)
    const kept = hit && partsOf(hit.entry)
    if (hit && kept) {
      onHit({ tier: hit.tier })
      yield* replay(kept)
      return
    }
    const parts: StreamPart[] = []
    for await (const part of live()) {
      parts.push(part)
      if (part.type === 'finish' && wholeEnds.has(part.reason)) this.#keep(hash, request.model, parts)
      yield part
    }
  }

  #applies(request: ModelRequest): boolean {
    const { policy } = this.#options
    return policy === 'always' || (policy === 'temperature-0' && request.temperature === 0)
  }

  #find(hash: string): { entry: CacheEntry; tier: 1 | 2 } | undefined {
    const now = this.#now()
    const near = this.#memory.get(hash)
    if (near !== undefined) {
      this.#memory.delete(hash)
      if (near.expiresAt > now) {
        this.#memory.set(hash, near)
        return { entry: near, tier: 1 }
      }
    }
    const entry = this.#quietly((store) => store.get(hash, now))
    if (entry === undefined) return undefined
    this.#remember(entry)
    return { entry, tier: 2 }
  }

  #keep(hash: string, model: string, parts: StreamPart[]): void {
    const response = JSON.stringify(joined(parts))
    if (response.length > LONGEST_ENTRY) return
    const createdAt = this.#now()
    const entry = { hash, response, model, createdAt, expiresAt: createdAt + this.#options.ttlMs }
    this.#remember(entry)
    this.#quietly((store) => store.put(entry))
  }

  /** A cache that cannot be read or written is none: the answer comes from the model. */
  #quietly<T>(use: (store: CacheStore) => T): T | undefined {
    const { store } = this.#options
    if (store === undefined) return undefined
    try {
      return use(store)
    } catch {
      return undefined
    }
  }

  #remember(entry: CacheEntry): void {
    this.#memory.set(entry.hash, entry)
    if (this.#memory.size <= MEMORY_ENTRIES) return
    const oldest = this.#memory.keys().next()
    if (oldest.done !== true) this.#memory.delete(oldest.value)
  }
}

/** Neighbouring deltas of the same kind as one. */
function joined(parts: StreamPart[]): StreamPart[] {
  const out: StreamPart[] = []
  for (const part of parts) {
    const last = out.at(-1)
    if (part.type === 'text' && last?.type === 'text') out[out.length - 1] = { ...last, text: last.text + part.text }
    else if (part.type === 'reasoning' && last?.type === 'reasoning')
      out[out.length - 1] = { ...last, text: last.text + part.text }
    else if (part.type === 'tool-call-delta' && last?.type === 'tool-call-delta' && last.index === part.index)
      out[out.length - 1] = { ...last, arguments: last.arguments + part.arguments }
    else out.push(part)
  }
  return out
}

/** The parts of a kept answer; undefined when the store gives something else, which is as if it had nothing. */
function partsOf(entry: CacheEntry): StreamPart[] | undefined {
  try {
    const parts: unknown = JSON.parse(entry.response)
    // Whole answers are kept, so the last part tells whether it was written by this file.
    const last: unknown = Array.isArray(parts) ? parts.at(-1) : undefined
    return (last as { type?: unknown } | undefined)?.type === 'finish' ? (parts as StreamPart[]) : undefined
  } catch {
    return undefined
  }
}

function* replay(parts: readonly StreamPart[]): Generator<StreamPart> {
  for (const part of parts) {
    if (part.type !== 'text' && part.type !== 'reasoning') yield part
    else for (const text of part.text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? []) yield { type: part.type, text }
  }
}
