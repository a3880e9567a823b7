import { z } from 'zod'
import { imageTypes } from '../lib/image-facts.ts'
import { toolCallSchema, toolResultSchema } from './tool-call.ts'

export const senderSchema = z.enum(['USER', 'AI', 'SYSTEM'])

/** Kinds of SYSTEM messages. The last two are kept for audit and never sent to a model. */
export const systemTypeSchema = z.enum([
  'DATA_ADDED',
  'ACTIONS_EXECUTED',
  'LIMIT_REACHED',
  'FORMAT_ERROR',
  'VALIDATION_CANCELLED',
  'COMMUNICATION_CANCELLED',
  'INTERRUPTED',
  'COMPACTION',
  'NETWORK_ERROR',
  'SESSION_TIMEOUT',
])

/** An image of a message. Its bytes lie in the store, under their hash. */
export const attachedImageSchema = z.object({
  /** SHA-256 of the bytes, hex. */
  hash: z.string(),
  mediaType: z.enum(imageTypes),
  bytes: z.number().int(),
  /** Pixels; absent when the header does not say. */
  width: z.number().int().optional(),
  height: z.number().int().optional(),
})
export type AttachedImage = z.infer<typeof attachedImageSchema>

/** Something the user attached: where it points, and the one line screens show for it. */
export const attachmentSchema = z.object({
  kind: z.enum([
    'path',
    'lines',
    'folder',
    'content',
    'symbol',
    'diff',
    'todo',
    'note',
    'url',
    'image',
    'stdin',
    'command',
  ]),
  ref: z.string(),
  summary: z.string(),
  image: attachedImageSchema.optional(),
})
export type Attachment = z.infer<typeof attachmentSchema>

export const usageSchema = z.object({
  /** Tokens of the whole prompt as the server counted them, cached ones included. */
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cachedTokens: z.number().int().nonnegative().optional(),
  cacheWriteTokens: z.number().int().nonnegative().optional(),
  /** True when the server sent no counts and these are estimates. */
  estimated: z.boolean().optional(),
})
export type Usage = z.infer<typeof usageSchema>

export const finishReasonSchema = z.enum([
  'stop',
  'length',
  'tool_calls',
  'content_filter',
  'cut',
  'interrupted',
  'unknown',
])
export type FinishReason = z.infer<typeof finishReasonSchema>

/** What a model answered, as it came and as it was understood. */
export const modelOutputSchema = z.object({
  text: z.string(),
  reasoning: z.string().optional(),
  /** Provider data that must be replayed unchanged (for example signed thinking blocks). */
  reasoningData: z.unknown().optional(),
  toolCalls: z.array(toolCallSchema),
  raw: z.string().optional(),
  finishReason: finishReasonSchema,
  usage: usageSchema.optional(),
  model: z.string(),
})
export type ModelOutput = z.infer<typeof modelOutputSchema>

/** What codehound itself adds to a conversation; one per tool call, those of a turn share `batchId`. */
export const systemContentSchema = z.object({
  type: systemTypeSchema,
  batchId: z.string().optional(),
  callId: z.string().optional(),
  toolName: z.string().optional(),
  result: toolResultSchema.optional(),
  /** Text for the prompt when there is no tool result. */
  data: z.string().optional(),
  /** One line for screens. */
  summary: z.string().optional(),
})

/** One structure for every message of a session. `seq` starts at 1 and has no holes. */
export const messageSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  seq: z.number().int().positive(),
  /** Milliseconds since the epoch. */
  time: z.number(),
  sender: senderSchema,
  /** Linear text: what the user typed, or what the model said. */
  text: z.string(),
  attachments: z.array(attachmentSchema).optional(),
  output: modelOutputSchema.optional(),
  system: systemContentSchema.optional(),
  execution: z.record(z.string(), z.unknown()).optional(),
  excludeFromPrompt: z.boolean().optional(),
})
export type Message = z.infer<typeof messageSchema>

/** A message before the store gave it its place. */
export type NewMessage = Omit<Message, 'id' | 'sessionId' | 'seq' | 'time'>
