import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gitEnvironment } from '../git/git-environment.ts'

/** Keys of the user's own configuration that commands need and that hold neither a key nor a program. */
const KEPT =
  /^(?:user\.(?:name|email)|init\.defaultbranch|core\.(?:autocrlf|eol|safecrlf|excludesfile|attributesfile|quotepath|ignorecase|symlinks|abbrev|whitespace)|pull\..*|push\.(?:default|autosetupremote|followtags)|merge\.(?:conflictstyle|ff|log|renames)|rebase\..*|rerere\..*|diff\.(?:algorithm|renames|colormoved|mnemonicprefix|noprefix|context)|fetch\.prune|branch\.(?:sort|autosetupmerge|autosetuprebase)|tag\.sort|log\.(?:date|decorate|follow)|color\..*|column\..*|status\..*|commit\.(?:verbose|cleanup)|advice\..*|safe\.directory)$/i

/** Writes what commands may know of the user's git configuration to `file`; undefined when there is none. */
export function writeGitConfig(file: string): string | undefined {
  try {
    const listed = execFileSync('git', ['config', '--global', '--includes', '--list', '-z'], {
      env: gitEnvironment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    })
    const lines = listed.split('\0').flatMap((entry) => {
      const at = entry.indexOf('\n')
      const [key, value] = at < 0 ? [entry, 'true'] : [entry.slice(0, at), entry.slice(at + 1)]
      const dot = key.lastIndexOf('.')
      return KEPT.test(key) ? [`[${key.slice(0, dot)}]\n\t${key.slice(dot + 1)} = ${quoted(value)}`] : []
    })
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    return file
  } catch {
    return undefined
  }
}

function quoted(value: string): string {
  return JSON.stringify(value).replaceAll(/\\u[0-9a-f]{4}/gi, '')
}
