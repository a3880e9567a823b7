/** JSON of a column as it was written; what damage left in its place when it can no longer be read. */
export function storedJson<T>(text: string, damaged: T): T {
  try {
    return JSON.parse(text) as T
  } catch {
    return damaged
  }
}
