import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ProtectedPlaces } from '../protected/find.ts'

/** What a sandbox lets a command see and do; both systems build their form of it from this. What is not named is not there. */
export interface SandboxPlan {
  /** Real paths of folders it may write in. */
  writable: readonly string[]
  /** Existing files and folders outside of them that it may read. */
  readable: readonly string[]
  /** Existing paths inside the writable folders that it may only read: what other programs run or obey. */
  readOnly: readonly string[]
  /** Existing folders inside the writable ones that stay where they are, outermost first. */
  pinned: readonly string[]
  /** Existing files in what it may write or read that are not to be read. */
  secretFiles: readonly string[]
  /** The session's own temporary folder; on Linux it takes the place of /tmp. */
  temp: string
  home: string
  /** A file that stands for the user's git configuration. */
  gitConfig: string | undefined
  network: boolean
}

export interface PlanOptions {
  root: string
  additionalRoots?: readonly string[]
  home: string
  temp: string
  network: boolean
  /** Secret files of the workspace and of what may be read; those that do not exist are left out. */
  secretPaths: readonly string[]
  /** See `readablePaths`. */
  readable?: readonly string[]
  /** What is protected in the workspace. */
  places?: ProtectedPlaces
  gitConfig?: string | undefined
}

/** Returns why a folder cannot be a sandbox's workspace, or undefined when it can. */
export function unsuitableRoot(root: string, home: string): string | undefined {
  const real = realPath(root)
  if (real === '/') return 'the workspace is the root of the file system'
  if (real === realPath(home)) return 'the workspace is the home folder, whose startup files would be open to writing'
  if (`${realPath(home)}/`.startsWith(`${real}/`)) return 'the workspace holds the home folder'
  return undefined
}

/** Makes the plan for one command; looks at the file system so that it names only what exists. */
export function makePlan(options: PlanOptions): SandboxPlan {
  const roots = [options.root, ...(options.additionalRoots ?? [])].filter(existsSync).map(realPath)
  const writable = [...roots, ...linkedGitFolders(options.root)]
  const { fixed, gitFolders } = options.places ?? { fixed: [], gitFolders: [] }
  // A link into the workspace leads to a path that is held itself.
  const readOnly = fixed.filter((path) => !isLink(path))
  const secretFiles = options.secretPaths.filter(isFile).map(realPath)
  const inside = [...readOnly, ...secretFiles].flatMap((path) => foldersAbove(path, writable))
  const pinned = [...new Set([...gitFolders, ...inside])].filter((path) => !writable.includes(path))
  return {
    writable,
    readable: (options.readable ?? []).filter((path) => !roots.some((root) => within(path, root))),
    readOnly,
    pinned: pinned.sort((a, b) => a.length - b.length),
    secretFiles: [...new Set(secretFiles)],
    temp: options.temp,
    home: options.home,
    gitConfig: options.gitConfig,
    network: options.network,
  }
}

/** Every folder between the writable folder a path lies in and the path: a mount point, so that none can carry it away. */
function foldersAbove(path: string, writable: readonly string[]): string[] {
  const folders: string[] = []
  for (const root of writable.filter((each) => path !== each && within(path, each))) {
    for (let folder = dirname(path); folder !== root; folder = dirname(folder)) folders.push(folder)
  }
  return folders
}

/**
 * The git folders of a linked worktree (`.git` is a file there). A file that names a folder which does not name this
 * worktree back is not believed: it would open any folder to writing.
 */
export function linkedGitFolders(root: string): string[] {
  const pointer = join(root, '.git')
  if (!isFile(pointer)) return []
  const folder = /^gitdir: (.+)$/m.exec(readFileSync(pointer, 'utf8'))?.[1]
  if (folder === undefined) return []
  const own = resolve(root, folder.trim())
  const back = join(own, 'gitdir')
  if (!isFile(back) || resolve(own, readFileSync(back, 'utf8').trim()) !== resolve(pointer)) return []
  const common = isFile(join(own, 'commondir'))
    ? resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim())
    : own
  return [...new Set([realPath(own), realPath(common)])].filter((path) => isFile(join(path, 'HEAD')))
}

export function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return dirname(path) === path
      ? path
      : join(realPath(dirname(path)), path.slice(dirname(path).length).replace(/^\//, ''))
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== false
}

function isFile(path: string): boolean {
  try {
    return lstatSync(realpathSync.native(path)).isFile()
  } catch {
    return false
  }
}
