// What `/status` shows beside the session's own lines.
import { join } from 'node:path'
import { findBackend } from '../config/backend.ts'
import type { StatusLine } from '../client/workbench.ts'
import { backendOf } from './backends.ts'
import { sandboxOf } from './sandbox.ts'
import { wantedBackends } from './wanted-backends.ts'
import type { Opened } from './opened.ts'
import { plural } from '../lib/plural.ts'

const HEALTH_TIMEOUT_MS = 1500

/** What commands run in, in words. */
async function sandboxText({ loaded, options, workspace, data }: Opened): Promise<string> {
  if (options.sandbox === false) return 'off (--no-sandbox)'
  const temp = join(data, 'output')
  const { status } = await sandboxOf(loaded.config, workspace, { temp, remembered: true })
  return status.replace(/^sandbox: /, '')
}

/** Store, index, servers and sums over the sessions of this workspace. */
export async function statusLines(opened: Opened): Promise<StatusLine[]> {
  const { loaded, store, options, workspace, index, large } = opened
  const { config } = loaded
  const backends = await Promise.all(
    wantedBackends(loaded).map(async (name): Promise<StatusLine> => {
      const began = performance.now()
      try {
        findBackend(loaded, `${name}/any`)
        const server = await backendOf(opened, name)
        const models = await server.list(AbortSignal.timeout(HEALTH_TIMEOUT_MS))
        return {
          name,
          value: `${server.url ?? server.provider} · ${plural(models.length, 'model')} · ${Math.round(performance.now() - began)} ms`,
        }
      } catch (thrown) {
        return { name, value: thrown instanceof Error ? thrown.message : String(thrown), bad: true }
      }
    }),
  )
  const sessions = store.list()
  const sum = (key: 'inputTokens' | 'outputTokens' | 'toolCalls'): number =>
    sessions.reduce((total, { stats }) => total + stats[key], 0)
  const known = index.current()?.status()
  return [
    { name: 'project', value: workspace.root },
    {
      name: 'store',
      value: options.ephemeral
        ? 'in memory, nothing is kept'
        : `${config.storage.type} · ${plural(sessions.length, 'session')}`,
    },
    {
      name: 'index',
      value: large.current()
        ? 'waits for your answer: how much of this large folder it is to read'
        : large.isCancelled
          ? 'none in this session, as you said; /reindex asks again'
          : known
            ? `${known.state} · ${known.files} files · ${known.symbols} symbols · ${known.watcher === 'watching' ? 'watching for changes' : `watcher ${known.watcher}`}${known.scope === undefined ? '' : ` · ${known.scope}/ alone`}`
            : 'opened with the first message, /map, /reindex or a completion',
    },
    ...(known?.warnings ?? []).map((value): StatusLine => ({ name: 'index', value, bad: true })),
    { name: 'sandbox', value: await sandboxText(opened) },
    ...(workspace.raceSafe
      ? []
      : [{ name: 'paths', value: 'compared before and after opening: a folder swapped in between could be missed' }]),
    ...backends,
    {
      name: 'so far',
      value: `${sum('inputTokens').toLocaleString('en-US')} tokens in, ${sum('outputTokens').toLocaleString('en-US')} out, ${sum('toolCalls')} tool calls in this project`,
    },
  ]
}
