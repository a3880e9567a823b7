import { ModelError } from '../model/language-model.ts'
import type { ErrorInfo } from '../protocol/index.ts'

/** Turns anything thrown into the data every front shows. Errors of our own carry `toInfo`. */
export function toErrorInfo(thrown: unknown): ErrorInfo {
  if (thrown instanceof ModelError) return thrown.toInfo()
  if (typeof thrown === 'object' && thrown !== null && 'toInfo' in thrown && typeof thrown.toInfo === 'function') {
    return (thrown.toInfo as () => ErrorInfo)()
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return {
    code: 'internal',
    message,
    recoverable: false,
    suggestion: 'This is a fault of codehound. Run again with --debug and report what it prints.',
  }
}
