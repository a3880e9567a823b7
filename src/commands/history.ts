// `codehound changes | undo | redo | rewind`: the journal of this workspace from the command line.
import type { SessionStore } from '../session/session-store.ts'
import { forTerminal, visible } from '../lib/visible.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import { changeHistory } from '../workspace/journal/change-history.ts'
import type { HistoryStep } from '../workspace/journal/change-history.ts'
import { changedPaths, gitSteps, type JournalEntry, lostPaths } from '../workspace/journal/journal-store.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Output } from './deps.ts'
import { diffText } from './diff-text.ts'

export type HistoryRequest =
  | { action: 'changes'; limit: number; diff?: boolean; json?: boolean }
  | { action: 'undo' | 'redo'; count: number; session?: string; yes?: boolean }
  | { action: 'rewind'; session?: string; message?: number }

export interface HistoryDeps {
  stdout: Output
  stderr: Output
  /** The workspace with its journal, and its sessions; `stackSize` is `undo.stackSize`. */
  openHistory(): Promise<{ workspace: Workspace; store: SessionStore; stackSize: number; close: () => void }>
}

const when = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ')

function line(entry: JournalEntry): string {
  const { time, description, files, state, sessionId } = entry
  // What is said already is not said again.
  const paths = changedPaths(files).filter((path) => !description.includes(path))
  const shown = paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ')
  const notKept = lostPaths(entry)
  const lost =
    notKept.length === 0 ? '' : `cannot put back ${notKept.slice(0, 3).join(', ')}${notKept.length > 3 ? ' …' : ''}`
  const git = gitSteps(entry).map((step) => `not undone: ${step}`)
  const session = sessionId === undefined ? '' : `(${sessionId})`
  const parts = [description, shown, lost, ...git, session].filter((part) => part !== '')
  return `${when(time)}  ${state === 'undone' ? 'undone  ' : '        '}${visible(parts.join('  ').replaceAll('\n', ' ⏎ '))}`
}

/** Does one action and returns the exit code: 1 when there was nothing to do, or it was refused. */
export async function run(request: HistoryRequest, deps: HistoryDeps): Promise<number> {
  const { workspace, store, stackSize, close } = await deps.openHistory()
  const { stdout, stderr } = deps
  const print = (step: HistoryStep): number => {
    ;(step.ok ? stdout : stderr).write(`${visible(step.text)}\n`)
    return step.ok ? EXIT.done : EXIT.failed
  }
  try {
    const { journal } = workspace
    if (!journal) throw new UserError('workspace', 'No journal is kept in this workspace.')
    if (request.action === 'changes') {
      const entries = journal.changes({ limit: request.limit })
      if (request.json) stdout.write(`${JSON.stringify(entries, null, 2)}\n`)
      else if (entries.length === 0) stdout.write('No changes have been recorded here.\n')
      for (const entry of request.json ? [] : entries) {
        stdout.write(`${forTerminal(line(entry))}\n`)
        const colour = stdout.isTTY === true && !process.env['NO_COLOR']
        if (request.diff)
          for (const diff of journal.diffOf(entry)) stdout.write(`${forTerminal(diffText(diff, colour))}\n`)
      }
      return entries.length === 0 ? EXIT.failed : EXIT.done
    }
    const sessionId = sessionOf(request, store, journal.changes({ limit: 50 }))
    const history = changeHistory(journal, sessionId, (paths) => workspace.noteChange(paths))
    if (request.action === 'rewind') return print(await rewind(sessionId, request.message, store, history))
    if (request.action === 'undo') checkCount(request, stackSize, () => journal.changes({ sessionId }))
    return print(await history[request.action](request.count))
  } finally {
    close()
  }
}

/** More changes at once than `undo.stackSize` are not taken back by a slip of the finger. */
function checkCount(
  { count, yes }: { count: number; yes?: boolean },
  stackSize: number,
  changes: () => JournalEntry[],
): void {
  if (yes === true || count <= stackSize) return
  const there = Math.min(count, changes().filter((entry) => entry.state === 'done').length)
  if (there <= stackSize) return
  throw new UserError('usage', `${there} changes are more than go without asking (undo.stackSize: ${stackSize}).`, {
    exitCode: EXIT.usage,
    suggestion: `codehound undo ${there} --yes takes them back.`,
  })
}

/** The session named, or the one whose change is the newest. */
function sessionOf(
  request: Exclude<HistoryRequest, { action: 'changes' }>,
  store: SessionStore,
  entries: JournalEntry[],
): string {
  if (request.session !== undefined) {
    const session = store.get(request.session)
    if (session) return session.id
    throw new UserError('session_not_found', `There is no session "${request.session}" in this workspace.`, {
      exitCode: EXIT.usage,
      suggestion: 'codehound sessions list shows them.',
    })
  }
  const wanted = request.action === 'redo' ? 'undone' : 'done'
  const newest =
    request.action === 'rewind'
      ? store.list({ limit: 1 })[0]?.id
      : entries.find((entry) => entry.state === wanted)?.sessionId
  if (newest === undefined)
    throw new UserError('workspace', `There is nothing to ${request.action} in this workspace.`, {
      suggestion: 'codehound changes lists what was recorded.',
    })
  return newest
}

/** Files and conversation go back to before a user message: the one named, or the last. */
async function rewind(
  sessionId: string,
  message: number | undefined,
  store: SessionStore,
  history: ReturnType<typeof changeHistory>,
): Promise<HistoryStep> {
  const users = store.messages(sessionId).filter((each) => each.sender === 'USER')
  const target = message === undefined ? users.at(-1) : users.find((each) => each.seq === message)
  if (!target) {
    const known = users.map((each) => `${each.seq}: ${each.text.split('\n')[0]?.slice(0, 60)}`).join('\n')
    return { ok: false, paths: [], text: `Message ${message ?? ''} is not one of yours. Yours are:\n${known}` }
  }
  const step = await history.rewind(target.seq)
  if (!step.ok) return step
  store.truncate(sessionId, target.seq)
  return {
    ...step,
    text: `Back to before message ${target.seq}: ${target.text.split('\n')[0]?.slice(0, 80)}\n${step.text}`,
  }
}
