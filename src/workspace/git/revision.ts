// What a user names a commit by, before git is asked anything about it: git's own words about a wrong one help nobody.
import { nearestName } from '../../lib/edit-distance.ts'
import { fault } from '../fault.ts'
import type { Fault } from '../fault.ts'
import { runGit } from './run-git.ts'

/** What cannot be taken for an option of git. */
export const REVISION = /^[\w@][\w./@{}^~+-]*$/

/** Branches and tags among which the nearest is looked for. */
const MOST_NAMES = 1000

const HOW = 'Give a commit, a tag or a branch; `git log --oneline` and `git branch --all` list them.'

/** Whether a revision names a commit of the repository; a fault says what it might have been. */
export async function checkRevision(root: string, revision: string): Promise<{ ok: true } | Fault> {
  if (REVISION.test(revision)) {
    const found = await verify(root, revision)
    if (found.ok || found.code === 'NO_GIT') return found
    const head = await verify(root, 'HEAD')
    if (!head.ok) return fault('GIT_FAILED', 'The repository has no commit yet, so nothing has changed since one.')
  }
  const listed = await runGit(
    ['for-each-ref', `--count=${MOST_NAMES}`, '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes'],
    { cwd: root },
  )
  const near = listed.ok ? nearestName(revision, listed.stdout.toString('utf8').split('\n').filter(Boolean)) : undefined
  const mean = near === undefined ? '' : ` Did you mean ${near}?`
  return fault('GIT_FAILED', `There is no revision ${JSON.stringify(revision)} in this repository.${mean} ${HOW}`)
}

function verify(root: string, revision: string): Promise<{ ok: true } | Fault> {
  return runGit(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], { cwd: root })
}
