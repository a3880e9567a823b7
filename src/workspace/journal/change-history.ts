import { lostPaths } from './journal-store.ts'
import type { Journal, Undone } from './journal.ts'

/** What a session does with the journal: its own changes only, told in words. */
export interface ChangeHistory {
  beginRun(runId: string, userSeq: number): Promise<void>
  undo(count: number): Promise<HistoryStep>
  redo(count: number): Promise<HistoryStep>
  /** Files go back to before the run that began with this user message. */
  rewind(userSeq: number): Promise<HistoryStep>
}

export interface HistoryStep {
  ok: boolean
  paths: string[]
  text: string
}

/** The first seconds belong to the user's request. */
const COLLECT_AFTER_MS = 5000
/** Lines of a conflict's diff that are shown. */
const SHOWN_LINES = 40

/** The journal as one session sees it; `noteChange` is told the paths of every step. */
export function changeHistory(
  journal: Journal,
  sessionId: string,
  noteChange: (paths: string[]) => void,
): ChangeHistory {
  let ready: Promise<void> | undefined
  const settled = (): Promise<void> => (ready ??= settle(journal, noteChange))
  const step = (undone: Undone, verb: string): HistoryStep => {
    if (!undone.ok) return { ok: false, paths: [], text: refusal(undone) }
    noteChange(undone.paths)
    const { length } = undone.entries
    const what = undone.entries.map((entry) => entry.description).join(', ')
    const many = length > 1 ? ` ${length} changes` : ''
    const lost = undone.entries.flatMap(lostPaths)
    const note = lost.length === 0 ? '' : ` Not put back, because the content was not kept: ${lost.join(', ')}.`
    const git = undone.git.length === 0 ? '' : ` Only files; in the repository stays: ${undone.git.join('; ')}.`
    return { ok: true, paths: undone.paths, text: `${verb}${many}: ${what === '' ? 'no files' : what}.${note}${git}` }
  }
  return {
    async beginRun(runId, userSeq) {
      await settled()
      journal.checkpoint({ sessionId, runId, userSeq })
    },
    async undo(count) {
      await settled()
      return step(journal.undo({ sessionId, count }), 'Undone')
    },
    async redo(count) {
      await settled()
      return step(journal.redo({ sessionId, count }), 'Redone')
    },
    async rewind(userSeq) {
      await settled()
      return step(journal.rewind(sessionId, userSeq), 'Taken back')
    },
  }
}

/** Before the first step: what a crash left is settled, and old contents are forgotten when nobody waits for an answer. */
async function settle(journal: Journal, noteChange: (paths: string[]) => void): Promise<void> {
  const { reverted } = await journal.recover()
  noteChange(reverted.flatMap((entry) => entry.files.map((file) => file.path)))
  const collect = (): void => {
    try {
      if (journal.collectDue()) journal.collect()
    } catch {
      // The store was closed meanwhile; the next session does it.
    }
  }
  setTimeout(collect, COLLECT_AFTER_MS).unref()
}

function refusal({ message, conflicts = [] }: Extract<Undone, { ok: false }>): string {
  const shown = conflicts
    .flatMap(({ path, diff }) => [
      `${path}:`,
      ...(diff?.hunks ?? []).flatMap(({ lines }) =>
        lines.map(({ kind, text }) => `${kind === 'add' ? '+' : kind === 'remove' ? '-' : ' '}${text}`),
      ),
    ])
    .slice(0, SHOWN_LINES)
  return [message, ...shown].join('\n')
}
