import { UserError } from '../protocol/user-error.ts'

/** What went wrong in a store, as far as it decides what a user can do. */
export type StoreFault =
  | 'read_only'
  | 'disk_full'
  | 'corrupt'
  | 'busy'
  | 'newer'
  | 'io'
  | 'session_not_found'
  | 'message_not_found'

/** A fault of a store: the message says what and where, `suggestion` what to do next. */
export class StoreError extends UserError {
  readonly fault: StoreFault

  constructor(fault: StoreFault, message: string, suggestion: string, cause?: unknown) {
    super(fault === 'session_not_found' ? fault : 'store', message, { suggestion, cause })
    this.fault = fault
  }
}
