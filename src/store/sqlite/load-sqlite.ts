import type * as Sqlite from 'node:sqlite'

/**
 * Loads `node:sqlite` without the line that the first releases of Node 24 print for it: nothing the user could act on.
 * A static import would load it before this module could hold the line back.
 */
function loadSqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (!String(warning).includes('SQLite')) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

export const { DatabaseSync } = loadSqlite()
export type DatabaseSync = Sqlite.DatabaseSync
