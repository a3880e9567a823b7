import { splitPattern } from '../rules/pattern.ts'
import { matchesBlock } from './block-list.ts'
import { splitGit } from './read-only-git.ts'
import type { CommandParser, ParseOptions } from './parse-command.ts'
import type { Segment, Word } from './segment.ts'

/** Settings of git whose value runs nothing, so that `git -c user.name=x commit` hides nothing. */
const QUIET_SETTING =
  /^(?:user\.(?:name|email)|author\..+|committer\..+|color\..+|advice\..+|log\..+|column\..+|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|merge\.conflictstyle|diff\.(?:noprefix|algorithm|renames|context|mnemonicprefix)|core\.(?:quotepath|autocrlf|eol|filemode|ignorecase|abbrev|longpaths|symlinks)|safe\.directory|gc\.auto|fetch\.prune|rebase\.(?:autostash|autosquash)|http\.(?:lowspeedlimit|lowspeedtime|postbuffer))(?:=|$)/i

/**
 * Finds a command of the blocklist in the arguments of a program that is not known to be a wrapper: as its own words
 * (`parallel rm -rf`), in one text (`ssh host 'rm -rf x'`), or in a setting of git that may run anything. Returns the
 * reason; undefined when nothing is seen, which proves nothing.
 */
export function carriedBlock(
  { words }: Segment,
  entries: readonly string[],
  parse: CommandParser,
  options: ParseOptions,
): string | undefined {
  const [program, ...args] = words
  const name = program?.value
  if (name === 'git') {
    const setting = gitSetting(args)
    if (setting !== undefined) return `git -c ${setting} may run any program`
  }
  // One word, such as `sudo`, may be an argument of anything; two or more say what they do.
  const several = entries.filter((entry) => splitPattern(entry).length > 1)
  for (const [at, word] of args.entries()) {
    if (name === 'git' && isMessage(args, at)) continue
    const tail = args.slice(at)
    const found = several.find((entry) => matchesBlock(entry, tail) === 'yes')
    if (found !== undefined) return `it may run ${found}, which is on the blocklist`
    const text = word.value?.replace(/^!/, '').replace(/^alias\.[^=]*=!/, '')
    if (text === undefined || !/\s/.test(text)) continue
    const inner = parse(text, options).segments.flatMap((each) =>
      entries.filter((entry) => matchesBlock(entry, each.words) === 'yes'),
    )
    if (inner.length > 0) return `it carries ${inner[0]!}, which is on the blocklist`
  }
  return undefined
}

function isMessage(args: readonly Word[], at: number): boolean {
  const before = args[at - 1]?.value ?? ''
  return /^(?:-[a-z]*m|--message|--grep|-S|-G)$/.test(before) || /^(?:--message=|-m)/.test(args[at]!.value ?? '')
}

function gitSetting(args: readonly Word[]): string | undefined {
  const { options } = splitGit(args)
  for (const [at, { value }] of options.entries()) {
    if (value === '--config-env' || value?.startsWith('--config-env=') || value?.startsWith('--exec-path='))
      return value
    if (value !== '-c') continue
    const setting = options[at + 1]
    if (!QUIET_SETTING.test(setting?.value ?? '')) return setting?.text ?? '…'
  }
  return undefined
}
