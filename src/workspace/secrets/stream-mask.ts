// Masks a text that comes in pieces. What is given out is what masking the whole would give, but for secrets that are told over more
// than LONGEST_OPEN characters: a piece ends where nothing that was begun can still become one.

export interface StreamMask {
  /** Takes the next piece; returns what can be shown of all so far. */
  push(piece: string): string
  /** Returns the rest. */
  end(): string
}

/** A line without an end is let go at this length, a key without an end too. Characters. */
const LONGEST_OPEN = 64 * 1024
/** What stays back then. Characters. */
const LONGEST_KEPT = 8 * 1024
const KEY_BEGIN = '-----BEGIN '
const KEY_END = '-----END '

/**
 * @param settled how much of a text can be let go before a place, so that no known value is cut and none may be begun
 */
export function createStreamMask(
  mask: (text: string) => string,
  settled: (text: string, until: number) => number,
): StreamMask {
  let pending = ''
  const release = (until: number): string => {
    const shown = mask(pending.slice(0, until))
    pending = pending.slice(until)
    return shown
  }
  return {
    push(piece) {
      pending += piece
      const ended = endOfLines(pending)
      const until = ended === 0 ? 0 : settled(pending, ended)
      if (until > 0) return release(until)
      return pending.length > LONGEST_OPEN ? release(settled(pending, pending.length - LONGEST_KEPT)) : ''
    },
    end: () => (pending === '' ? '' : release(pending.length)),
  }
}

/** Where what is whole ends, by the looks of a text. */
function endOfLines(text: string): number {
  // Patterns and names stay within a line. A line of signs alone (the dots of a test runner) says nothing yet.
  const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
  const until = /[A-Za-z0-9]/.test(text.slice(line)) ? line : text.length
  const key = text.lastIndexOf(KEY_BEGIN)
  return key >= 0 && !text.includes(KEY_END, key) ? Math.min(until, key) : until
}
