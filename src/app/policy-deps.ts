import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PolicyCommandDeps } from '../commands/policy.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { GlobalStore } from '../session/session-store.ts'
import { createApprovals, factApprovals } from '../policy/approvals.ts'
import { workspaceId } from '../store/data-folder.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { makePolicy } from './policy.ts'
import { sandboxOf } from './sandbox.ts'

interface Places {
  root: string
  load: () => Promise<LoadedConfig>
  openGlobal: () => Promise<GlobalStore>
}

/** The policy a session in this folder would start with, and the words for the circumstances. */
export function policyOpener({ root, load, openGlobal }: Places): PolicyCommandDeps['openPolicy'] {
  return async ({ mode, sandbox: wanted, cwd = '.' }) => {
    const loaded = withFlags(await load(), mode, wanted)
    const { permissions, secrets } = loaded.config
    const workspace = openWorkspace({
      root,
      additionalRoots: permissions.additionalRoots,
      secretFiles: secrets.files,
    })
    await checkFolder(cwd, workspace)
    const temp = join(tmpdir(), 'codehound-explain')
    const sandbox = await sandboxOf(loaded.config, workspace, { temp, remembered: true })
    const global = await openGlobal()
    try {
      const options = { cwd: root, ...(wanted === undefined ? {} : { sandbox: wanted }) }
      const policy = await makePolicy({ loaded, workspace, options, global }, true, sandbox)
      return {
        judge: (request) => policy.judge(request),
        circumstances: `mode ${policy.mode}, ${sandbox.status}`,
        notes: loaded.warnings,
        rules: policy.list(),
      }
    } finally {
      global.close()
    }
  }
}

/** Forgets kept approvals of the workspace; returns their texts. */
export async function forgetApprovals(
  root: string,
  openGlobal: () => Promise<GlobalStore>,
  rule: string | undefined,
): Promise<string[]> {
  const global = await openGlobal()
  try {
    const approvals = createApprovals(factApprovals(global, workspaceId(openWorkspace({ root }).root)))
    return approvals.forget(rule).map(({ text }) => text)
  } finally {
    global.close()
  }
}

function withFlags(
  loaded: LoadedConfig,
  mode: LoadedConfig['config']['permissions']['mode'] | undefined,
  sandbox: boolean | undefined,
): LoadedConfig {
  const { config } = loaded
  const permissions = mode === undefined ? config.permissions : { ...config.permissions, mode }
  return {
    ...loaded,
    config: {
      ...config,
      permissions,
      ...(sandbox === false ? { sandbox: { ...config.sandbox, mode: 'off' as const } } : {}),
    },
  }
}

async function checkFolder(cwd: string, workspace: ReturnType<typeof openWorkspace>): Promise<void> {
  const listed = await workspace.list(cwd, { limit: 1 })
  if (listed.ok) return
  throw new UserError('usage', `--cwd ${cwd}: ${listed.message.replace(/ Use \w+.*$/, '')}`, {
    exitCode: EXIT.usage,
    suggestion: 'Give a folder of the workspace, from its root.',
  })
}
