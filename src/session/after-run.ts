// What follows a run: its figures are stored, its answer is held against what is known, a new session gets its title.
import type { Report } from '../protocol/index.ts'
import { toErrorInfo } from './error-info.ts'
import type { StoredLog } from './message-log.ts'
import type { OpenModel, SessionParts } from './parts.ts'
import type { SessionStore } from './session-store.ts'

/** Longest title. Characters. */
const TITLE_LENGTH = 80

const TITLE_ORDER =
  '[codehound] Give this conversation a title of at most eight words. Answer with the title alone; call no tools.'

/** The first line of a text, as long as a title may be. */
export const titleOf = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, TITLE_LENGTH)

interface Titled {
  log: StoredLog
  store: SessionStore
  sessionId: string
  model: OpenModel | undefined
}

/** A title by the model for a session of one message; where it gives none, the first line of that message stays. */
export async function askTitle({ log, store, sessionId, model }: Titled, signal: AbortSignal): Promise<void> {
  const messages = log.all()
  const isNew = messages.filter(({ sender }) => sender === 'USER').length === 1
  if (!isNew || !model) return
  const said = await model.prompt.aside(messages, TITLE_ORDER, signal)
  const title = titleOf(said?.replaceAll(/^["'#*\s]+|["'*.\s]+$/g, '') ?? '')
  if (title !== '') store.rename(sessionId, title)
}

/** What of the last answer does not hold, told one by one: evidence, beside the answer and never in it. */
export async function checkAnswer(
  report: Report,
  log: StoredLog,
  check: SessionParts['checkAnswer'],
  tell: (text: string) => void,
): Promise<void> {
  const answer = log.all().findLast((message) => message.sender === 'AI' && message.text !== '')?.text
  if (!check || answer === undefined) return
  try {
    const findings = await check(answer, report)
    for (const { claim, evidence } of findings) tell(`answer check: "${claim}": ${evidence}`)
  } catch (thrown) {
    tell(`The answer could not be checked: ${toErrorInfo(thrown).message}`)
  }
}

export function saveStats(store: SessionStore, report: Report): void {
  store.addStats(report.sessionId, {
    inputTokens: report.inputTokens,
    outputTokens: report.outputTokens,
    cachedTokens: report.cachedTokens,
    elapsedMs: report.elapsedMs,
    turns: report.turns,
    toolCalls: report.toolCalls,
    editsApplied: report.filesChanged.length,
    editsRejected: report.refused.length,
  })
}
