import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DoctorDeps } from '../commands/doctor.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { createModel } from '../model/create-model.ts'
import type { GlobalStore } from '../session/session-store.ts'
import { workspaceDatabaseFile } from '../store/data-folder.ts'
import { checkDatabase } from '../store/sqlite/database.ts'
import { openSessionStore } from '../store/sqlite/session-store.ts'
import type { DetectedBy } from '../workspace/find-root.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { IndexScope } from './index-scope.ts'
import { lazyIndex } from './lazy-index.ts'
import { sandboxOf } from './sandbox.ts'

interface Places {
  root: string
  detectedBy: DetectedBy
  cwd: string
  data: string
  load: () => Promise<LoadedConfig>
  openGlobal: () => Promise<GlobalStore>
}

/** What `codehound doctor` looks at; nothing is opened before it is asked for. */
export function doctorDeps({
  root,
  detectedBy,
  cwd,
  data,
  load,
  openGlobal,
}: Places): Omit<DoctorDeps, 'stdout' | 'stderr'> {
  let global: GlobalStore | undefined
  const databaseOf = ({ config }: LoadedConfig): string => workspaceDatabaseFile(data, root, config.storage.location)
  return {
    root,
    load,
    openBackend: ({ config }, name) => createModel(name, config.backends[name]!),
    formatFacts: async () => (global ??= await openGlobal()),
    checkStore: (config) => {
      const file = databaseOf(config)
      if (!existsSync(file)) return Promise.resolve(undefined)
      const store = openSessionStore(file)
      try {
        return Promise.resolve({ file, faults: [...store.database.notices, ...checkDatabase(store.database)] })
      } finally {
        store.close()
      }
    },
    indexStatus: async (config) => {
      const facts = (global ??= await openGlobal())
      const scope = new IndexScope({ root, detectedBy, cwd, loaded: config, facts })
      const lazy = lazyIndex({ root, config: config.config, database: databaseOf(config), watch: true, scope })
      try {
        const index = await lazy.open()
        await index.ready()
        await index.watching()
        return index.status()
      } finally {
        await lazy.close()
      }
    },
    sandboxStatus: async ({ config }) => {
      const { additionalRoots } = config.permissions
      const workspace = openWorkspace({ root, additionalRoots, secretFiles: config.secrets.files })
      const folder = await mkdtemp(join(tmpdir(), 'codehound-doctor-'))
      try {
        return await sandboxOf(config, workspace, { temp: join(folder, 'tmp'), remembered: false })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: () => Promise.resolve(global?.close()),
  }
}
