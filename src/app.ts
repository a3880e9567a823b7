// The composition root: with the files of app/, the only place that names concrete stores and providers. It opens what a
// session needs, in the order that lets the first request leave soonest, and closes all of it again.
import { dirname } from 'node:path'
import { flagsOf } from './app/opened.ts'
import type { Opened } from './app/opened.ts'
import { IndexScope } from './app/index-scope.ts'
import { LargeFolderQuestion } from './app/large-folder.ts'
import { lazyIndex } from './app/lazy-index.ts'
import { protectedFolder } from './app/confinement.ts'
import { protectedLines } from './tools/protected-text.ts'
import { recoverProtected } from './workspace/protected/stored.ts'
import { partsOf } from './app/session-parts.ts'
import { journalled, sessionRow } from './app/stores.ts'
import { inProcessClient } from './client/client.ts'
import type { Client } from './client/client.ts'
import type { App, AppOptions } from './commands/deps.ts'
import { findBackend } from './config/backend.ts'
import { loadConfig } from './config/load-config.ts'
import { ChatSession } from './session/chat-session.ts'
import { cacheFolder, dataFolder, globalDatabaseFile, workspaceDatabaseFile } from './store/data-folder.ts'
import { openEphemeralGlobalStore, openGlobalStore } from './store/sqlite/global-store.ts'
import { openSessionStore } from './store/sqlite/session-store.ts'
import { findWorkspaceRoot } from './workspace/find-root.ts'

/** `session.persistIndefinitely: false`: sessions without activity for so long go. 90 days. */
const KEPT_IDLE_MS = 90 * 24 * 60 * 60 * 1000

/** Opens the application in the workspace around `options.cwd`. */
export async function openApp(options: AppOptions): Promise<App> {
  const { root, detectedBy } = findWorkspaceRoot(options.cwd)
  const data = dataFolder()
  const notices: string[] = []
  // Before anything of the workspace is read: a command may have been cut off in the middle.
  const settled = recoverProtected(protectedFolder(data))
  if (settled.length > 0) notices.push(protectedLines(settled, root).join('\n'))
  const global = options.ephemeral
    ? openEphemeralGlobalStore(globalDatabaseFile(data))
    : openGlobalStore(globalDatabaseFile(data), { onNotice: (line) => notices.push(line) })
  const loaded = await loadConfig({
    ...(options.config === undefined ? {} : { file: options.config }),
    workspaceRoot: root,
    isTrusted: (folder) => global.isTrusted(folder),
    flags: flagsOf(options),
    cacheFolder: cacheFolder(),
  })
  const file = options.ephemeral ? ':memory:' : workspaceDatabaseFile(data, root, loaded.config.storage.location)
  const store = openSessionStore(file)
  const scope = new IndexScope({
    root,
    detectedBy,
    cwd: options.cwd,
    loaded,
    facts: options.ephemeral ? undefined : global,
  })
  const large = new LargeFolderQuestion({
    scope,
    limit: loaded.config.limits.maxFilesWarning,
    agreed: options.yes === true,
  })
  const indexSteps: Opened['indexSteps'] = new Set()
  const opened: Opened = {
    options,
    loaded,
    workspace: journalled(root, loaded.config, store.database, options.ephemeral ? undefined : dirname(file)),
    store,
    backends: new Map(),
    data,
    global,
    index: lazyIndex({
      root,
      config: loaded.config,
      database: options.ephemeral ? undefined : file,
      watch: true,
      scope,
      large,
      onProgress: (step) => {
        for (const tell of indexSteps) tell(step)
      },
    }),
    large,
    indexSteps,
  }
  const sessions: ChatSession[] = []
  let touched = options.ephemeral === true
  // Not on the way to the first request; at the latest before the store is closed.
  const touch = (): void => {
    if (!touched) global.touchWorkspace(root, detectedBy)
    touched = true
  }
  const openSession: App['openSession'] = async ({ interactive, which }): Promise<Client> => {
    const { row, resumed } = sessionRow(opened, which)
    const model = options.model === undefined ? row : { ...row, model: options.model }
    // A name that means nothing is the user's mistake, not a run that failed.
    if (!interactive) findBackend(loaded, model.model)
    const parts = await partsOf(opened, row, interactive)
    const session = new ChatSession(opened.store, model, parts)
    sessions.push(session)
    session.open(resumed)
    for (const text of [...loaded.warnings, ...parts.warnings, ...notices, ...store.database.notices])
      session.events.emit({ type: 'notice', level: 'warning', text })
    setImmediate(touch)
    return inProcessClient(session)
  }
  const app: App = {
    openSession,
    workbench: async () => (await import('./app/workbench.ts')).createWorkbench(opened, app),
    close: async () => {
      touch()
      for (const session of sessions) {
        await session.close()
        // It was opened and nothing was said; `list` holds those with a message or a queued one.
        if (!store.list({ query: session.row.id }).some(({ id }) => id === session.row.id)) store.delete(session.row.id)
      }
      await opened.index.close()
      for (const model of opened.backends.values())
        await model.then(
          (each) => each.close(),
          () => {},
        )
      if (!loaded.config.session.persistIndefinitely) store.purge(Date.now() - KEPT_IDLE_MS)
      store.close()
      global.close()
    },
  }
  return app
}
