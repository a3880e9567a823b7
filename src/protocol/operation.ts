import { z } from 'zod'
import { attachmentSchema } from './message.ts'
import { modeSchema } from './session.ts'

/** How far a given approval reaches. */
export const approvalScopeSchema = z.enum(['once', 'run', 'session', 'workspace'])
export type ApprovalScope = z.infer<typeof approvalScopeSchema>

/** Everything a front can ask of a session. */
export const operationSchema = z.discriminatedUnion('type', [
  // During a run a message is queued and joins at the next turn.
  z.object({
    type: z.literal('send-message'),
    text: z.string(),
    attachments: z.array(attachmentSchema).optional(),
    data: z.array(z.string()).optional(),
  }),
  // Goes on after a limit; `turns` extends it.
  z.object({ type: z.literal('continue-run'), turns: z.number().int().positive().optional() }),
  z.object({ type: z.literal('interrupt-run') }),
  z.object({
    type: z.literal('answer-approval'),
    id: z.string(),
    answer: z.enum(['yes', 'no']),
    scope: approvalScopeSchema.optional(),
    reason: z.string().optional(),
    // Hunk numbers to leave out of a proposed change, and the text that replaces the proposal.
    droppedHunks: z.array(z.number().int()).optional(),
    editedText: z.string().optional(),
  }),
  z.object({ type: z.literal('answer-question'), id: z.string(), answer: z.string() }),
  z.object({
    type: z.literal('answer-error'),
    id: z.string(),
    choice: z.enum(['retry', 'skip', 'abort', 'apply', 'regenerate']),
  }),
  z.object({ type: z.literal('set-mode'), mode: modeSchema }),
  z.object({ type: z.literal('set-model'), model: z.string() }),
  z.object({ type: z.literal('undo-changes'), count: z.number().int().positive().optional() }),
  z.object({ type: z.literal('redo-changes'), count: z.number().int().positive().optional() }),
  // Files and conversation go back to before the user message with this sequence number.
  z.object({ type: z.literal('rewind-session'), seq: z.number().int().positive() }),
  z.object({
    type: z.literal('compress-context'),
    keep: z.number().int().nonnegative().optional(),
    focus: z.string().optional(),
  }),
  z.object({ type: z.literal('rename-session'), title: z.string() }),
  // `exitCode`: the front has run it in its own terminal, so it is only recorded; null when a signal ended it.
  z.object({
    type: z.literal('run-command'),
    command: z.string(),
    exitCode: z.number().int().nullable().optional(),
  }),
  z.object({ type: z.literal('show-context') }),
  // `block`: its id in the event `context`, or a part of its title.
  z.object({ type: z.literal('edit-context'), action: z.enum(['pin', 'unpin', 'drop']), block: z.string() }),
])
export type Operation = z.infer<typeof operationSchema>
