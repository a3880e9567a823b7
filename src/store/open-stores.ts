// Promises the stores that exist, for commands that look at them or change them without running anything.
// Creates nothing: a workspace where nothing was stored has no store.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionStore } from '../session/session-store.ts'
import { globalDatabaseFile, workspaceId } from './data-folder.ts'
import { openGlobalStore } from './sqlite/global-store.ts'
import { openSessionStore } from './sqlite/session-store.ts'

export interface WorkspaceStore {
  /** Absolute path of the workspace. */
  root: string
  store: SessionStore
}

export interface ExistingStores {
  /** The store of the workspace it was opened for; undefined when nothing has been stored there. */
  here(): WorkspaceStore | undefined
  /** Every workspace with a store, last used first; the one it was opened for is the first. */
  everywhere(): WorkspaceStore[]
  close(): void
}

interface Places {
  /** The data folder. */
  data: string
  /** Workspace whose store is `here`. */
  root: string
  /** `storage.location`: looked at first; the other place counts when nothing is there. */
  location: 'user' | 'workspace'
  /** Gets each line about an open that the user should read. */
  onNotice: (line: string) => void
}

/** Gives access to what is stored; opens a store when it is asked for. */
export function existingStores({ data, root, location, onNotice }: Places): ExistingStores {
  const opened = new Map<string, WorkspaceStore | undefined>()
  const open = (folder: string): WorkspaceStore | undefined => {
    if (!opened.has(folder)) {
      const inData = join(data, 'workspaces', workspaceId(folder), 'workspace.db')
      const inProject = join(folder, '.codehound', 'workspace.db')
      const places = location === 'user' ? [inData, inProject] : [inProject, inData]
      const file = places.find((place) => existsSync(place))
      const store = file === undefined ? undefined : openSessionStore(file)
      store?.database.notices.forEach(onNotice)
      opened.set(folder, store === undefined ? undefined : { root: folder, store })
    }
    return opened.get(folder)
  }
  return {
    here: () => open(root),
    everywhere() {
      const file = globalDatabaseFile(data)
      const roots = [root]
      if (existsSync(file)) {
        const global = openGlobalStore(file, { onNotice })
        roots.push(...global.workspaces().map((workspace) => workspace.root))
        global.close()
      }
      return [...new Set(roots)].map(open).filter((each) => each !== undefined)
    },
    close() {
      for (const each of opened.values()) {
        each?.store.takeDamage().forEach(onNotice)
        each?.store.close()
      }
    },
  }
}
