import { StoreError } from '../store-error.ts'

export function unknownSession(id: string): StoreError {
  return new StoreError(
    'session_not_found',
    `there is no session ${id}`,
    'See `codehound sessions list`; it may have been deleted meanwhile.',
  )
}
