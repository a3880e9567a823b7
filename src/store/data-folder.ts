// Promises the places where codehound keeps what belongs to the user, and that folders it makes there are private (0700).
// Does not open anything, and does not touch a folder that exists.
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { StoreError } from './store-error.ts'

/** Hex digits of a workspace id: 64 bits, no collision to be expected among the folders of one person. */
const WORKSPACE_ID_LENGTH = 16

/**
 * Finds the data folder: `$XDG_DATA_HOME/codehound`, else the platform's own place
 * (`~/.local/share`, `~/Library/Application Support`, `%LOCALAPPDATA%`). An XDG path that is not absolute is ignored,
 * as the XDG base directory specification asks.
 */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env['XDG_DATA_HOME']
  if (xdg?.startsWith('/') === true) return join(xdg, 'codehound')
  const home = env['HOME'] ?? homedir()
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'codehound')
  if (process.platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'codehound')
  return join(home, '.local', 'share', 'codehound')
}

/** Finds the cache folder, for what can be made again: `$XDG_CACHE_HOME/codehound`, else the platform's own place. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env['XDG_CACHE_HOME']
  if (xdg?.startsWith('/') === true) return join(xdg, 'codehound')
  const home = env['HOME'] ?? homedir()
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'codehound')
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'codehound', 'cache')
  return join(home, '.cache', 'codehound')
}

/**
 * Finds the state folder, for what must not lie in the data folder: `$XDG_STATE_HOME/codehound`, else
 * `~/.local/state/codehound`, on Windows `%LOCALAPPDATA%\\codehound-state`.
 */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env['XDG_STATE_HOME']
  if (xdg?.startsWith('/') === true) return join(xdg, 'codehound')
  const home = env['HOME'] ?? homedir()
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'codehound-state')
  return join(home, '.local', 'state', 'codehound')
}

/** Names a workspace by its path, so that its store can be opened before the global one. 16 hex digits. */
export function workspaceId(root: string): string {
  return createHash('sha256').update(resolve(root)).digest('hex').slice(0, WORKSPACE_ID_LENGTH)
}

/** Database of trust, known workspaces and other facts of the user. */
export function globalDatabaseFile(data: string): string {
  return join(data, 'codehound.db')
}

/**
 * Finds the database of a workspace and makes its folder.
 *
 * @param location `user`: in the data folder; `workspace`: in `.codehound/` of the project, kept out of git by a
 *   .gitignore of its own
 * @throws StoreError when the folder cannot be made
 */
export function workspaceDatabaseFile(data: string, root: string, location: 'user' | 'workspace'): string {
  if (location === 'user') return join(privateFolder(join(data, 'workspaces', workspaceId(root))), 'workspace.db')
  const folder = join(root, '.codehound')
  const file = join(folder, 'workspace.db')
  // What a repository brings along must not lead a write elsewhere.
  for (const place of [folder, file, join(folder, '.gitignore')]) refuseLink(place)
  privateFolder(folder)
  ignoreInGit(folder)
  return file
}

/** Makes a folder and its parents for this user alone; one that exists stays as it is. */
export function privateFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StoreError(
      code === 'ENOSPC' ? 'disk_full' : 'read_only',
      `cannot create the folder ${folder} (${code ?? String(error)})`,
      'Make it writable, point XDG_DATA_HOME at a folder that is, or run with --ephemeral to store nothing.',
      error,
    )
  }
  return folder
}

function refuseLink(place: string): void {
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return
  throw new StoreError(
    'read_only',
    `${place} is a symbolic link, so the store is not kept there`,
    'Remove the link, or set storage.location to user.',
  )
}

/** The database and the ignore file itself stay out of `git status`; rules and configuration beside them do not. */
function ignoreInGit(folder: string): void {
  const file = join(folder, '.gitignore')
  const wanted = ['workspace.db*', '.gitignore']
  const present = existsSync(file) ? readFileSync(file, 'utf8').split(/\r?\n/) : []
  if (wanted.every((line) => present.includes(line))) return
  const kept = present.filter((line) => line !== '' && !wanted.includes(line))
  writeFileSync(file, [...kept, ...wanted, ''].join('\n'))
}
