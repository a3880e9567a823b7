import { storedJson } from './stored-json.ts'
import type { SessionStore } from '../../session/session-store.ts'
import type { Database } from './database.ts'

interface QuestionRow {
  id: string
  session_id: string
  kind: string
  text: string
  options: string | null
  data: string | null
  asked_at: number
  answer: string | null
  answered_by: string | null
  answered_at: number | null
}

type Question = ReturnType<SessionStore['questions']>[number]

/** The part of the store beside the messages: what was typed, which commands ran, what was asked. */
export function historyPart(
  database: Database,
  now: () => number,
): Pick<
  SessionStore,
  'addInput' | 'inputs' | 'addCommand' | 'commands' | 'addQuestion' | 'answerQuestion' | 'questions'
> {
  return {
    addInput(sessionId, text) {
      database.run('INSERT INTO input_history (session_id, text, created_at) VALUES (?, ?, ?)', sessionId, text, now())
    },
    inputs(limit) {
      return database
        .all<{ text: string }>('SELECT text FROM input_history ORDER BY pk DESC LIMIT ?', limit)
        .map((row) => row.text)
        .reverse()
    },
    addCommand(sessionId, command, exitCode) {
      database.run(
        'INSERT INTO command_history (session_id, command, exit_code, created_at) VALUES (?, ?, ?, ?)',
        sessionId,
        command,
        exitCode,
        now(),
      )
    },
    commands(sessionId) {
      return database
        .all<{ command: string; exit_code: number | null; created_at: number }>(
          'SELECT command, exit_code, created_at FROM command_history WHERE session_id = ? ORDER BY pk',
          sessionId,
        )
        .map((row) => ({ command: row.command, exitCode: row.exit_code, time: row.created_at }))
    },
    addQuestion({ id, sessionId, kind, text, options, data }) {
      database.run(
        'INSERT INTO questions (id, session_id, kind, text, options, data, asked_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        id,
        sessionId,
        kind,
        text,
        options === undefined ? null : JSON.stringify(options),
        data === undefined ? null : JSON.stringify(data),
        now(),
      )
    },
    // The first answer counts: two fronts may answer the same question.
    answerQuestion: (id, answer, by) =>
      database.run(
        'UPDATE questions SET answer = ?, answered_by = ?, answered_at = ? WHERE id = ? AND answered_at IS NULL',
        answer,
        by,
        now(),
        id,
      ) > 0,
    questions({ sessionId, open } = {}) {
      return database
        .all<QuestionRow>(
          `SELECT * FROM questions WHERE session_id = coalesce(?, session_id)
           AND (answered_at IS NULL) = coalesce(?, answered_at IS NULL) ORDER BY asked_at, pk`,
          sessionId ?? null,
          open === undefined ? null : Number(open),
        )
        .map(toQuestion)
    },
  }
}

function toQuestion(row: QuestionRow): Question {
  const question: Question = {
    id: row.id,
    sessionId: row.session_id,
    kind: row.kind,
    text: row.text,
    askedAt: row.asked_at,
  }
  if (row.options !== null) question.options = storedJson<string[]>(row.options, [])
  if (row.data !== null) question.data = storedJson<unknown>(row.data, undefined)
  if (row.answer !== null) question.answer = row.answer
  if (row.answered_by !== null) question.answeredBy = row.answered_by
  if (row.answered_at !== null) question.answeredAt = row.answered_at
  return question
}
