import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/schema.ts'
import { cacheFolder } from '../store/data-folder.ts'
import type { ProtectedPlaces } from '../workspace/protected/find.ts'
import { openSandbox, type Sandbox } from '../workspace/sandbox/sandbox.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * The sandbox for commands in a workspace, the same for all who open or explain it. `temp`: its folder for temporary files;
 * `remembered`: what an earlier try found is good enough; `places`: what is protected, where somebody knows already.
 */
export function sandboxOf(
  { sandbox }: Pick<Config, 'sandbox'>,
  { root, additionalRoots, secretRule }: Pick<Workspace, 'root' | 'additionalRoots' | 'secretRule'>,
  { temp, remembered, places }: { temp: string; remembered: boolean; places?: () => ProtectedPlaces },
): Promise<Sandbox> {
  return openSandbox({
    setting: sandbox.mode,
    root,
    additionalRoots,
    home: homedir(),
    temp,
    isSecret: (path) => secretRule(path) !== null,
    readable: sandbox.readable,
    limits: sandbox.limits,
    ...(places ? { places } : {}),
    ...(remembered ? { cacheFile: join(cacheFolder(), 'sandbox') } : {}),
  })
}
