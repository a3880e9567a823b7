// What the policy asks of the world when it judges a command: a few looks at the file system, through one place.
import { parseForeignJson } from '../lib/foreign-json.ts'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { isProse } from '../lib/prose.ts'
import { followLinks } from './paths/follow-links.ts'
import { isSecretName } from './secrets/secret-names.ts'
import { reachOf } from './reach.ts'
import type { Workspace } from './workspace.ts'

const PASSWORD_IN_ADDRESS = /:\/\/[^/\s:@]+:[^/\s@]+@/

/** Hooks git ships as examples end so; they do not run. */
const SAMPLE_HOOK = '.sample'

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** The path with every link resolved as the kernel would, whether or not something is there. */
function realPath(path: string): string {
  return followLinks(isAbsolute(path) ? path : `${process.cwd()}/${path}`, readLink)
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

/** The scripts of a folder's package.json; empty where there are none. */
function scriptsOf(folder: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = parseForeignJson(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts?: unknown }
    return typeof scripts === 'object' && scripts !== null ? { ...scripts } : {}
  } catch {
    return {}
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

/** Milliseconds for a look through the names of all commits; a longer history is known by its index only. */
const HISTORY_MS = 3000

/** Names of every file that some commit added, from the root; none where there is no git, or too much history. */
function trackedEver(root: string): readonly string[] {
  return gitNames(root, [
    'log',
    '--all',
    '--relative',
    '--format=',
    '--name-only',
    '--no-renames',
    '--diff-filter=A',
    '-z',
  ])
}

function gitNames(root: string, args: readonly string[]): readonly string[] {
  const { status, stdout } = spawnSync('git', ['-c', 'core.fsmonitor=false', '--no-optional-locks', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: HISTORY_MS,
    maxBuffer: 64 * 1024 * 1024,
  })
  return status === 0 ? stdout.split('\0').filter((name) => name !== '') : []
}

/** Whether git ignores a path, or would if it were a folder and there; false without git. */
function isIgnored(root: string, path: string): boolean {
  // A pattern for folders says nothing of a folder that is not there, but of what would lie in it.
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '--', path, join(path, 'entry')]
  return spawnSync('git', args, { cwd: root, stdio: 'ignore' }).status === 0
}

/** The facts of one workspace; what was changed is known from its change notices. `env` is what commands get. */
export function commandFacts(workspace: Workspace, env: NodeJS.ProcessEnv = process.env) {
  const changed = new Set<string>()
  let history: readonly string[] | undefined
  const scripts = JSON.stringify(scriptsOf(workspace.root))
  const isSecret = (path: string): boolean => workspace.secretRule(path) !== null
  workspace.onChange((paths) => paths.forEach((path) => changed.add(resolve(workspace.root, path))))
  return {
    home: env['HOME'] ?? homedir(),
    temp: [...new Set([realPath(tmpdir()), '/tmp', '/var/tmp'])],
    realPath,
    listFolder,
    isSecret,
    isIgnored: (path: string): boolean => isIgnored(workspace.root, path),
    secretsInHistory: (): readonly string[] => {
      history ??= trackedEver(workspace.root)
      const now = gitNames(workspace.root, ['ls-files', '-z'])
      return [...new Set([...history, ...now])].filter((name) => isSecret(join(workspace.root, name)))
    },
    reach: (folder: string, follow: boolean) => reachOf(folder, follow, { isSecret, realPath }),
    isInstalled: (name: string): boolean => existsSync(join(workspace.root, 'node_modules', '.bin', name)),
    isChanged: (path: string): boolean => changed.has(resolve(workspace.root, path)),
    isCodeChanged: (): boolean => [...changed].some((path) => !isProse(path)),
    scriptsChanged: (folder: string): boolean => {
      const file = join(folder, 'package.json')
      if (!changed.has(file)) return false
      // What another package's scripts were at the start is not known.
      return folder !== workspace.root || JSON.stringify(scriptsOf(workspace.root)) !== scripts
    },
    scriptText: (folder: string, name: string): string | undefined => {
      const scripts = scriptsOf(folder)
      const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
      return typeof text === 'string' ? text : undefined
    },
    isInEnvironment: (name: string): boolean => env[name] !== undefined,
    environmentHasSecrets: (): boolean =>
      Object.entries(env).some(
        ([name, value]) => Boolean(value) && (isSecretName(name) || PASSWORD_IN_ADDRESS.test(value!)),
      ),
    gitHooks: (): string[] => listFolder(hookFolder(workspace.root)).filter((name) => !name.endsWith(SAMPLE_HOOK)),
  }
}
