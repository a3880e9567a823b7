// What the policy asks of the world when it judges a command: a few looks at the file system, through one place.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import type { Workspace } from './workspace.ts'

/** Hooks git ships as examples end so; they do not run. */
const SAMPLE_HOOK = '.sample'

/** The path with every link resolved as far as it exists. */
function realPath(path: string): string {
  const missing: string[] = []
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing)
    } catch {
      if (at === dirname(at)) return resolve(path)
      missing.unshift(basename(at))
    }
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Where this repository's hooks lie: `core.hooksPath`, else `.git/hooks`. husky's `_` holds a stand-in for every hook there is. */
function hookFolder(root: string): string {
  try {
    const set = /^\s*hooksPath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readFileSync(join(root, '.git', 'config'), 'utf8'))?.[1]
    if (set !== undefined) return resolve(root, set.replace(/\/_\/?$/, ''))
  } catch {
    // No repository, or a worktree: its hooks are those of the main one, which are not looked for.
  }
  return join(root, '.git', 'hooks')
}

/** The scripts of a folder's package.json as text; empty where there are none. */
function scriptsOf(folder: string): string {
  try {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts?: unknown }
    return JSON.stringify(scripts ?? '')
  } catch {
    return ''
  }
}

/** Whether npx finds a program without fetching it: in a `node_modules` from the folder up, or on the PATH. */
export function npxHas(folder: string, name: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const places = (env['PATH'] ?? '').split(delimiter).filter((each) => each !== '')
  for (let at = folder; ; at = dirname(at)) {
    places.push(join(at, 'node_modules', '.bin'))
    if (at === dirname(at)) break
  }
  return places.some((place) => existsSync(join(place, name)))
}

/** The facts of one workspace; what was changed is known from its change notices. */
export function commandFacts(workspace: Workspace, env: NodeJS.ProcessEnv = process.env) {
  const changed = new Set<string>()
  const scripts = scriptsOf(workspace.root)
  workspace.onChange((paths) => paths.forEach((path) => changed.add(resolve(workspace.root, path))))
  return {
    home: env['HOME'] ?? homedir(),
    temp: [...new Set([realPath(tmpdir()), '/tmp', '/var/tmp'])],
    realPath,
    listFolder,
    isSecret: (path: string): boolean => workspace.secretRule(path) !== null,
    isInstalled: (name: string): boolean => existsSync(join(workspace.root, 'node_modules', '.bin', name)),
    isChanged: (path: string): boolean => changed.has(resolve(workspace.root, path)),
    scriptsChanged: (folder: string): boolean => {
      const file = join(folder, 'package.json')
      if (!changed.has(file)) return false
      // What another package's scripts were at the start is not known.
      return folder !== workspace.root || scriptsOf(workspace.root) !== scripts
    },
    gitHooks: (): string[] => listFolder(hookFolder(workspace.root)).filter((name) => !name.endsWith(SAMPLE_HOOK)),
  }
}
