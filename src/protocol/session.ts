import { z } from 'zod'

export const modeSchema = z.enum(['plan', 'ask', 'auto-edit', 'auto'])
export type Mode = z.infer<typeof modeSchema>

/** Sums over the life of a session. */
export const sessionStatsSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  /** Milliseconds spent in runs. */
  elapsedMs: z.number(),
  turns: z.number(),
  toolCalls: z.number(),
  editsApplied: z.number(),
  editsRejected: z.number(),
})
export type SessionStats = z.infer<typeof sessionStatsSchema>

export const sessionSchema = z.object({
  id: z.string(),
  title: z.string(),
  type: z.enum(['CHAT', 'AUTOMATION']),
  workspaceId: z.string(),
  root: z.string(),
  /** `backend/model`. */
  model: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  messageCount: z.number().int(),
  /** Session it was forked from, and the last message it shares with it. */
  forkedFrom: z.object({ id: z.string(), seq: z.number().int() }).optional(),
  stats: sessionStatsSchema,
  metadata: z.record(z.string(), z.unknown()),
})
export type Session = z.infer<typeof sessionSchema>
