import type { ErrorCode, ErrorInfo } from './error.ts'

/** Exit codes of the program (tui.md, Headless). */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  limit: 4,
  refused: 5,
  index: 6,
  interrupted: 130,
} as const

/** An error that is the answer: what happened, with which value, and what to do next. Printed by cli.ts alone. */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly code: ErrorCode
  readonly exitCode: number
  readonly suggestion: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { exitCode?: number; suggestion?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.exitCode = options.exitCode ?? EXIT.failed
    this.suggestion = options.suggestion
  }

  toInfo(): ErrorInfo {
    return {
      code: this.code,
      message: this.message,
      recoverable: false,
      ...(this.suggestion === undefined ? {} : { suggestion: this.suggestion }),
    }
  }
}
