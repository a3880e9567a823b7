// Which commands want a terminal: they take the whole screen, read keys, or talk with whoever sits there. Without one they hang,
// fail, or do something else. A table, so it knows some and not all.
import { programName } from './block-list.ts'
import type { Analysis, Segment } from './segment.ts'

type Check = (args: readonly string[]) => boolean

const always: Check = () => true
const names = (text: string, check: Check): [string, Check][] => text.split(/\s+/).map((name) => [name, check])
const hasOption =
  (pattern: RegExp): Check =>
  (args) =>
    args.some((arg) => pattern.test(arg))
const without =
  (pattern: RegExp): Check =>
  (args) =>
    !args.some((arg) => pattern.test(arg))
const words = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('-'))
/** Without a program to run they ask for one, line by line. */
const bare: Check = (args) => words(args).length === 0 && !args.some((arg) => /^(?:-[ceEhVv]|-m|--\w)/.test(arg))

/** Options of ssh with a value behind them (ssh(1)). */
const SSH_VALUE = /^-[BbcDEeFIiJLlmOopQRSWw]$/
const sshLogin: Check = (args) => {
  const rest = args.filter((arg, i) => !arg.startsWith('-') && !SSH_VALUE.test(args[i - 1] ?? ''))
  return rest.length <= 1 || args.some((arg) => /^-t+$/.test(arg))
}

const patch = hasOption(/^(?:-[pi]|--patch|--interactive)$/)
/** Subcommands of git that open the editor or ask. */
const GIT = new Map<string, Check>([
  ['commit', without(/^(?:-[a-zA-Z]*[mFC]|--(?:message|file|reuse-message|fixup)\b.*|--no-edit|--dry-run|-h|--help)/)],
  ['rebase', hasOption(/^(?:-i|--interactive|--edit-todo|--continue)$/)],
  ...names('add checkout restore reset stash', patch),
  ...names('mergetool difftool citool', always),
  [
    'tag',
    (args) =>
      hasOption(/^(?:-a|-s|--annotate|--sign)$/)(args) && without(/^(?:-[a-zA-Z]*[mF]|--(?:message|file))/)(args),
  ],
])
const git: Check = (args) => {
  const at = args.findIndex((arg, i) => !arg.startsWith('-') && !/^-[cC]$/.test(args[i - 1] ?? ''))
  return GIT.get(args[at] ?? '')?.(args.slice(at + 1)) ?? false
}
const container: Check = (args) =>
  /^(?:run|exec|attach)$/.test(words(args)[0] ?? '') && hasOption(/^(?:-[a-z]*t[a-z]*|--tty)$/)(args)

const PROGRAMS = new Map<string, Check>([
  ...names(
    'vi vim nvim view vimdiff nano pico micro hx helix kak joe ne mcedit',
    without(/^(?:--version|--help|-es|--headless)$/),
  ),
  ['emacs', without(/^(?:--?batch|--script|--version)$/)],
  ...names('htop btop atop glances nmon iotop iftop watch', without(/^(?:--version|--help|-h|-V)$/)),
  ['top', without(/^(?:-\w*[bhv]\w*|-l\d*)$/)],
  ...names(
    'tig lazygit gitui lazydocker k9s ncdu mc ranger nnn lf yazi vifm tmux screen zellij',
    without(/^(?:--?version|--?help|-V)$/),
  ),
  ...names('su sudo doas passwd visudo mosh telnet ftp sftp dialog whiptail', always),
  ...names('python python3 ipython node irb ghci lua julia iex bash sh zsh fish dash', bare),
  ...names('gdb lldb', without(/^--?(?:batch|version)$/)),
  ...names(
    'psql mysql mariadb mongosh redis-cli',
    (args) =>
      without(/^(?:-[cfe]|--(?:command|file|execute|eval|version|help|list)\b.*|-l)/)(args) && words(args).length < 3,
  ),
  ['sqlite3', (args) => words(args).length < 2],
  ['ssh', sshLogin],
  ['git', git],
  ['npm', (args) => /^(?:init|create|login|adduser)$/.test(words(args)[0] ?? '') && without(/^(?:-y|--yes)$/)(args)],
  ['gh', (args) => words(args).slice(0, 2).join(' ') === 'auth login'],
  ...names('docker podman kubectl', container),
])
/** They take their keys from the terminal whatever their input is. */
const PAGERS = new Map(names('less more most man info fzf sk', without(/^(?:--version|--help|-V)$/)))

/** Programs that run the one behind them as it is. */
const PREFIX = /^(?:env|command|exec|nice|time|nohup|\w+=.*)$/

/** The first program of a command that wants a terminal; undefined when none is known to. */
export function wantsTerminal({ segments }: Analysis): string | undefined {
  for (const [i, segment] of segments.entries()) {
    const name = wantedBy(segment)
    // What goes on into another program, or into a file, is not for the eyes.
    if (name !== undefined && segments[i + 1]?.stdin !== 'pipe') return name
  }
  return undefined
}

function wantedBy({ words, redirects, via, stdin }: Segment): string | undefined {
  if (via.length > 0 || redirects.some(({ kind }) => kind === 'write')) return undefined
  const values = words.map(({ value, text }) => value ?? text)
  const at = values.findIndex((value) => !PREFIX.test(value))
  if (at < 0) return undefined
  const name = programName(values[at]!)
  const args = values.slice(at + 1)
  if (PAGERS.get(name)?.(args)) return name
  if (stdin !== 'none' || redirects.some(({ kind }) => kind === 'read' || kind === 'text')) return undefined
  return PROGRAMS.get(name)?.(args) ? name : undefined
}
