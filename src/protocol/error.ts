import { z } from 'zod'

/** Closed list of model errors (one place per provider decides which; no other code matches error text). */
export const modelErrorCodeSchema = z.enum([
  'rate_limit',
  'context_too_long',
  'model_not_found',
  'auth_error',
  'timeout',
  'server_error',
  'network',
  'bad_response',
  'cancelled',
  'unknown',
])
export type ModelErrorCode = z.infer<typeof modelErrorCodeSchema>

/** Closed list of faults a tool result may carry. */
export const toolErrorCodeSchema = z.enum([
  'FORMAT_ERROR',
  'TOOL_ERROR',
  'TIMEOUT',
  'USER_REJECTED',
  'VALIDATION_CANCELLED',
  'COMMUNICATION_CANCELLED',
  'INTERRUPTED',
  'DENIED',
  'NOT_ALLOWED_IN_MODE',
  'ANTI_LOOP_ID',
  'ANTI_LOOP_SIGNATURE',
  'TOO_MANY_CALLS',
  'CALL_CUT_OFF',
  'NOT_RUN',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'NOT_UTF8',
  'TOO_LARGE',
  'PATH_OUTSIDE',
  'SECRET',
  'READ_FIRST',
  'STALE_LINES',
  'STALE_FILE',
  'NO_MATCH',
  'AMBIGUOUS_MATCH',
  'PLACEHOLDER',
  'SYNTAX_FAULT',
  'NO_CHANGE',
  'COMMAND_FAILED_TO_START',
  'COMMAND_STOPPED',
  'UNKNOWN_ID',
  'NO_GIT',
  'NO_RUNNER',
  'INDEX_NOT_READY',
  'HOST_REFUSED',
  'HTTP_ERROR',
  'HOOK_BLOCKED',
])
export type ToolErrorCode = z.infer<typeof toolErrorCodeSchema>

/** Faults of the program itself, as shown to the user and printed as JSON by headless runs. */
export const errorCodeSchema = z.enum([
  ...modelErrorCodeSchema.options,
  'usage',
  'config',
  'no_model',
  'store',
  'workspace',
  'index',
  'session_not_found',
  'session_busy',
  'limit',
  'refused',
  'interrupted',
  'internal',
])
export type ErrorCode = z.infer<typeof errorCodeSchema>

/** Shape of every error that reaches a user: what happened, whether it can be tried again, and what to do next. */
export const errorInfoSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  recoverable: z.boolean(),
  suggestion: z.string().optional(),
  status: z.number().int().optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
  url: z.string().optional(),
  retryAfterMs: z.number().optional(),
})
export type ErrorInfo = z.infer<typeof errorInfoSchema>
