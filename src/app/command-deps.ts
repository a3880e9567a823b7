import { dirname, join } from 'node:path'
import type { PolicyCommandDeps } from '../commands/policy.ts'
import { configFileIn, loadConfig, userConfigFolder } from '../config/load-config.ts'
import { cacheFolder, dataFolder, globalDatabaseFile, workspaceDatabaseFile } from '../store/data-folder.ts'
import { existingStores } from '../store/open-stores.ts'
import { openGlobalStore } from '../store/sqlite/global-store.ts'
import { openSessionStore } from '../store/sqlite/session-store.ts'
import { churnSince, lineAuthors } from '../workspace/git/authors.ts'
import { findWorkspaceRoot } from '../workspace/find-root.ts'
import { lazyIndex } from './lazy-index.ts'
import { journalled } from './stores.ts'

/** What the commands that need no model are given; nothing is opened before it is asked for. */
export function openCommandDeps(cwd: string, file: string | undefined) {
  const { root } = findWorkspaceRoot(cwd)
  const data = dataFolder()
  const openGlobal = () => Promise.resolve(openGlobalStore(globalDatabaseFile(data)))
  const load = () =>
    loadConfig({
      ...(file === undefined ? {} : { file }),
      workspaceRoot: root,
      isTrusted: (folder) => {
        const global = openGlobalStore(globalDatabaseFile(data))
        try {
          return global.isTrusted(folder)
        } finally {
          global.close()
        }
      },
      cacheFolder: cacheFolder(),
    })
  return {
    root,
    load,
    openGlobal,
    files: () => ({
      user: file ?? configFileIn(userConfigFolder()),
      workspace: configFileIn(join(root, '.codehound')),
    }),
    openIndex: async (
      onProgress: (done: number, total: number, phase: string) => void,
      onLarge: (limit: number) => void = () => {},
      watch = false,
    ) => {
      const { config } = await load()
      const limit = config.limits.maxFilesWarning
      let isLarge = false
      const lazy = lazyIndex(root, config, workspaceDatabaseFile(data, root, config.storage.location), watch, cwd)
      const index = await lazy.open(({ done, total, phase }) => {
        // Said while the first index is made: behind it nobody needs the advice any more.
        if (!isLarge && total > limit && phase !== 'ready') {
          isLarge = true
          onLarge(limit)
        }
        onProgress(done, total, phase)
      })
      await index.ready()
      return {
        index,
        git: {
          authors: (places: { path: string; line: number }[]) => lineAuthors(root, places),
          churnSince: (revision: string) => churnSince(root, revision),
        },
        close: () => lazy.close(),
      }
    },
    openDoctor: async () => (await import('./doctor-deps.ts')).doctorDeps({ root, cwd, data, load, openGlobal }),
    openPolicy: async (options: Parameters<PolicyCommandDeps['openPolicy']>[0]) =>
      (await import('./policy-deps.ts')).policyOpener({ root, load, openGlobal })(options),
    openHistory: async () => {
      const { config } = await load()
      const database = workspaceDatabaseFile(data, root, config.storage.location)
      const store = openSessionStore(database)
      return {
        store,
        stackSize: config.undo.stackSize,
        workspace: journalled(root, config, store.database, dirname(database)),
        close: () => store.close(),
      }
    },
    openStores: async () => {
      const { config } = await load()
      return existingStores({
        data,
        root,
        location: config.storage.location,
        onNotice: (text) => void process.stderr.write(`${text}\n`),
      })
    },
  }
}
