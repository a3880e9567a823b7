// The look at the protected set on disk while commands run, so that a start after a kill can settle what they left.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProtectedFinder } from './find.ts'
import { compareSnapshots, heldByMounts, putBack, type ProtectedChange } from './put-back.ts'
import { takeSnapshot, type Kept, type Snapshot } from './snapshot.ts'

interface StoredLook {
  roots: readonly string[]
  keepFolder: string
  /** See `BeginOptions.mounted`. */
  mounted: boolean
  before: Snapshot
}

export interface SnapshotFile {
  write(look: StoredLook): void
  remove(): void
}

type WrittenKept = Omit<Kept, 'content'> & { content?: string }

interface Written extends Omit<StoredLook, 'before'> {
  pid: number
  started: string
  before: [string, WrittenKept][]
}

/** The file of this process for one session. A disk that takes nothing more does not stop a command. */
export function openSnapshotFile(folder: string, session: string): SnapshotFile {
  const file = join(folder, `${process.pid}-${session}.json`)
  let last: { before: Snapshot; mounted: boolean } | undefined
  return {
    write: (look) => {
      if (last?.before === look.before && last.mounted === look.mounted) return
      last = look
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const before = Array.from(look.before, ([path, { content, ...kept }]): [string, WrittenKept] => [
          path,
          content ? { ...kept, content: content.toString('base64') } : kept,
        ])
        const written: Written = { ...look, pid: process.pid, started: startOf(process.pid), before }
        writeFileSync(`${file}.new`, JSON.stringify(written), { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch {
        last = undefined
      }
    },
    remove: () => {
      last = undefined
      rmSync(file, { force: true })
    },
  }
}

/** Settles what commands left during which codehound was killed; call before anything of a workspace is read or run. */
export function recoverProtected(folder: string): ProtectedChange[] {
  return storedFiles(folder).flatMap((file) => {
    try {
      const {
        pid,
        started,
        roots,
        keepFolder,
        mounted,
        before: kept,
      } = JSON.parse(readFileSync(file, 'utf8')) as Written
      if (startOf(pid) === started) return []
      const before: Snapshot = new Map(
        kept.map(([path, { content, ...rest }]) => [
          path,
          content === undefined ? rest : { ...rest, content: Buffer.from(content, 'base64') },
        ]),
      )
      const after = takeSnapshot(createProtectedFinder(roots)(), before)
      const held = mounted ? heldByMounts(before) : () => false
      const changes = putBack(compareSnapshots({ roots, before, after, held }), before, keepFolder)
      rmSync(file, { force: true })
      return changes
    } catch {
      rmSync(file, { force: true })
      return []
    }
  })
}

function storedFiles(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [join(folder, name)] : []))
  } catch {
    return []
  }
}

/** When a process was started, so that another one with its id is told from it; empty when there is none. */
function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    }
    process.kill(pid, 0)
    return 'alive'
  } catch {
    return ''
  }
}
