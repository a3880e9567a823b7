import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { COMPARE_BY_TIME } from './covers.ts'
import type { EtcCopy } from './etc-copy.ts'
import { within, type SandboxPlan } from './plan.ts'
import { SYSTEM_FOLDERS } from './readable.ts'

/** Bytes that a command may write to its home folder and to shared memory, which both lie in memory. */
const HOME_BYTES = 1024 * 1024 * 1024
const SHM_BYTES = 1024 * 1024 * 1024

/** Without network nothing is worth a second try: package managers would try again for minutes. */
const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '0',
  YARN_HTTP_RETRY: '0',
  PIP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
  UV_HTTP_RETRIES: '0',
}

export interface Inside {
  plan: SandboxPlan
  argv: readonly string[]
  cwd: string
  /** The file that stands in the place of a secret one. */
  coverOf: (secret: string) => string | undefined
  /** Stands for /etc; without one, what is readable in it is mounted piece by piece. */
  etc?: EtcCopy | undefined
  /** bubblewrap 0.7 and newer can bound what lies in memory. */
  sized: boolean
}

/**
 * Builds the argv of bubblewrap (bwrap(1), 0.5 or newer) that runs `argv` within the plan: a new root that holds only what
 * the plan names; own processes, users and, unless allowed, network; no capabilities even for root. Later mounts lie over
 * earlier ones, and a mount point can be neither renamed nor removed from inside.
 */
export function bubblewrapArgv(program: string, { plan, argv, cwd, coverOf, etc, sized }: Inside): string[] {
  const args = [program, '--die-with-parent', '--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts']
  if (!plan.network) args.push('--unshare-net')
  args.push('--cap-drop', 'ALL')
  for (const folder of SYSTEM_FOLDERS) args.push(...systemFolder(folder))
  const size = (bytes: number): string[] => (sized ? ['--size', String(bytes)] : [])
  args.push('--dev', '/dev', ...size(SHM_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev')
  args.push('--proc', '/proc', ...size(HOME_BYTES), '--tmpfs', plan.home)
  args.push('--bind', plan.temp, '/tmp', '--symlink', '/tmp', '/var/tmp')
  if (etc) args.push('--ro-bind', etc.folder, '/etc')
  for (const path of plan.readable) if (etc?.copied.has(path) !== true) args.push('--ro-bind-try', path, path)
  if (plan.network) args.push(...resolver())
  for (const folder of plan.writable) args.push('--bind', folder, folder)
  for (const folder of plan.pinned) args.push('--bind', folder, folder)
  for (const path of plan.readOnly) args.push('--ro-bind', path, path)
  let isTracked = false
  for (const file of plan.secretFiles.filter((path) => isThere(path, plan))) {
    args.push('--ro-bind', coverOf(file) ?? '/dev/null', file)
    isTracked = true
  }
  if (plan.gitConfig !== undefined) args.push('--ro-bind-try', plan.gitConfig, `${plan.home}/.gitconfig`)
  args.push('--remount-ro', '/')
  const variables = {
    TMPDIR: '/tmp',
    XDG_CACHE_HOME: '/tmp/.cache',
    npm_config_cache: '/tmp/.npm',
    ...(plan.network ? {} : OFFLINE),
    ...(isTracked ? COMPARE_BY_TIME : {}),
  }
  for (const [name, value] of Object.entries(variables)) args.push('--setenv', name, value)
  return [...args, '--chdir', cwd, '--', ...argv]
}

/** A system where /bin is a link to /usr/bin keeps the link. */
function systemFolder(folder: string): string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder]
}

/** Most often a link into /run. */
function resolver(): string[] {
  try {
    return ['--ro-bind', realpathSync.native('/etc/resolv.conf'), '/etc/resolv.conf']
  } catch {
    return []
  }
}

/** A file that is not there has no place to be covered at. */
function isThere(path: string, plan: SandboxPlan): boolean {
  return [...plan.writable, ...plan.readable].some((folder) => within(path, folder))
}
