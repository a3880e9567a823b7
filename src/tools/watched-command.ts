import type { FileDiff, ToolResult } from '../protocol/index.ts'
import type { CommandChanges } from '../workspace/journal/command-watch.ts'
import { lostPaths } from '../workspace/journal/journal-store.ts'
import type { ChangeOrigin, Workspace } from '../workspace/workspace.ts'
import type { FileChange } from './tool.ts'

/** Files named in the result; the rest are counted. */
const NAMED = 10
/** Changes that get a diff for the screens: nobody looks through more. */
const WITH_DIFF = 50

export interface Watched {
  result: ToolResult
  /** False when nobody could see what the command changed. */
  seen: boolean
  /** Why not, for the user: it cannot be undone. Undefined where no journal is kept at all. */
  unwatched?: string
}

/** Runs a command between two looks at the files, so that what it changed can be undone, shown and indexed. */
export async function watchedCommand(
  workspace: Workspace,
  origin: ChangeOrigin,
  run: () => Promise<ToolResult>,
): Promise<Watched> {
  const { journal } = workspace
  const watch = await journal?.watchCommand(origin)
  if (!journal || !watch) return { result: await run(), seen: false }
  if (watch.unwatched !== undefined) return { result: await run(), seen: false, unwatched: watch.unwatched }
  let result: ToolResult
  try {
    result = await run()
  } catch (error) {
    const changed = await watch.finish()
    if (changed) workspace.noteChange(changed.paths)
    throw error
  }
  const changed = await watch.finish()
  if (!changed) return { result, seen: true }
  workspace.noteChange(changed.paths)
  const diffs = changed.entry.files.length <= WITH_DIFF ? journal.diffOf(changed.entry) : []
  const changes = fileChanges(changed, diffs)
  const repository = changed.git.length === 0 ? {} : { repository: changed.git }
  const text = [result.text, ...whatChanged(changed)].join('\n')
  return { result: { ...result, text, data: { ...result.data, changes, ...repository } }, seen: true }
}

function fileChanges({ entry, paths }: CommandChanges, diffs: readonly FileDiff[]): FileChange[] {
  const kept = new Map(entry.files.map((file) => [file.path, file]))
  return paths.map((path): FileChange => {
    const file = kept.get(path.replace(/\/$/, ''))
    const change = file?.before === null ? 'created' : file?.after === null ? 'deleted' : 'modified'
    const diff = diffs.find((each) => each.path === path)
    return { path, change, ...(diff ? { diff } : {}) }
  })
}

function whatChanged({ paths, entry, git }: CommandChanges): string[] {
  const lost = lostPaths(entry)
  return [
    ...(paths.length === 0 ? [] : [`Files it changed: ${namesOf(paths)}`]),
    ...(lost.length === 0 ? [] : [`Undo cannot put back, because the content was not kept: ${namesOf(lost)}`]),
    ...git.map((step) => `In the repository, which undo does not take back: ${step}`),
  ]
}

function namesOf(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : ''
  return `${paths.slice(0, NAMED).join(', ')}${more}`
}
