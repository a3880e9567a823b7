import { closeSync, ftruncateSync, mkdirSync, openSync, statSync, utimesSync, writeSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

const TEXT = '# codehound hides this file from commands.\n'

/**
 * Makes the files that stand in the place of secret ones. Git must take a hidden file that is tracked for unchanged, or
 * `git diff` shows all of it as deleted and `git commit -a` deletes it: so a cover has the size and the time of what it
 * covers, and git in the sandbox compares nothing else (`core.checkStat`, `core.trustctime` of git-config(1)). To a reader of
 * `.env` files it is a comment.
 */
export function createCovers(folder: string): (secret: string) => string | undefined {
  const made = new Map<string, string>()
  return (secret) => {
    try {
      const { size, mtimeMs, mode } = statSync(secret)
      const name = createHash('sha256').update(secret).digest('hex').slice(0, 32)
      const cover = join(folder, name)
      const stamp = `${size} ${mtimeMs} ${mode}`
      if (made.get(secret) === stamp && statSync(cover, { throwIfNoEntry: false })?.size === size) return cover
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = openSync(cover, 'w', (mode & 0o100) | 0o644)
      try {
        writeSync(file, TEXT.slice(0, Math.max(0, size)))
        ftruncateSync(file, size)
      } finally {
        closeSync(file)
      }
      utimesSync(cover, mtimeMs / 1000, mtimeMs / 1000)
      made.set(secret, stamp)
      return cover
    } catch {
      return undefined
    }
  }
}

/** The variables that make git compare size and time only. */
export const COMPARE_BY_TIME: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'core.checkStat',
  GIT_CONFIG_VALUE_0: 'minimal',
  GIT_CONFIG_KEY_1: 'core.trustctime',
  GIT_CONFIG_VALUE_1: 'false',
}
