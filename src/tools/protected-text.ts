import { isAbsolute, relative } from 'node:path'
import type { ProcessResult } from '../workspace/process/run-process.ts'

import type { ProtectedChange } from '../workspace/protected/put-back.ts'

type Changes = Pick<ProcessResult, 'protectedChanges'>

/** Paths named; the rest are counted. */
const NAMED = 10

/** Lines for the model and the user about what a command did to the protected set; empty when it did nothing. */
export function protectedText({ protectedChanges = [] }: Changes, root: string): string {
  if (protectedChanges.length === 0) return ''
  return `\n${protectedLines(protectedChanges, root).join('\n')}`
}

export function protectedLines(changes: readonly ProtectedChange[], root: string): string[] {
  const lines = changes.slice(0, NAMED).map(({ path, change, putBack, keptAt }) => {
    const name = nameOf(path, root)
    const done = putBack ? (change === 'created' ? 'it was taken away' : 'it was put back') : 'it stays as it is now'
    return `${name} was ${change} by the command; ${done}.${keptAt === undefined ? '' : ` What it wrote: ${keptAt}`}`
  })
  const more = changes.length > NAMED ? [`… and ${changes.length - NAMED} more`] : []
  const why =
    'Programs run or obey these files, so commands may not change them. Use an edit tool, which asks the user:'
  return [why, ...lines, ...more]
}

/** For the report: what was undone behind a command. */
export function protectedData({ protectedChanges }: Changes, root: string): { protected?: string[] } {
  if (protectedChanges === undefined) return {}
  return { protected: protectedChanges.map(({ path, change }) => `${nameOf(path, root)} (${change})`) }
}

function nameOf(path: string, root: string): string {
  const name = relative(root, path)
  return name.startsWith('..') || isAbsolute(name) ? path : name
}
