// Holds the protected set around commands: looks before, compares after, puts back, tells. Promises: every change of a protected
// path while a command runs is told, and put back where its content was kept; a command during which codehound was killed is
// settled at the next start (recover.ts). Does not promise anything about what happens between a change and the next look:
// mounts do that where there is a sandbox.
import { createProtectedFinder, type ProtectedPlaces } from './find.ts'
import { isProtected } from './names.ts'
import { compareSnapshots, heldByMounts, putBack, type ProtectedChange } from './put-back.ts'
import { takeSnapshot, type Snapshot } from './snapshot.ts'
import type { SnapshotFile } from './stored.ts'

/** Milliseconds between two looks while a command runs. */
const LOOK_EVERY_MS = 1_000
/** A look that took long makes the next one wait this many times as long. */
const LOOK_SHARE = 50

export interface GuardedRun {
  /** Looks, puts back, and tells everything that happened during this command. Call once, when it has ended. */
  end(): ProtectedChange[]
}

export interface BeginOptions {
  /** The sandbox holds every protected path that is there, so that only new ones can come from this command. */
  mounted: boolean
  /** The user let it out of the sandbox: changes are told and stay. */
  tellOnly?: boolean
}

export interface ProtectedGuard {
  /** Call before a command starts. */
  begin(options: BeginOptions): GuardedRun
  /** What is protected now, for the mounts of a sandbox. */
  places(): ProtectedPlaces
  /** What stands there now was put there with the user's consent. */
  accept(): void
}

export interface GuardOptions {
  /** Real paths. */
  roots: readonly string[]
  /** Git folders outside of them that commands may write in: those of a linked worktree. */
  gitFolders?: readonly string[]
  /** Where what commands wrote is moved to. */
  keepFolder: string
  /** Keeps the look while commands run, for the next start. */
  stored?: SnapshotFile
  /** Told at once of what was put back, for the user. */
  onPutBack?: (changes: readonly ProtectedChange[]) => void
}

interface Running {
  mounted: boolean
  tellOnly: boolean
  seen: ProtectedChange[]
}

export function createProtectedGuard(options: GuardOptions): ProtectedGuard {
  const { roots, keepFolder, stored } = options
  const find = createProtectedFinder(roots, options.gitFolders)
  const running = new Set<Running>()
  let before: Snapshot = new Map()
  let timer: NodeJS.Timeout | undefined
  let recent: ProtectedPlaces | undefined

  /** Commands that run side by side share the first one's look: a later one could show what an earlier one did. */
  function begin({ mounted, tellOnly = false }: BeginOptions): GuardedRun {
    if (running.size === 0) {
      recent = find()
      // The mounts of the command that starts now are made from the same look.
      queueMicrotask(() => (recent = undefined))
      before = takeSnapshot(recent, before)
      lookAgain()
    }
    const run: Running = { mounted, tellOnly, seen: [] }
    running.add(run)
    stored?.write({ roots, keepFolder, mounted: allMounted(), before })
    return {
      end: () => {
        notify(settle())
        running.delete(run)
        if (running.size === 0) {
          clearTimeout(timer)
          stored?.remove()
        }
        return run.seen
      },
    }
  }

  const notify = (settled: readonly ProtectedChange[]): void => {
    if (settled.length > 0) options.onPutBack?.(settled)
  }

  const allMounted = (): boolean => [...running].every((run) => run.mounted)

  function settle(): ProtectedChange[] {
    const after = takeSnapshot(find(), before)
    const held = allMounted() ? heldByMounts(before) : () => false
    const changes = compareSnapshots({ roots, before, after, held })
    if (changes.length === 0) return []
    const isFree = [...running].some((run) => run.tellOnly)
    const settled = isFree ? changes : putBack(changes, before, keepFolder)
    for (const run of running) run.seen.push(...settled)
    // What could not be put back is told once.
    before = takeSnapshot(find(), before)
    return settled
  }

  function lookAgain(wait = LOOK_EVERY_MS): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const began = performance.now()
      notify(settle())
      lookAgain(Math.max(LOOK_EVERY_MS, (performance.now() - began) * LOOK_SHARE))
    }, wait)
    timer.unref()
  }

  return {
    begin,
    places: () => recent ?? find(),
    accept: () => {
      if (running.size > 0) before = takeSnapshot(find(), before)
    },
  }
}

/** True when one of these paths is protected. */
export function someProtected(paths: readonly string[]): boolean {
  return paths.some(isProtected)
}
