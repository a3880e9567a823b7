import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The variable that marks every process of a command, so that one which left its group and its parent is still found. */
export const MARK_VARIABLE = 'CODEHOUND_COMMAND'

interface ProcessEntry {
  pid: number
  parent: number
  group: number
}

/** Fields after the name in `/proc/PID/stat`, which may itself hold spaces and brackets: state, ppid, pgrp (proc(5)). */
function readLinuxEntry(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    return { pid, parent: Number(fields[1]), group: Number(fields[2]) }
  } catch {
    return undefined
  }
}

function listProcesses(): ProcessEntry[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readLinuxEntry(Number(name)) ?? [])
  }
  try {
    const table = execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid='], { encoding: 'latin1', timeout: 2_000 })
    return table
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid, parent, group]) => (pid && group !== undefined ? [{ pid, parent: parent ?? 0, group }] : []))
  } catch {
    return []
  }
}

function carriesMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK_VARIABLE}=${mark}`)
  } catch {
    return false
  }
}

/** Lists the live processes of a process group; one that ended and waits for its parent to notice does not count. */
export function groupMembers(group: number): number[] {
  return listProcesses().flatMap((entry) => (entry.group === group ? [entry.pid] : []))
}

export interface TreeRoot {
  /** Pid of the process codehound started, which leads its own group; undefined to go by the mark alone. */
  pid?: number | undefined
  /** Value, or start of the value, of `MARK_VARIABLE` in the environment of every process of the tree. */
  mark: string
}

/**
 * Lists the live processes of a tree: descendants of the root, members of its group, and on Linux whatever carries its
 * mark, so also a daemon that left both. Never lists this process.
 */
export function treeMembers(root: TreeRoot): number[] {
  const entries = listProcesses()
  const members = new Set<number>()
  if (root.pid !== undefined) {
    const children = new Map<number, number[]>()
    for (const entry of entries) {
      const siblings = children.get(entry.parent)
      if (siblings) siblings.push(entry.pid)
      else children.set(entry.parent, [entry.pid])
      if (entry.pid === root.pid || entry.group === root.pid) members.add(entry.pid)
    }
    const open = [...members]
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      for (const child of children.get(pid) ?? []) {
        if (members.has(child)) continue
        members.add(child)
        open.push(child)
      }
    }
  }
  if (process.platform === 'linux') {
    for (const entry of entries) {
      if (!members.has(entry.pid) && carriesMark(entry.pid, root.mark)) members.add(entry.pid)
    }
  }
  members.delete(process.pid)
  return [...members]
}

/** Sends a signal to every process of the tree, looking again until no new one appears; returns how many it reached. */
export function signalTree(root: TreeRoot, signal: NodeJS.Signals): number {
  const reached = new Set<number>()
  // A process may fork between the look and the signal; three looks end any tree that does not fork faster than that.
  for (let look = 0; look < 3; look++) {
    const fresh = treeMembers(root).filter((pid) => !reached.has(pid))
    if (fresh.length === 0) break
    for (const pid of fresh) {
      reached.add(pid)
      try {
        process.kill(pid, signal)
      } catch {
        // It ended by itself in between.
      }
    }
  }
  return reached.size
}
