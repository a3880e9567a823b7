import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { homedir } from 'node:os'

/** Why a folder was taken as the workspace root; stored as `workspaces.detected_by`. */
export type DetectedBy = 'codehound' | 'git' | 'cwd'

export interface DetectedRoot {
  /** Real path of the root. */
  root: string
  detectedBy: DetectedBy
}

/**
 * Finds the workspace of a folder: the nearest folder upward with `.codehound/`, else the top of the git
 * work tree (a `.git` folder or file), else the folder itself. A `.codehound/` in the home folder does not count, because
 * it would make a workspace of everything below it.
 */
export function findWorkspaceRoot(cwd: string, home: string = homedir()): DetectedRoot {
  const start = realpathSync.native(cwd)
  const upward: string[] = []
  for (let at = start; ; at = dirname(at)) {
    upward.push(at)
    if (at === dirname(at)) break
  }
  const homes = new Set([home, realPath(home)])
  const marked = upward.find((each) => !homes.has(each) && isFolder(join(each, '.codehound')))
  if (marked !== undefined) return { root: marked, detectedBy: 'codehound' }
  const git = upward.find((each) => existsSync(join(each, '.git')))
  if (git !== undefined) return { root: git, detectedBy: 'git' }
  return { root: start, detectedBy: 'cwd' }
}

/** Whether a folder lies in a git work tree: it or a folder above it has a `.git`. */
export function inGitWorkTree(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true
    if (at === dirname(at)) return false
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
