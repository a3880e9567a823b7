// Aligns two lists: which items of the new list are which of the old one. Promises: the result is increasing, equal
// items only, and the same for the same input. Fast where it matters (equal ends, lines that stand once in both lists
// as anchors, Myers' O(ND) between them); where two parts have almost nothing in common it gives up on them.

// More differences than this between two anchors are not searched: the part counts as replaced. Bounds the memory of
// the search to 1,000² / 2 numbers.
const MAX_DIFFERENCES = 1000

/** For each item of `after` the index of the item of `before` it is, or -1. */
export function align(before: readonly string[], after: readonly string[]): Int32Array {
  const aligned = new Int32Array(after.length).fill(-1)
  alignPart({ before, after, aligned }, 0, before.length, 0, after.length)
  return aligned
}

interface Lists {
  before: readonly string[]
  after: readonly string[]
  aligned: Int32Array
}

function alignPart(lists: Lists, fromA: number, toA: number, fromB: number, toB: number): void {
  const { before, after, aligned } = lists
  let [a, b, endA, endB] = [fromA, fromB, toA, toB]
  while (a < endA && b < endB && before[a] === after[b]) aligned[b++] = a++
  while (a < endA && b < endB && before[endA - 1] === after[endB - 1]) aligned[--endB] = --endA
  if (a === endA || b === endB) return
  const anchors = anchorsOf(before, after, a, endA, b, endB)
  if (anchors.length === 0) return myers(lists, a, endA, b, endB)
  for (const [atA, atB] of anchors) {
    if (atA < a || atB < b) continue
    alignPart(lists, a, atA, b, atB)
    aligned[atB] = atA
    ;[a, b] = [atA + 1, atB + 1]
  }
  alignPart(lists, a, endA, b, endB)
}

/** Items that stand once in each part, as the longest increasing chain (patience). */
function anchorsOf(
  before: readonly string[],
  after: readonly string[],
  fromA: number,
  toA: number,
  fromB: number,
  toB: number,
): [number, number][] {
  const seen = new Map<string, { a: number; b: number; countA: number; countB: number }>()
  for (let a = fromA; a < toA; a++) {
    const known = seen.get(before[a]!)
    if (known === undefined) seen.set(before[a]!, { a, b: -1, countA: 1, countB: 0 })
    else known.countA += 1
  }
  for (let b = fromB; b < toB; b++) {
    const known = seen.get(after[b]!)
    if (known === undefined) continue
    known.b = b
    known.countB += 1
  }
  const unique = [...seen.values()].filter(({ countA, countB }) => countA === 1 && countB === 1)
  return longestChain(unique.map(({ a, b }): [number, number] => [a, b]))
}

/** The longest run of pairs that grow in both numbers; the pairs come sorted by the first. */
function longestChain(pairs: [number, number][]): [number, number][] {
  const tails: number[] = []
  const previous: number[] = []
  for (const [at, [, b]] of pairs.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tails[middle]!]![1] < b) low = middle + 1
      else high = middle
    }
    previous[at] = low > 0 ? tails[low - 1]! : -1
    tails[low] = at
  }
  const chain: [number, number][] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at]!) chain.push(pairs[at]!)
  return chain.reverse()
}

/** E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986: the greedy form with its trace kept. */
function myers({ before, after, aligned }: Lists, fromA: number, toA: number, fromB: number, toB: number): void {
  const [sizeA, sizeB] = [toA - fromA, toB - fromB]
  const most = Math.min(sizeA + sizeB, MAX_DIFFERENCES)
  const offset = most + 1
  const reach = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let d = 0; d <= most; d++) {
    trace.push(reach.slice(offset - d - 1, offset + d + 2))
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach[offset + k - 1]! < reach[offset + k + 1]!)
      let x = down ? reach[offset + k + 1]! : reach[offset + k - 1]! + 1
      let y = x - k
      while (x < sizeA && y < sizeB && before[fromA + x] === after[fromB + y]) {
        x += 1
        y += 1
      }
      reach[offset + k] = x
      if (x >= sizeA && y >= sizeB) return walkBack(trace, d, sizeA, sizeB, (x, y) => (aligned[fromB + y] = fromA + x))
    }
  }
}

function walkBack(
  trace: Int32Array[],
  differences: number,
  sizeA: number,
  sizeB: number,
  equal: (a: number, b: number) => void,
): void {
  let [x, y] = [sizeA, sizeB]
  for (let d = differences; d >= 0; d--) {
    const reach = trace[d]!
    // Row d of the trace holds diagonals -d-1 to d+1.
    const at = (k: number): number => reach[k + d + 1]!
    const k = x - y
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1))
    const previousK = down ? k + 1 : k - 1
    const previousX = d === 0 ? 0 : at(previousK)
    const previousY = d === 0 ? 0 : previousX - previousK
    while (x > previousX && y > previousY) equal(--x, --y)
    ;[x, y] = [previousX, previousY]
  }
}
