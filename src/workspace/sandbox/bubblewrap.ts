import { dirname } from 'node:path'
import { within, type SandboxPlan } from './plan.ts'

/** Folders of sockets through which a command could ask a program outside to act for it (D-Bus, Docker, tmux). */
const SOCKET_FOLDERS = ['/run', '/var/run']
/** Folders that the session's own temporary folder takes the place of, for the same reason. */
const SHARED_TEMP = ['/tmp', '/var/tmp']

/**
 * Builds the argv of bubblewrap (bwrap(1), 0.5 or newer) that runs `argv` within the plan: all is read-only but the
 * writable folders; own processes, users and, unless allowed, network; no capabilities even for root.
 */
export function bubblewrapArgv(program: string, plan: SandboxPlan, argv: readonly string[], cwd: string): string[] {
  const args = [program, '--die-with-parent', '--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts']
  if (!plan.network) args.push('--unshare-net')
  args.push('--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc')
  // /var/run is most often a link to /run, which is then already covered.
  args.push('--tmpfs', SOCKET_FOLDERS[0]!)
  if (plan.network) args.push('--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve')
  for (const folder of SHARED_TEMP) args.push('--bind', plan.temp, folder)
  for (const folder of plan.writable) args.push('--bind', folder, folder)
  for (const folder of plan.secretFolders) {
    args.push('--tmpfs', folder, '--remount-ro', folder)
    // A workspace or a program folder inside a hidden one stays.
    for (const inner of plan.writable.filter((path) => within(path, folder))) args.push('--bind', inner, inner)
  }
  // A mount point cannot be renamed: no folder above a secret can carry it to where the next command would not expect it.
  for (const folder of foldersAbove(plan)) args.push('--bind', folder, folder)
  for (const path of plan.readOnly) args.push('--ro-bind', path, path)
  for (const file of plan.secretFiles.filter((path) => visible(path, plan))) args.push('--ro-bind', '/dev/null', file)
  args.push('--setenv', 'TMPDIR', '/tmp', '--setenv', 'XDG_CACHE_HOME', '/tmp/.cache')
  return [...args, '--chdir', cwd, '--', ...argv]
}

/** A file in a folder that is hidden or replaced has no place to be covered at. */
function visible(path: string, plan: SandboxPlan): boolean {
  const inWritable = plan.writable.some((folder) => within(path, folder))
  if (inWritable) return true
  return ![...plan.secretFolders, ...SOCKET_FOLDERS, ...SHARED_TEMP].some((folder) => within(path, folder))
}

/** Every folder between a writable root and a secret file in it, outermost first. */
function foldersAbove(plan: SandboxPlan): string[] {
  const folders = new Set<string>()
  for (const file of plan.secretFiles) {
    for (const root of plan.writable.filter((each) => within(file, each))) {
      let folder = dirname(file)
      for (; folder !== root && within(folder, root); folder = dirname(folder)) folders.add(folder)
    }
  }
  return [...folders].sort((a, b) => a.length - b.length)
}
