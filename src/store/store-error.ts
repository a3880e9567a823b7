/** What went wrong in a store, as far as it decides what a user can do. */
export type StoreErrorCode =
  | 'read_only'
  | 'disk_full'
  | 'corrupt'
  | 'busy'
  | 'newer'
  | 'io'
  | 'session_not_found'
  | 'message_not_found'

/** A fault of a store: the message says what and where, `suggestion` what to do next. Shown to users as code `store`. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  readonly suggestion: string

  constructor(code: StoreErrorCode, message: string, suggestion: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StoreError'
    this.code = code
    this.suggestion = suggestion
  }
}
