/** A line of a diff as far as the layout is concerned; `DiffLine` of the protocol is one. */
interface Sided {
  kind: 'same' | 'add' | 'remove'
}

export interface NumberedLine<L> {
  /** 1-based line number on its side. */
  number: number
  line: L
}

export interface SideBySideRow<L> {
  left?: NumberedLine<L>
  right?: NumberedLine<L>
}

/** Lays the lines of a hunk out in two columns: a removed line stands beside the added line that takes its place. */
export function sideBySide<L extends Sided>(hunk: {
  oldStart: number
  newStart: number
  lines: readonly L[]
}): SideBySideRow<L>[] {
  const rows: SideBySideRow<L>[] = []
  let [old, wanted] = [hunk.oldStart, hunk.newStart]
  let removed: NumberedLine<L>[] = []
  let added: NumberedLine<L>[] = []
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [left, right] = [removed[at], added[at]]
      rows.push({ ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) })
    }
    removed = []
    added = []
  }
  for (const line of hunk.lines) {
    if (line.kind === 'remove') {
      // A removal after an addition begins another change.
      if (added.length > 0) flush()
      removed.push({ number: old++, line })
    } else if (line.kind === 'add') {
      added.push({ number: wanted++, line })
    } else {
      flush()
      rows.push({ left: { number: old++, line }, right: { number: wanted++, line } })
    }
  }
  flush()
  return rows
}
