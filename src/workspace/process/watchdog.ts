// Stops what takes the machine while nobody limits it otherwise: the kernel's limits hold for one process (memory, file size) or
// not for root (number of processes), and none holds for the disk.
import { readdirSync, statfsSync } from 'node:fs'

export interface WatchdogOptions {
  /** Processes by which those of the machine may grow; 0 is no limit. */
  processes: number
  /** MiB by which free space may shrink; 0 is no limit. */
  disk: number
  /** Folders on whose file systems is looked. */
  folders: readonly string[]
}

/** Milliseconds between two looks; a disk of 2 GB/s loses half a GiB in between. */
const EVERY_MS = 250
const MIB = 1024 * 1024

/** Looks at disk and processes until it is stopped; `stop` is called once, with the reason. */
export function startWatchdog({ processes, disk, folders }: WatchdogOptions, stop: (why: string) => void): () => void {
  const freeAtStart = folders.map(freeMiB)
  const processesAtStart = processCount()
  const look = (): string | undefined => {
    if (disk > 0) {
      const lost = Math.max(...folders.map((folder, at) => freeAtStart[at]! - freeMiB(folder)))
      if (lost > disk) return `free disk space fell by more than ${disk} MiB (sandbox.limits.disk)`
    }
    if (processes > 0 && processCount() - processesAtStart > processes)
      return `it started more than ${processes} processes (sandbox.limits.processes)`
    return undefined
  }
  const timer = setInterval(() => {
    const why = look()
    if (why === undefined) return
    clearInterval(timer)
    stop(why)
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function freeMiB(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return (bavail * bsize) / MIB
  } catch {
    return 0
  }
}

function processCount(): number {
  try {
    return readdirSync('/proc').filter((name) => /^\d/.test(name)).length
  } catch {
    return 0
  }
}
