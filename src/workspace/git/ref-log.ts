import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'

/** Where a repository's logs stood: sizes in bytes, and what HEAD said. */
export interface RefMark {
  head: string
  headLog: number
  stashLog: number
}

export interface RefFiles {
  head: string
  headLog: string
  stashLog: string
}

/** Steps that are told one by one. */
const TOLD = 5

export function markRefs(files: RefFiles): RefMark {
  return { head: textOf(files.head), headLog: sizeOf(files.headLog), stashLog: sizeOf(files.stashLog) }
}

/** What was done to a repository since, read from its logs: commits, switches, resets, stashes, each with what takes it back. */
export function refStepsSince(mark: RefMark, files: RefFiles): string[] {
  const now = markRefs(files)
  // A repository that was made meanwhile began on some branch: most likely on the one it is on.
  let branch = /^ref: refs\/heads\/(.+)$/.exec(mark.head === '' ? now.head : mark.head)?.[1]
  const steps: string[] = []
  for (const line of addedLines(files.headLog, mark.headLog)) {
    const found = /^([0-9a-f]+) ([0-9a-f]+) [^\t]*(?:\t(.*))?$/.exec(line)
    if (found === null) continue
    const [old = '', id = '', message = ''] = found.slice(1)
    const moved = /^checkout: moving from (\S+) to (\S+)$/.exec(message)
    if (moved !== null) {
      branch = moved[2]
      steps.push(`switched from ${moved[1]} to ${moved[2]} (back: git switch ${moved[1]})`)
      continue
    }
    const back = /^0+$/.test(old) ? 'git update-ref -d HEAD' : `git reset --soft ${old.slice(0, 7)}`
    const commit = /^commit(?: \([^)]*\))?: (.*)$/.exec(message)
    const where = branch === undefined ? '' : ` on ${branch}`
    if (commit !== null) steps.push(`commit ${id.slice(0, 7)}${where} "${commit[1]}" (back: ${back})`)
    else if (old !== id) steps.push(`HEAD moved to ${id.slice(0, 7)}${where}: ${message} (back: ${back})`)
  }
  if (now.stashLog > mark.stashLog) steps.push('a stash was made (git stash list)')
  if (now.stashLog < mark.stashLog) steps.push('a stash was dropped')
  if (steps.length === 0 && mark.head !== '' && now.head !== '' && now.head !== mark.head) {
    steps.push(`HEAD moved from ${shown(mark.head)} to ${shown(now.head)}`)
  }
  return steps.length <= TOLD ? steps : [...steps.slice(0, TOLD), `and ${steps.length - TOLD} more (git reflog)`]
}

function shown(head: string): string {
  return head.replace(/^ref: refs\/heads\//, '')
}

function addedLines(path: string, from: number): string[] {
  const size = sizeOf(path)
  if (size <= from) return []
  const bytes = Buffer.alloc(size - from)
  const fd = openSync(path, 'r')
  try {
    readSync(fd, bytes, 0, bytes.length, from)
  } finally {
    closeSync(fd)
  }
  return bytes.toString('utf8').split('\n').filter(Boolean)
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
