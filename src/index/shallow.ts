// Parsers are recursive: what is nested too deeply for their stack is not given to them.

/**
 * Deepest nesting of brackets that is parsed. oxc 0.158 and our walk are recursive: a worker's stack of WORKER_STACK_MB holds
 * more than 100,000 levels, and real code has less than 100.
 */
const MAX_DEPTH = 2_000
/** Operators in a row without anything that closes, likewise recursive (`!!!!…`, `a=a=a=…`, `a?b:a?b:…`). */
const MAX_CHAIN = 20_000

/** +1 opens, -1 closes, 2 chains, 3 ends a chain. */
const ROLE = new Int8Array(256)
for (const c of '([{') ROLE[c.charCodeAt(0)] = 1
for (const c of ')]}') ROLE[c.charCodeAt(0)] = -1
for (const c of '!=?~<') ROLE[c.charCodeAt(0)] = 2
for (const c of ';,>') ROLE[c.charCodeAt(0)] = 3

/** Whether a parser's stack takes a text. Counts brackets and operator chains without regard to strings: an over-careful answer costs one file its parse. */
export function isShallow(bytes: Uint8Array): boolean {
  let depth = 0
  let chain = 0
  for (let i = 0; i < bytes.length; i++) {
    const role = ROLE[bytes[i]!]!
    if (role === 0) continue
    if (role === 1) {
      if (++depth > MAX_DEPTH) return false
    } else if (role === -1) {
      if (depth > 0) depth--
      chain = 0
    } else if (role === 2) {
      if (++chain > MAX_CHAIN) return false
    } else chain = 0
  }
  return true
}
