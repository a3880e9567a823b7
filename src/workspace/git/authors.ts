// Who wrote a line, and how often files changed since a revision; read from git, nothing of the repository is run.
import type { Fault } from '../fault.ts'
import { checkRevision } from './revision.ts'
import { runGit } from './run-git.ts'

/** More files than this are not looked up: one git process each. */
const MAX_FILES = 200
/** git processes at a time. */
const SIDE_BY_SIDE = 4

/**
 * Authors of lines, in the order asked for; undefined where git does not know (not committed, no repository), or did not find
 * out within `timeMs`: a long history takes long for each file.
 */
export async function lineAuthors(
  root: string,
  places: readonly { path: string; line: number }[],
  { timeMs }: { timeMs?: number } = {},
): Promise<(string | undefined)[]> {
  const files = [...Map.groupBy(places, (place) => place.path)].slice(0, MAX_FILES)
  const known = new Map<string, string>()
  const signal = timeMs === undefined ? undefined : AbortSignal.timeout(timeMs)
  let next = 0
  const lookUp = async (): Promise<void> => {
    for (let file = files[next++]; file; file = signal?.aborted ? undefined : files[next++]) {
      const [path, lines] = file
      const ranges = [...new Set(lines.map(({ line }) => line))].flatMap((line) => ['-L', `${line},${line}`])
      const args = ['blame', '--line-porcelain', ...ranges, '--', path]
      const shown = await runGit(args, { cwd: root, ...(signal ? { signal } : {}) })
      if (shown.ok) take(path, shown.stdout.toString('utf8'), known)
      else if (shown.code === 'NO_GIT') next = files.length
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lookUp))
  return places.map(({ path, line }) => known.get(`${path}:${line}`))
}

/** Takes the authors out of what `git blame --line-porcelain` tells of a file. */
function take(path: string, porcelain: string, known: Map<string, string>): void {
  for (const block of porcelain.split(/^(?=[0-9a-f]{40} \d+ \d+)/m)) {
    const line = /^[0-9a-f]{40} \d+ (\d+)/.exec(block)?.[1]
    const author = /^author (.*)$/m.exec(block)?.[1]
    if (line !== undefined && author !== undefined && author !== 'Not Committed Yet')
      known.set(`${path}:${line}`, author)
  }
}

/** How many commits after `revision` touched each file below the root. */
export async function churnSince(
  root: string,
  revision: string,
): Promise<{ ok: true; commits: Map<string, number> } | Fault> {
  const known = await checkRevision(root, revision)
  if (!known.ok) return known
  const shown = await runGit(['log', '--format=', '--name-only', '--relative', '-z', `${revision}..HEAD`, '--', '.'], {
    cwd: root,
  })
  if (!shown.ok) return shown
  const commits = new Map<string, number>()
  for (const path of shown.stdout.toString('utf8').split('\0'))
    if (path !== '') commits.set(path.trim(), (commits.get(path.trim()) ?? 0) + 1)
  return { ok: true, commits }
}
