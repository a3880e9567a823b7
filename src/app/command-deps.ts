import { forTerminal } from '../lib/visible.ts'
import { dirname, join } from 'node:path'
import type { IndexFront } from '../commands/index-commands.ts'
import type { PolicyCommandDeps } from '../commands/policy.ts'
import type { TextQuery } from '../index/answers.ts'
import { configFileIn, type LoadedConfig, loadConfig, userConfigFolder } from '../config/load-config.ts'
import { cacheFolder, dataFolder, globalDatabaseFile, workspaceDatabaseFile } from '../store/data-folder.ts'
import { existingStores } from '../store/open-stores.ts'
import { openGlobalStore } from '../store/sqlite/global-store.ts'
import { openSessionStore } from '../store/sqlite/session-store.ts'
import { churnSince, lineAuthors } from '../workspace/git/authors.ts'
import { findWorkspaceRoot } from '../workspace/find-root.ts'
import { forgetScope, IndexScope } from './index-scope.ts'
import { LargeFolderQuestion } from './large-folder.ts'
import { lazyIndex } from './lazy-index.ts'
import { journalled } from './stores.ts'

/** What the commands that need no model are given; nothing is opened before it is asked for. */
export function openCommandDeps(cwd: string, file: string | undefined) {
  const { root, detectedBy } = findWorkspaceRoot(cwd)
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
  const prepareIndex = async ({ yes, anew, watch }: IndexFront) => {
    const facts = openGlobalStore(globalDatabaseFile(data))
    if (anew) forgetScope(root, facts)
    const loaded = await load()
    const { config } = loaded
    const scope = new IndexScope({ root, detectedBy, cwd, loaded, facts })
    const large = new LargeFolderQuestion({ scope, limit: config.limits.maxFilesWarning, agreed: yes })
    const database = workspaceDatabaseFile(data, root, config.storage.location)
    const lazy = lazyIndex({ root, config, database, watch: watch === true, scope, large })
    const close = async (): Promise<void> => {
      await lazy.close()
      facts.close()
    }
    return { lazy, large, close }
  }
  /** Prepared for a search that could not do without the index. */
  let unopened: Awaited<ReturnType<typeof prepareIndex>> | undefined
  return {
    root,
    load,
    openGlobal,
    answeredScope: async (loaded: LoadedConfig) => {
      const facts = await openGlobal()
      try {
        return new IndexScope({ root, detectedBy, cwd, loaded, facts }).remembered()
      } finally {
        facts.close()
      }
    },
    files: () => ({
      user: file ?? configFileIn(userConfigFolder()),
      workspace: configFileIn(join(root, '.codehound')),
    }),
    searchSaved: async (front: IndexFront, query: (root: string) => TextQuery) => {
      const wanted = query(root)
      const prepared = await prepareIndex(front)
      const found = await prepared.lazy.searchSaved(wanted)
      if (found) await prepared.close()
      else unopened = prepared
      return found
    },
    openIndex: async (front: IndexFront) => {
      const { onProgress, warn, ask } = front
      const { lazy, large, close } = unopened ?? (await prepareIndex(front))
      unopened = undefined
      let isAsked = false
      if (ask)
        large.listen(() => {
          if (isAsked || !large.current()) return
          isAsked = true
          ask({ current: () => large.current(), answer: (answer) => large.answer(answer) })
        })
      // What comes up behind the first build stands in the status.
      lazy.onWarning((text) => {
        if (lazy.current()?.status().state === 'building') warn(text)
      })
      let index
      try {
        index = await lazy.open(({ done, total, phase }) => onProgress(done, total, phase))
        await index.ready()
      } catch (error) {
        await close()
        throw error
      }
      return {
        index,
        git: {
          authors: (places: { path: string; line: number }[]) => lineAuthors(root, places),
          churnSince: (revision: string) => churnSince(root, revision),
        },
        close,
      }
    },
    openDoctor: async () =>
      (await import('./doctor-deps.ts')).doctorDeps({ root, detectedBy, cwd, data, load, openGlobal }),
    openPolicy: async (options: Parameters<PolicyCommandDeps['openPolicy']>[0]) =>
      (await import('./policy-deps.ts')).policyOpener({ root, load, openGlobal })(options),
    forgetApprovals: async (rule: string | undefined) =>
      (await import('./policy-deps.ts')).forgetApprovals(root, openGlobal, rule),
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
        onNotice: (text) => void process.stderr.write(`${forTerminal(text)}\n`),
      })
    },
  }
}
