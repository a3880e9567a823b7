import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** What a sandbox lets a command do; both systems build their form of it from this. */
export interface SandboxPlan {
  /** Real paths of folders it may write in. */
  writable: readonly string[]
  /** Existing paths inside them that it may only read: what programs or git would run. */
  readOnly: readonly string[]
  /** Existing files that are not to be read. */
  secretFiles: readonly string[]
  /** Existing folders that are not to be read. */
  secretFolders: readonly string[]
  /** The session's own temporary folder; on Linux it takes the place of /tmp. */
  temp: string
  home: string
  network: boolean
}

/** Folders of keys in the home folder. */
const SECRET_FOLDERS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.password-store',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/op',
  '.config/codehound',
  '.local/share/codehound',
  '.local/share/keyrings',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  'Library/Keychains',
  'Library/Cookies',
]
const SECRET_FILES = [
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.docker/config.json',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.terraformrc',
  '.bash_history',
  '.zsh_history',
]

/** What must not be written although it lies in the workspace: hooks and settings that run programs outside of the sandbox. */
const READ_ONLY = ['.git/hooks', '.git/config', '.git/info/attributes', '.codehound', '.vscode', '.idea']

export interface PlanOptions {
  root: string
  additionalRoots?: readonly string[]
  home: string
  temp: string
  network: boolean
  /** Secret files of the workspace; those that do not exist are left out. */
  secretPaths: readonly string[]
  /** Further folders nobody else may read, such as codehound's own data. */
  privateFolders?: readonly string[]
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
  const linked = gitFolders(options.root)
  const inHome = (paths: readonly string[]): string[] => paths.map((path) => join(options.home, path))
  const folders = [...inHome(SECRET_FOLDERS), ...(options.privateFolders ?? [])]
  return {
    writable: [...roots, ...linked],
    readOnly: [
      ...roots.flatMap((root) => READ_ONLY.map((path) => join(root, path))),
      ...linked.flatMap((folder) => ['hooks', 'config', 'config.worktree'].map((path) => join(folder, path))),
    ]
      .filter(existsSync)
      .map(realPath),
    // A workspace inside of one of these is still the workspace.
    secretFolders: folders
      .filter(isFolder)
      .map(realPath)
      .filter((folder) => !roots.some((root) => within(root, folder))),
    secretFiles: [...inHome(SECRET_FILES), ...options.secretPaths].filter(isFile).map(realPath),
    temp: options.temp,
    home: options.home,
    network: options.network,
  }
}

/**
 * The git folders of a linked worktree (`.git` is a file there). A file that names a folder which does not name this
 * worktree back is not believed: it would open any folder to writing.
 */
function gitFolders(root: string): string[] {
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

function isFolder(path: string): boolean {
  try {
    return lstatSync(realpathSync.native(path)).isDirectory()
  } catch {
    return false
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(realpathSync.native(path)).isFile()
  } catch {
    return false
  }
}
