import { z } from 'zod'
import { toolErrorCodeSchema } from './error.ts'

/** What a tool does to the world; the policy decides by it. */
export const effectSchema = z.enum(['read', 'write', 'execute', 'network', 'note', 'ask'])
export type Effect = z.infer<typeof effectSchema>

/** One call a model made. `id` is unique in the session; `args` is the object after parsing and coercion. */
export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** The argument text exactly as the model wrote it. */
  rawArgs: z.string().optional(),
  /** True when the call was written in the text instead of the provider's own form. */
  fromText: z.boolean().optional(),
  /** What was mended before the call could run, one sentence each. */
  repairs: z.array(z.string()).optional(),
})
export type ToolCall = z.infer<typeof toolCallSchema>

export const resultStatusSchema = z.enum(['success', 'failed', 'cancelled', 'cached', 'not_run'])

/** Outcome of one call. `text` is what the model reads; `data` is what screens and programs read. */
export const toolResultSchema = z.object({
  status: resultStatusSchema,
  text: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
  code: toolErrorCodeSchema.optional(),
  truncated: z.boolean().optional(),
})
export type ToolResult = z.infer<typeof toolResultSchema>

/** One item of the plan the model keeps with `plan_update`. */
export const planItemSchema = z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) })
export type PlanItem = z.infer<typeof planItemSchema>
