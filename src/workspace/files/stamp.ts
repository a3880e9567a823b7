import { statSync } from 'node:fs'
import type { Workspace } from '../workspace.ts'

export interface PathStamp {
  /** Changes whenever the file is written, replaced, made or removed; of a folder, when an entry comes or goes. */
  stamp: string
  folder: boolean
}

/** A cheap sign of a path's state, from its inode, size and times; nothing is read. */
export function stampOf(workspace: Pick<Workspace, 'resolve'>, path: string): PathStamp {
  const at = workspace.resolve(path, 'read')
  if (!at.ok) return { stamp: at.code, folder: false }
  const stats = statSync(at.real, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) return { stamp: 'none', folder: false }
  // ctime: a write that keeps size and restores mtime is a change too.
  return { stamp: `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`, folder: stats.isDirectory() }
}
