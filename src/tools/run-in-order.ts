import { effectOf, isSettled, type PreparedCall, type ReadyCall } from './prepare-call.ts'

export interface OrderedWork<T> {
  /** Runs one call. `duplicateOf` is the outcome of the same call earlier in the response: take it, do not run again. */
  start(one: PreparedCall, duplicateOf: Promise<T> | undefined): Promise<T>
  /** Called once for every call, in order, as soon as all before it are finished. */
  finish(one: PreparedCall, outcome: T): Promise<void>
}

/**
 * Runs the calls of one response: neighbouring reads side by side, at most `parallel` at once; everything else alone and
 * in its place. A call that stands twice with nothing that changes the workspace between runs once.
 */
export async function runInOrder<T>(
  prepared: readonly PreparedCall[],
  parallel: number,
  work: OrderedWork<T>,
): Promise<void> {
  let inState = new Map<string, Promise<T>>()
  const startOne = (one: PreparedCall): Promise<T> => {
    if (isSettled(one)) return work.start(one, undefined)
    const duplicateOf = inState.get(one.key)
    if (!duplicateOf && changesState(one)) inState = new Map()
    const outcome = work.start(one, duplicateOf)
    if (!duplicateOf) inState.set(one.key, outcome)
    return outcome
  }
  for (let at = 0; at < prepared.length;) {
    const group = groupFrom(prepared, at)
    const outcomes = startLimited(group, parallel, startOne)
    for (const [place, one] of group.entries()) await work.finish(one, await outcomes[place]!)
    at += group.length
  }
}

function changesState({ entry }: ReadyCall): boolean {
  return entry.effect === 'write' || entry.effect === 'execute'
}

/** A run of reads (and of calls whose result is known), or one call of another kind. */
function groupFrom(prepared: readonly PreparedCall[], from: number): PreparedCall[] {
  const besides = (one: PreparedCall): boolean =>
    isSettled(one) || effectOf(one) === 'read' || effectOf(one) === 'network'
  let end = from
  while (end < prepared.length && besides(prepared[end]!)) end++
  return prepared.slice(from, Math.max(end, from + 1))
}

/** Starts tasks in order, at most `limit` at a time; the promises are in the order of the items. */
function startLimited<I, T>(items: readonly I[], limit: number, start: (item: I) => Promise<T>): Promise<T>[] {
  const started: Promise<T>[] = []
  const slots: Promise<unknown>[] = Array.from({ length: Math.max(1, limit) }, () => Promise.resolve())
  for (const [at, item] of items.entries()) {
    const slot = at % slots.length
    const task = slots[slot]!.then(() => start(item))
    slots[slot] = task.catch(() => undefined)
    started.push(task)
  }
  return started
}
