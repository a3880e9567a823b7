import { z } from 'zod'
import { fileDiffSchema } from './diff.ts'
import { errorInfoSchema } from './error.ts'
import { attachmentSchema, finishReasonSchema, messageSchema, usageSchema } from './message.ts'
import { reportSchema } from './report.ts'
import { modeSchema } from './session.ts'
import { effectSchema, planItemSchema, toolCallSchema, toolResultSchema } from './tool-call.ts'

/** One action an approval asks about, in plain words, with the rule that made it ask. */
export const approvalActionSchema = z.object({
  callId: z.string(),
  tool: z.string(),
  effect: effectSchema,
  title: z.string(),
  /** Command text, host, or path. */
  subject: z.string().optional(),
  diff: fileDiffSchema.optional(),
  reason: z.string(),
  level: z.string(),
  source: z.object({ file: z.string(), line: z.number().int() }).optional(),
  silence: z.string().optional(),
  warning: z.string().optional(),
  /** The rules "for this session" and "always" would store, never wider than what is shown. */
  remember: z.array(z.string()),
})
export type ApprovalAction = z.infer<typeof approvalActionSchema>

export const questionSchema = z.object({
  id: z.string(),
  callId: z.string(),
  kind: z.enum(['choice', 'confirm', 'text']),
  question: z.string(),
  options: z.array(z.string()).optional(),
})
export type Question = z.infer<typeof questionSchema>

const runEvents = [
  // A run: from the user's message to the final answer.
  z.object({
    type: z.literal('session-start'),
    title: z.string(),
    model: z.string(),
    resumed: z.boolean(),
    messageCount: z.number().int(),
  }),
  z.object({
    type: z.literal('run-start'),
    reason: z.string(),
    prompt: z.string(),
    attachments: z.array(attachmentSchema).optional(),
    model: z.string(),
    mode: modeSchema,
    window: z.number().int(),
  }),
  z.object({ type: z.literal('run-end'), report: reportSchema }),
  z.object({ type: z.literal('message'), message: messageSchema }),
] as const

const turnEvents = [
  // A turn: one model response and the results of its calls.
  z.object({
    type: z.literal('turn-start'),
    turn: z.number().int(),
    promptTokens: z.number().int(),
    window: z.number().int(),
  }),
  z.object({
    type: z.literal('turn-end'),
    turn: z.number().int(),
    finishReason: finishReasonSchema,
    usage: usageSchema.optional(),
    durationMs: z.number(),
  }),
  z.object({ type: z.literal('text-start') }),
  z.object({ type: z.literal('text-delta'), text: z.string() }),
  z.object({ type: z.literal('text-end') }),
  z.object({ type: z.literal('reasoning-start') }),
  z.object({ type: z.literal('reasoning-delta'), text: z.string() }),
  z.object({ type: z.literal('reasoning-end') }),
  z.object({
    type: z.literal('retry'),
    attempt: z.number().int(),
    of: z.number().int(),
    delayMs: z.number(),
    error: errorInfoSchema,
  }),
] as const

const toolEvents = [
  // A call: made, perhaps asked about, running, answered.
  z.object({
    type: z.literal('tool-call'),
    call: toolCallSchema,
    title: z.string(),
    effect: effectSchema.optional(),
    batchId: z.string(),
  }),
  z.object({
    type: z.literal('tool-output-delta'),
    callId: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  z.object({
    type: z.literal('tool-result'),
    callId: z.string(),
    tool: z.string(),
    result: toolResultSchema,
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal('file-change'),
    callId: z.string(),
    path: z.string(),
    change: z.enum(['created', 'modified', 'deleted']),
    diff: fileDiffSchema.optional(),
  }),
  z.object({ type: z.literal('approval-request'), id: z.string(), actions: z.array(approvalActionSchema) }),
  z.object({
    type: z.literal('approval-answer'),
    id: z.string(),
    answer: z.enum(['yes', 'no', 'cancelled']),
    reason: z.string().optional(),
  }),
  z.object({ type: z.literal('question-request'), question: questionSchema }),
  z.object({ type: z.literal('question-answer'), id: z.string(), answer: z.string().nullable() }),
  z.object({
    type: z.literal('error-request'),
    id: z.string(),
    error: errorInfoSchema,
    choices: z.array(z.enum(['retry', 'skip', 'abort', 'apply', 'regenerate'])),
  }),
  z.object({
    type: z.literal('error-answer'),
    id: z.string(),
    choice: z.enum(['retry', 'skip', 'abort', 'apply', 'regenerate']),
  }),
  z.object({ type: z.literal('plan-update'), items: z.array(planItemSchema) }),
] as const

const stateEvents = [
  // What surrounds a run.
  z.object({
    type: z.literal('status'),
    state: z.enum(['ready', 'thinking', 'reading-prompt', 'tool', 'waiting', 'retry', 'error']),
    detail: z.string().optional(),
  }),
  z.object({
    type: z.literal('usage'),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedTokens: z.number(),
    contextTokens: z.number(),
    window: z.number(),
  }),
  z.object({ type: z.literal('mode-change'), mode: modeSchema }),
  z.object({ type: z.literal('model-change'), model: z.string(), window: z.number() }),
  z.object({ type: z.literal('limit-reached'), counter: z.string(), limit: z.number(), text: z.string() }),
  z.object({ type: z.literal('format-error'), text: z.string(), attempt: z.number().int() }),
  z.object({ type: z.literal('compaction'), before: z.number(), after: z.number(), text: z.string() }),
  z.object({
    type: z.literal('context'),
    blocks: z.array(
      z.object({
        id: z.string(),
        level: z.number().int(),
        title: z.string(),
        tokens: z.number(),
        why: z.string(),
        lastUsedTurn: z.number().int().optional(),
        pinned: z.boolean().optional(),
      }),
    ),
    window: z.number(),
  }),
  z.object({
    type: z.literal('index-progress'),
    phase: z.enum(['scan', 'parse', 'link', 'ready', 'failed']),
    done: z.number().int(),
    total: z.number().int(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('pull-progress'),
    model: z.string(),
    status: z.string(),
    completed: z.number(),
    total: z.number(),
  }),
  // Messages typed during a run that ended before they could join; nobody answers them. `resumed`: of an earlier process.
  z.object({ type: z.literal('messages-returned'), texts: z.array(z.string()), resumed: z.boolean() }),
  z.object({ type: z.literal('changes-undone'), paths: z.array(z.string()), redo: z.boolean(), text: z.string() }),
  z.object({
    type: z.literal('notice'),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    suggestion: z.string().optional(),
  }),
  z.object({ type: z.literal('error'), error: errorInfoSchema }),
] as const

export const eventBodySchema = z.discriminatedUnion('type', [
  ...runEvents,
  ...turnEvents,
  ...toolEvents,
  ...stateEvents,
])

/** What happened, without its envelope. */
export type EventBody = z.infer<typeof eventBodySchema>

export const eventEnvelopeSchema = z.object({
  /** Place in the session's event stream of this process, from 1. */
  seq: z.number().int().positive(),
  /** Milliseconds since the epoch. */
  time: z.number(),
  sessionId: z.string(),
  runId: z.string().optional(),
})

/** One thing that happened. The stream of these is the only way out of a session. */
export type Event = EventBody & z.infer<typeof eventEnvelopeSchema>
