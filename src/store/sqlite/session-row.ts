import { storedJson } from './stored-json.ts'
import type { Session, SessionStats } from '../../protocol/index.ts'

/** A row of `sessions`. */
export interface SessionRow {
  id: string
  title: string
  type: string
  workspace_id: string
  root: string
  backend: string
  model: string
  created_at: number
  updated_at: number
  message_count: number
  forked_from: string | null
  forked_seq: number | null
  stats: string
  metadata: string
  sum: string | null
  live_sum: string | null
}

export const noStats: SessionStats = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  elapsedMs: 0,
  turns: 0,
  toolCalls: 0,
  editsApplied: 0,
  editsRejected: 0,
}

/** Splits `backend/model` at the first slash: model names may hold more of them. */
export function splitModel(model: string): [backend: string, model: string] {
  const slash = model.indexOf('/')
  return slash === -1 ? ['', model] : [model.slice(0, slash), model.slice(slash + 1)]
}

export function toSession(row: SessionRow): Session {
  const session: Session = {
    id: row.id,
    title: row.title,
    type: row.type as Session['type'],
    workspaceId: row.workspace_id,
    root: row.root,
    model: row.backend === '' ? row.model : `${row.backend}/${row.model}`,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    messageCount: row.message_count,
    stats: { ...noStats, ...storedJson<Partial<SessionStats>>(row.stats, {}) },
    metadata: storedJson<Record<string, unknown>>(row.metadata, {}),
  }
  if (row.forked_from !== null) session.forkedFrom = { id: row.forked_from, seq: row.forked_seq ?? 0 }
  return session
}
