// Watches the workspace: one change is handed on after a short quiet, a storm once it is over or has lasted long enough.
// Says when it cannot watch; never throws after it started.
import type { AsyncSubscription } from '@parcel/watcher'

/** Quiet that ends a change, in milliseconds; @parcel/watcher has waited 50 before it tells of one. */
const QUIET_MS = 15
/** With more paths than this a comparison of everything is cheaper than one by one. */
export const STORM_PATHS = 1_500

export interface WatchEvents {
  /** Paths that changed, or `undefined` when too much happened to know. */
  changed(paths: string[] | undefined): void
  failed(reason: string): void
}

export class Watcher {
  private subscription: AsyncSubscription | undefined
  private pending = new Set<string>()
  private everything = false
  private first = 0
  private last = 0
  private timer: NodeJS.Timeout | undefined
  private debounceMs: number
  private events: WatchEvents
  private root = ''
  private ignored: string[] = []

  private closed = false

  constructor(debounceMs: number, events: WatchEvents) {
    this.debounceMs = debounceMs
    this.events = events
  }

  /** Starts watching; false when it was closed meanwhile, or the system does not let it (then `failed` was called with the reason). */
  start(root: string, ignored: readonly string[]): Promise<boolean> {
    this.root = root
    this.ignored = ignored.filter((pattern) => !pattern.startsWith('*')).flatMap((name) => [name, `**/${name}/**`])
    return this.subscribe()
  }

  /**
   * Begins anew, which a new folder needs on Linux: what stood in it when it was seen is not watched (@parcel/watcher 2.6 adds
   * one folder, not those below it), nor is it when no inotify watch was left. What happens meanwhile is not told. As `start`.
   */
  async renew(): Promise<boolean> {
    const { subscription } = this
    this.subscription = undefined
    if (subscription) await end(subscription)
    return !this.closed && (await this.subscribe())
  }

  private async subscribe(): Promise<boolean> {
    try {
      const { subscribe } = await import('@parcel/watcher')
      const subscription = await subscribe(
        this.root,
        (error, changes) => {
          if (error) this.note(undefined)
          else for (const change of changes) this.note(change.path)
        },
        { ignore: this.ignored },
      )
      if (this.closed) {
        // A watcher nobody ends keeps the whole process from ending.
        await end(subscription)
        return false
      }
      this.subscription = subscription
      return true
    } catch (error) {
      this.events.failed(error instanceof Error ? error.message : String(error))
      return false
    }
  }

  /** Ends watching; never throws. */
  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.timer)
    const { subscription } = this
    this.subscription = undefined
    if (subscription) await end(subscription)
  }

  private note(path: string | undefined): void {
    if (path === undefined) this.everything = true
    else this.pending.add(path)
    this.last = Date.now()
    if (this.timer) return
    this.first = this.last
    this.timer = setTimeout(() => this.settle(), QUIET_MS)
  }

  private settle(): void {
    const now = Date.now()
    const quietFor = now - this.last
    if (quietFor < QUIET_MS && now - this.first < this.debounceMs) {
      this.timer = setTimeout(() => this.settle(), QUIET_MS - quietFor)
      return
    }
    this.timer = undefined
    const paths = this.everything || this.pending.size > STORM_PATHS ? undefined : [...this.pending]
    this.pending.clear()
    this.everything = false
    this.events.changed(paths)
  }
}

/** A folder that went away took its watch with it, and its end is then refused ("Unable to remove watcher"): it is over all the same. */
async function end(subscription: AsyncSubscription): Promise<void> {
  await subscription.unsubscribe().catch(() => undefined)
}
