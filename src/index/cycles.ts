/**
 * Groups of nodes that reach one another (Tarjan's strongly connected components), those of one node left out. Iterative: a chain
 * of imports may be longer than a stack is deep.
 */
export function stronglyConnected(edges: ReadonlyMap<number, ReadonlyMap<number, unknown>>): number[][] {
  const index = new Map<number, number>()
  const low = new Map<number, number>()
  const onStack = new Set<number>()
  const stack: number[] = []
  const groups: number[][] = []
  const enter = (node: number) => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    onStack.add(node)
    return { node, next: edges.get(node)?.keys() }
  }
  for (const start of edges.keys()) {
    if (index.has(start)) continue
    const work = [enter(start)]
    while (work.length > 0) {
      const frame = work.at(-1)!
      const step = frame.next?.next()
      if (step && !step.done) {
        const target = step.value
        if (!index.has(target)) work.push(enter(target))
        else if (onStack.has(target)) low.set(frame.node, Math.min(low.get(frame.node)!, index.get(target)!))
        continue
      }
      work.pop()
      const parent = work.at(-1)
      if (parent) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(frame.node)!))
      if (low.get(frame.node) !== index.get(frame.node)) continue
      const group: number[] = []
      for (let node = stack.pop()!; ; node = stack.pop()!) {
        onStack.delete(node)
        group.push(node)
        if (node === frame.node) break
      }
      if (group.length > 1) groups.push(group)
    }
  }
  return groups
}
