import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PolicyCommandDeps } from '../commands/policy.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { GlobalStore } from '../session/session-store.ts'
import { cacheFolder } from '../store/data-folder.ts'
import { openSandbox } from '../workspace/sandbox/sandbox.ts'
import { createSecretFileRule } from '../workspace/secrets/secret-files.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { makePolicy } from './policy.ts'

interface Places {
  root: string
  load: () => Promise<LoadedConfig>
  openGlobal: () => Promise<GlobalStore>
}

/** The policy a session in this folder would start with. */
export async function openPolicy({ root, load, openGlobal }: Places): ReturnType<PolicyCommandDeps['openPolicy']> {
  const loaded = await load()
  const { sandbox: setting, permissions } = loaded.config
  const isSecret = createSecretFileRule()
  const sandbox = await openSandbox({
    setting,
    root,
    additionalRoots: permissions.additionalRoots,
    home: homedir(),
    temp: join(tmpdir(), 'codehound-explain'),
    isSecret: (path) => isSecret(path) !== null,
    cacheFile: join(cacheFolder(), 'sandbox'),
  })
  const workspace = openWorkspace({ root, additionalRoots: permissions.additionalRoots })
  return makePolicy({ loaded, workspace, options: { cwd: root }, global: await openGlobal() }, true, sandbox)
}
