// npm, pnpm and yarn: what stays here, what reaches the registry or an account, and which program a call runs in the end.
import type { Ask } from './ask.ts'
import { placeOf, type FileContext } from './files.ts'
import type { Word } from './segment.ts'

export interface ManagerCall {
  /** Options before the command. */
  options: readonly Word[]
  /** Undefined when there is none, or only the shell will know it. */
  command: string | undefined
  args: readonly Word[]
}

/** Options before the command that take the next word. */
const VALUES = /^(?:-w|--workspace|-F|--filter|--prefix|-C|--dir|--cwd|--loglevel|--reporter)$/
const HARMLESS =
  /^(?:-s|--silent|-q|--quiet|-d|-ws|--workspaces|-r|--recursive|--if-present|--no-audit|--no-fund|--color|--no-color|--(?:workspace|filter|prefix|dir|cwd|loglevel|reporter)=.*)$/

export function splitManager(args: readonly Word[]): ManagerCall {
  let at = 0
  for (; at < args.length; at++) {
    const { value } = args[at]!
    if (value === undefined || !value.startsWith('-')) break
    if (VALUES.test(value)) at++
  }
  return { options: args.slice(0, at), command: args[at]?.value, args: args.slice(at + 1) }
}

export const INSTALLS =
  /^(?:install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add|install-test|install-ci-test|it|sit|cit|ci|clean-install|ic|install-clean|isntall-clean|link|ln|update|up|upgrade|udpate|upgrade-interactive|dedupe|ddp|import|fetch|global)$/

/** Commands that run no script of the package and change nothing, with those that ask the registry a question. */
export const LOOKS_UP =
  /^(?:ls|list|ll|la|view|info|show|v|outdated|audit|why|explain|help|search|ping|root|prefix|bin|doctor|licenses|completion|query)$/

/** Commands that run scripts of the package, or change only what is installed in it. */
const STAYS =
  /^(?:run|run-script|rum|urn|test|t|tst|start|stop|restart|rebuild|rb|prune|uninstall|unlink|remove|rm|r|un|pack|find-dupes|fund|sbom)$/

/** Commands of pnpm and yarn that are not names of scripts, and reach an account, the registry or what is not installed. */
const OWN_COMMANDS =
  /^(?:access|adduser|add-user|approve-builds|bugs|cache|cat-file|config|set|c|create|deploy|deprecate|undeprecate|dist-tags?|dlx|docs|edit|env|explore|generate-lock-entry|home|hook|init|innit|login|logout|m|multi|node|npm|org|owner|author|patch|patch-commit|patch-remove|pkg|plugin|policies|profile|publish|rc|recursive|repo|self-update|server|set-script|setup|stage|star|stars|store|tag|team|token|trust|unplug|unpublish|unstar|version|versions|whoami|workspace|workspaces)$/

/** Why a call is asked about with and without a sandbox; `runs` judges the program of `exec`. */
export function managerLasting(name: string, words: readonly Word[], files: FileContext): Ask | undefined {
  const { options, command, args } = splitManager(words)
  const odd = options.find((word) => !HARMLESS.test(word.value ?? '-') && !VALUES.test(word.value ?? '-'))
  const only = words.length === 1 && /^(?:-v|--version|-h|--help)$/.test(words[0]!.value ?? '')
  if (only) return undefined
  const value = odd && options[options.indexOf(odd) - 1]
  if (odd && !VALUES.test(value?.value ?? '')) return { reason: `${name} ${odd.text} is not known to be harmless` }
  if (command === undefined) {
    if (words.length > options.length) return { reason: `the command of ${name} is only known to the shell` }
    return name === 'yarn' ? installs(name, '', args) : undefined
  }
  if (command === 'exec' || command === 'x') return runnerLasting(`${name} ${command}`, args, files)
  if (INSTALLS.test(command)) return installs(name, command, args)
  if (command === 'audit' && args.some((word) => word.value !== undefined && /^fix$/.test(word.value)))
    return installs(name, 'audit fix', args)
  if (LOOKS_UP.test(command) || STAYS.test(command)) return undefined
  if (command === 'version' && args.length === 0) return undefined
  if (OWN_COMMANDS.test(command) || name === 'npm')
    return { reason: `${name} ${command} reaches an account, the registry, or what is not installed` }
  // pnpm and yarn take the name of a script, and then that of an installed program.
  return undefined
}

function installs(name: string, command: string, args: readonly Word[]): Ask {
  const packages = args.some((word) => !(word.value ?? '').startsWith('-'))
  return {
    reason: `${[name, command].filter(Boolean).join(' ')} fetches packages and runs their scripts`,
    // The lock file names what a bare install fetches; a name in the command is another matter each time.
    prefix: !packages,
  }
}

/** npx and `exec`: what is installed runs, anything else would be fetched first. */
export function runnerLasting(name: string, args: readonly Word[], { facts }: FileContext): Ask | undefined {
  const [program] = splitRunner(args)
  if (program?.value === undefined) return { reason: `what ${name} runs is only known to the shell` }
  if (program.value.startsWith('-')) return { reason: `${name} ${program.value} may run what is not installed` }
  if (program.value === 'node') return undefined
  if (!/^\w[\w.-]*$/.test(program.value)) return { reason: `${program.value} is not the name of an installed program` }
  return facts.isInstalled(program.value)
    ? undefined
    : { reason: `${program.value} is not installed in this workspace: ${name} would fetch and run it` }
}

/** The program that a runner starts, and its arguments. */
export function splitRunner(args: readonly Word[]): readonly Word[] {
  const start = args.findIndex(
    (word) => !/^(?:--|--no-install|--no|--offline|-s|--silent|--quiet)$/.test(word.value ?? ''),
  )
  return start < 0 ? [] : args.slice(start)
}

/** An address, a repository (`user/name`), an archive, or a folder elsewhere. */
export function isForeignPackage({ value }: Word, files: FileContext): boolean {
  if (value === undefined || value.startsWith('-') || /^@[\w.-]+\/[\w.-]+(?:@[^/:]*)?$/.test(value)) return false
  const source = /^(?:@[\w.-]+\/)?[\w.-]+@(.+)$/.exec(value)?.[1] ?? value
  if (/^[~/]|(?:^|\/)\.\.(?:\/|$)/.test(source)) return placeOf(source, files) !== 'inside'
  return /^(?!npm:|workspace:)[\w+.-]+:|^[\w.-]+\/[\w.-]|\.t(?:ar\.)?gz$/.test(source)
}
