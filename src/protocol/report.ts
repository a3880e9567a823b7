import { z } from 'zod'
import { errorInfoSchema } from './error.ts'
import { planItemSchema } from './tool-call.ts'

/** How a run ended. Only `done` exits 0. */
export const outcomeSchema = z.enum(['done', 'failed', 'limit', 'refused', 'interrupted', 'unreachable'])
export type Outcome = z.infer<typeof outcomeSchema>

/** End-of-run report, made from the record and never by the model. */
export const reportSchema = z.object({
  outcome: outcomeSchema,
  exitCode: z.number().int(),
  sessionId: z.string(),
  model: z.string(),
  turns: z.number().int(),
  toolCalls: z.number().int(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Of the input, what the server said it had cached. */
  cachedTokens: z.number(),
  elapsedMs: z.number(),
  filesChanged: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['created', 'modified', 'deleted']),
      added: z.number(),
      removed: z.number(),
    }),
  ),
  commands: z.array(
    z.object({
      command: z.string(),
      exitCode: z.number().nullable(),
      durationMs: z.number(),
      /** Exit codes along each pipe in which a command before the last one failed; `exitCode` says nothing of these. */
      pipes: z.array(z.array(z.number())).optional(),
    }),
  ),
  /** What commands did to the repository, such as commits and switches of the branch: undo takes back files only. */
  repository: z.array(z.string()).optional(),
  tests: z
    .object({
      passed: z.number(),
      failed: z.number(),
      skipped: z.number(),
      command: z.string(),
      /** They failed and no counts could be read from their output: `failed` is 1 then. */
      uncounted: z.boolean().optional(),
      /** True when a file was changed after this run of the tests. */
      stale: z.boolean(),
    })
    .optional(),
  refused: z.array(z.object({ tool: z.string(), what: z.string(), reason: z.string() })),
  plan: z.array(planItemSchema),
  hosts: z.array(z.string()),
  error: errorInfoSchema.optional(),
})
export type Report = z.infer<typeof reportSchema>
