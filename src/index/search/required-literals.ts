/**
 * Texts that must stand in whatever a regular expression matches: runs of plain characters of its outermost sequence. Empty when
 * nothing is certain. Errs to too little: it only serves to leave files out.
 */
export function requiredLiterals(source: string): string[] {
  const runs: string[] = []
  let run = ''
  const close = () => {
    if (run.length > 0) runs.push(run)
    run = ''
  }
  for (let at = 0; at < source.length; at++) {
    const c = source[at]!
    if (c === '|') return []
    if (c === '(') {
      close()
      at = groupEnd(source, at)
    } else if (c === '[') {
      close()
      at = classEnd(source, at)
    } else if (c === '*' || c === '?') {
      run = run.slice(0, -1)
      close()
    } else if (c === '{') {
      run = run.slice(0, -1)
      close()
      at = Math.max(at, source.indexOf('}', at))
    } else if (c === '+') close()
    else if (c === '.' || c === '^' || c === '$') close()
    else if (c === '\\') {
      const next = source[++at] ?? ''
      if (/[\w\s]/.test(next)) {
        close()
        // What follows \x, \u, \c, \k, \p belongs to it.
        if (/[xuckpP]/.test(next)) return runs
      } else run += next
    } else run += c
  }
  close()
  return runs
}

function groupEnd(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') at = classEnd(source, at)
    else if (source[at] === '(') depth++
    else if (source[at] === ')' && --depth === 0) return at
  }
  return source.length
}

function classEnd(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === ']') return at
  }
  return source.length
}
