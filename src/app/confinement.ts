// What holds the commands of a session: sandbox, comparison of the protected set, limits, environment.
import { join } from 'node:path'
import type { CommandServices } from '../tools/tool.ts'
import type { CommandPlace, Confinement } from '../workspace/process/confinement.ts'
import { allowedVariables, commandEnvironment } from '../workspace/process/environment.ts'
import { createProtectedGuard, someProtected, type ProtectedGuard } from '../workspace/protected/guard.ts'
import { openSnapshotFile } from '../workspace/protected/stored.ts'
import type { ProtectedChange } from '../workspace/protected/put-back.ts'
import { linkedGitFolders } from '../workspace/sandbox/plan.ts'
import type { Sandbox } from '../workspace/sandbox/sandbox.ts'
import { backendKeys } from './backend-keys.ts'
import type { Opened } from './opened.ts'
import { sandboxOf } from './sandbox.ts'

export interface CommandConfinement {
  sandbox: Sandbox
  guard: ProtectedGuard
  /** The environment of commands at a place; default inside. */
  environment: (place?: CommandPlace) => Record<string, string>
  confine(place: CommandPlace, allowsNetwork: () => boolean): Confinement
  /** What is known of the sandbox at a place. */
  known(place: CommandPlace, allowsNetwork: () => boolean): ReturnType<NonNullable<CommandServices['sandbox']>>
  /** Listens until it is called again with another listener. */
  onProtectedChange(listener: (changes: readonly ProtectedChange[]) => void): void
  close(): void
}

/** Outside of the sandbox a command may ask the user's agents of keys, as one of the user's own would. */
const OUTSIDE = ['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_TTY', 'DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS']

/** Where looks at the protected set lie while commands run. */
export function protectedFolder(data: string): string {
  return join(data, 'protected')
}

/** `outputFolder` keeps what a command wrote over protected files, and holds the temporary folder. */
export async function openConfinement(
  opened: Opened,
  sessionId: string,
  outputFolder: string,
): Promise<CommandConfinement> {
  const { loaded, workspace, data, options } = opened
  const { config } = loaded
  let listener: ((changes: readonly ProtectedChange[]) => void) | undefined
  const guard = createProtectedGuard({
    roots: [workspace.root, ...workspace.additionalRoots],
    gitFolders: linkedGitFolders(workspace.root),
    keepFolder: join(outputFolder, 'protected'),
    stored: openSnapshotFile(options.ephemeral ? outputFolder : protectedFolder(data), sessionId),
    onPutBack: (changes) => listener?.(changes),
  })
  // What the user let a tool write, or wrote with undo, is theirs.
  const stop = workspace.onChange((paths) => {
    if (someProtected(paths)) guard.accept()
  })
  const temp = join(outputFolder, 'tmp')
  const sandbox = await sandboxOf(config, workspace, { temp, remembered: true, places: () => guard.places() })
  const secrets = backendKeys(config)
  const { processes, disk } = config.sandbox.limits
  return {
    sandbox,
    guard,
    environment: (place) =>
      commandEnvironment(process.env, {
        secrets,
        allow: config.commands.env,
        extra: place === 'outside' ? allowedVariables(process.env, { allow: OUTSIDE, secrets }) : {},
      }),
    confine: (place, allowsNetwork) => {
      const inside = sandbox.active && place !== 'outside'
      const network = place === 'network' || allowsNetwork()
      return {
        guard: { begin: () => guard.begin({ mounted: inside, tellOnly: sandbox.active && place === 'outside' }) },
        ...(inside
          ? {
              wrap: (argv, { cwd }) => sandbox.wrap(argv, { cwd, network }),
              watchdog: { processes, disk, folders: [workspace.root, temp] },
            }
          : {}),
      }
    },
    known: (place, allowsNetwork) =>
      sandbox.active && place !== 'outside'
        ? { access: (path) => sandbox.access(path), network: place === 'network' || allowsNetwork() }
        : undefined,
    onProtectedChange: (next) => (listener = next),
    close: stop,
  }
}
