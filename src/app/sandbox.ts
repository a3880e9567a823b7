import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/schema.ts'
import { cacheFolder, dataFolder } from '../store/data-folder.ts'
import { openSandbox, type Sandbox } from '../workspace/sandbox/sandbox.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * The sandbox for commands in a workspace, the same for all who open or explain it. `temp`: its folder for temporary files;
 * `remembered`: what an earlier try found is good enough.
 */
export function sandboxOf(
  { sandbox: setting }: Pick<Config, 'sandbox'>,
  { root, additionalRoots, secretRule }: Pick<Workspace, 'root' | 'additionalRoots' | 'secretRule'>,
  { temp, remembered }: { temp: string; remembered: boolean },
): Promise<Sandbox> {
  return openSandbox({
    setting,
    root,
    additionalRoots,
    home: homedir(),
    temp,
    isSecret: (path) => secretRule(path) !== null,
    privateFolders: [dataFolder()],
    ...(remembered ? { cacheFile: join(cacheFolder(), 'sandbox') } : {}),
  })
}
