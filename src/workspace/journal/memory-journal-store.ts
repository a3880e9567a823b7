import type { JournalEntry, JournalStore } from './journal-store.ts'

/** A journal that ends with the process: for `--ephemeral` and for tests. */
export function createMemoryJournalStore(): JournalStore {
  let entries: JournalEntry[] = []
  const checkpoints: { sessionId: string; userSeq: number; position: number }[] = []
  let last = 0
  return {
    append(entry) {
      last += 1
      entries.push(structuredClone({ ...entry, position: last }))
      return last
    },
    update(position, change) {
      entries = entries.map((each) => (each.position === position ? { ...each, ...structuredClone(change) } : each))
    },
    remove(position) {
      entries = entries.filter((each) => each.position !== position)
    },
    list({ sessionId, states, after = 0, limit = Infinity } = {}) {
      const found: JournalEntry[] = []
      for (let at = entries.length - 1; at >= 0 && found.length < limit; at--) {
        const each = entries[at]!
        if (each.position <= after) break
        if (sessionId !== undefined && each.sessionId !== sessionId) continue
        if (states === undefined || states.includes(each.state)) found.push(structuredClone(each))
      }
      return found
    },
    dropUndone(sessionId) {
      for (const each of entries) if (each.state === 'undone' && each.sessionId === sessionId) each.state = 'dropped'
    },
    last: () => last,
    addCheckpoint: (checkpoint) => checkpoints.push(checkpoint),
    checkpoint: (sessionId, userSeq) =>
      checkpoints
        .filter((each) => each.sessionId === sessionId && each.userSeq >= userSeq)
        .sort((a, b) => a.userSeq - b.userSeq || b.position - a.position)[0]?.position,
    removeThrough(position) {
      entries = entries.filter((each) => each.position > position)
    },
  }
}
