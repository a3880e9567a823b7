import type { ToolErrorCode, ToolResult } from '../protocol/index.ts'
import type { Fault, FaultCode } from '../workspace/fault.ts'
import { fail } from './tool.ts'

const CODES: Record<FaultCode, ToolErrorCode> = {
  BAD_PATH: 'NOT_FOUND',
  OUTSIDE_WORKSPACE: 'PATH_OUTSIDE',
  PROTECTED_PATH: 'DENIED',
  SECRET_FILE: 'SECRET',
  NOT_FOUND: 'NOT_FOUND',
  NOT_TEXT: 'NOT_UTF8',
  IS_DIRECTORY: 'NOT_FOUND',
  NOT_A_FILE: 'NOT_FOUND',
  TOO_LARGE: 'TOO_LARGE',
  EXISTS: 'ALREADY_EXISTS',
  CHANGED_SINCE: 'STALE_FILE',
  NO_PERMISSION: 'TOOL_ERROR',
  READ_ONLY: 'TOOL_ERROR',
  DISK_FULL: 'TOOL_ERROR',
  NO_GIT: 'NO_GIT',
  GIT_FAILED: 'TOOL_ERROR',
  IO_ERROR: 'TOOL_ERROR',
}

/** A fault of the workspace as a result for the model; its message already says what to do next. */
export function faultResult({ code, message }: Fault): ToolResult {
  return fail(CODES[code], message)
}
