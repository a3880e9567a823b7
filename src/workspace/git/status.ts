/** One path that differs from the last commit, or is not known to git. */
export interface GitEntry {
  /** Relative to the folder git was asked in, with `/`. */
  path: string
  /** The path before a rename or copy. */
  from?: string
  /** State in the index and in the work tree: git's letters (M T A D R C U), `?` untracked, `.` unchanged. */
  index: string
  workTree: string
}

export interface GitStatus {
  ok: true
  /** Null when HEAD is detached. */
  branch: string | null
  /** Commit id; null in a repository without commits. */
  head: string | null
  upstream?: string
  ahead: number
  behind: number
  entries: GitEntry[]
}

/** Reads `git status --porcelain=v2 --branch -z`; see git-status(1), "Porcelain Format Version 2". */
export function parseStatus(output: string): GitStatus {
  const status: GitStatus = { ok: true, branch: null, head: null, ahead: 0, behind: 0, entries: [] }
  const fields = output.split('\0')
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!
    switch (field[0]) {
      case '#':
        readHeader(status, field)
        break
      case '1':
        status.entries.push(entryOf(field, 8))
        break
      case '2':
        at += 1
        status.entries.push({ ...entryOf(field, 9), from: fields[at]! })
        break
      case 'u':
        status.entries.push(entryOf(field, 10))
        break
      case '?':
        status.entries.push({ path: field.slice(2), index: '?', workTree: '?' })
        break
      default:
    }
  }
  return status
}

function readHeader(status: GitStatus, line: string): void {
  const [, key, ...values] = line.split(' ')
  const value = values.join(' ')
  if (key === 'branch.oid' && value !== '(initial)') status.head = value
  if (key === 'branch.head' && value !== '(detached)') status.branch = value
  if (key === 'branch.upstream') status.upstream = value
  if (key === 'branch.ab') {
    const counts = /^\+(\d+) -(\d+)$/.exec(value)
    status.ahead = Number(counts?.[1] ?? 0)
    status.behind = Number(counts?.[2] ?? 0)
  }
}

/** The path stands after so many fields and may hold spaces. */
function entryOf(line: string, fieldsBefore: number): GitEntry {
  const fields = line.split(' ')
  return { path: fields.slice(fieldsBefore).join(' '), index: fields[1]![0]!, workTree: fields[1]![1]! }
}
