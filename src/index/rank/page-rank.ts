// Importance of nodes of a graph: PageRank by power iteration, personalised by weights (Page et al. 1998; the teleport goes to
// the weighted nodes). Deterministic: the same edges give the same numbers.
import type { Edges } from '../view.ts'

/** Share of the walk that follows edges. */
const DAMPING = 0.85
const MAX_ROUNDS = 40
/** Sum of changes below which the ranks are taken as settled. */
const SETTLED = 1e-6

/** Ranks that sum to 1, one per node. `weights`: where the walk starts anew; all nodes alike when absent. */
export function pageRank(nodes: number, edges: Edges, weights?: Float64Array): Float64Array {
  const rounds = rankRounds(nodes, edges, weights)
  for (;;) {
    const round = rounds.next()
    if (round.done) return round.value
  }
}

/** As `pageRank`, stopping after each round. */
export function* rankRounds(
  nodes: number,
  { from, to, weight }: Edges,
  weights?: Float64Array,
): Generator<void, Float64Array> {
  if (nodes === 0) return new Float64Array(0)
  const start = normalised(nodes, weights)
  const out = new Float64Array(nodes)
  for (let i = 0; i < from.length; i++) out[from[i]!]! += weight[i]!
  let rank = Float64Array.from(start)
  let next = new Float64Array(nodes)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    next.fill(0)
    let lost = 0
    // What stands at a node without edges goes back to the start.
    for (let node = 0; node < nodes; node++) if (out[node] === 0) lost += rank[node]!
    for (let i = 0; i < from.length; i++) next[to[i]!]! += (DAMPING * rank[from[i]!]! * weight[i]!) / out[from[i]!]!
    const back = 1 - DAMPING + DAMPING * lost
    let change = 0
    for (let node = 0; node < nodes; node++) {
      next[node]! += back * start[node]!
      change += Math.abs(next[node]! - rank[node]!)
    }
    // The old ranks are the room of the next round.
    ;[rank, next] = [next, rank]
    if (change < SETTLED) break
    yield
  }
  return rank
}

function normalised(nodes: number, weights: Float64Array | undefined): Float64Array {
  const sum = weights?.reduce((total, each) => total + each, 0) ?? 0
  if (!weights || sum <= 0) return new Float64Array(nodes).fill(1 / nodes)
  return weights.map((each) => each / sum)
}
