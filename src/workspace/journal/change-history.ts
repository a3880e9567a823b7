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

/** Lines of a conflict's diff that are shown. */
const SHOWN_LINES = 40

/** The journal as one session sees it; `noteChange` is told the paths of every step. */
export function changeHistory(
  journal: Journal,
  sessionId: string,
  noteChange: (paths: string[]) => void,
): ChangeHistory {
  const step = (undone: Undone, verb: string): HistoryStep => {
    if (!undone.ok) return { ok: false, paths: [], text: refusal(undone) }
    noteChange(undone.paths)
    const what = undone.entries.map((entry) => entry.description).join(', ')
    const lost = undone.entries.flatMap((entry) => entry.notKept)
    const note = lost.length === 0 ? '' : ` Not put back, because the content was not kept: ${lost.join(', ')}.`
    return { ok: true, paths: undone.paths, text: `${verb}: ${what === '' ? 'no files' : what}.${note}` }
  }
  return {
    beginRun: async (runId, userSeq) => journal.checkpoint({ sessionId, runId, userSeq }),
    undo: async (count) => step(journal.undo({ sessionId, count }), 'Undone'),
    redo: async (count) => step(journal.redo({ sessionId, count }), 'Redone'),
    rewind: async (userSeq) => step(journal.rewind(sessionId, userSeq), 'Taken back'),
  }
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
