import { resolve } from 'node:path'
import { placeOf, type FileContext } from './files.ts'
import { gitAsks } from './git-asks.ts'
import type { Segment, Word } from './segment.ts'

/** Programs that run without a question; `commands.allow` adds to it. */
export const DEFAULT_ALLOW_LIST: readonly string[] = [
  'npm',
  'pnpm',
  'yarn',
  'git',
  'node',
  'npx',
  'tsx',
  'vitest',
  'jest',
  'tsc',
  'eslint',
  'prettier',
]

/** Why a call of an allowlisted program is asked about all the same (outside a sandbox); undefined when it just runs. */
export function allowListAsks(name: string, segment: Segment, context: FileContext): string | undefined {
  const args = segment.words.slice(1)
  switch (name) {
    case 'git':
      return gitAsks(args, context)
    case 'node':
    case 'tsx':
      return scriptAsks(name, args, segment, context)
    case 'npm':
    case 'pnpm':
    case 'yarn':
      return managerAsks(name, args, context)
    case 'npx':
      return runnerAsks('npx', args, context)
    default:
      return unknownWord(args, name) ?? foreignCode(args, name, context)
  }
}

/** Options of vitest, jest, eslint, prettier and tsc whose value is code, or says where code is. */
const LOADS_CODE =
  /^(?:-c|-f|-r|--(?:config|format|formatter|plugin|rulesdir|resolve-plugins-relative-to|parser|globalSetup|globalTeardown|setupFiles(?:AfterEnv)?|environment|testEnvironment|reporters?|testRunner|runner|transform|resolver|snapshotSerializers|require|import|inspect.*))$/i

/** Code from elsewhere than the workspace, or written in the command or this session; also a file written outside. */
function foreignCode(args: readonly Word[], name: string, context: FileContext): string | undefined {
  for (const [at, { value = '' }] of args.entries()) {
    const [option, attached] = /^(--?[\w.-]+)=([^]*)$/.exec(value)?.slice(1) ?? []
    // `--execArgv=--require=x` passes an option on.
    const path = value.slice(value.lastIndexOf('=') + 1)
    if (/execArgv|nodeOptions|node-options/i.test(value) || attached?.startsWith('-'))
      return `${name} ${option ?? value} passes options on that may load code`
    if (path.startsWith('-')) continue
    if (isPath(path) && placeOf(path, context) !== 'inside') return `${path} lies outside of the workspace`
    if (!LOADS_CODE.test(option ?? args[at - 1]?.value ?? '')) continue
    if (path.startsWith('{')) return `${name} is given settings that may run code`
    const changed = changedFile(path, context)
    if (changed !== undefined) return changed
  }
  return undefined
}

/** A word that leaves its folder, or says by itself where it leads. */
function isPath(word: string): boolean {
  return /^[~/]|(?:^|\/)\.\.(?:\/|$)/.test(word)
}

function unknownWord(args: readonly Word[], name: string): string | undefined {
  if (args.every((word) => word.value !== undefined)) return undefined
  return `an argument of ${name} is only known to the shell`
}

/** Options of node and tsx that run a text or load a file before the script; short ones in any bundle. */
const CODE_OPTION =
  /^(?:-[a-z]*[epri][a-z]*|--eval|--print|--require|--import|--loader|--experimental-loader|--interactive|--experimental-config-file|--env-file.*|--build-snapshot.*|--openssl-config|--inspect.*)(?:=|$)/
const QUIET_NODE_OPTION =
  /^--(?:test.*|watch|check|enable-source-maps|no-warnings|experimental-strip-types|trace-.*|max-old-space-size=\d+|run=?.*|expose-gc|tsconfig=?.*)$|^-[cv]$/

function scriptAsks(name: string, args: readonly Word[], segment: Segment, context: FileContext): string | undefined {
  for (const [at, word] of args.entries()) {
    const { value } = word
    if (value === undefined || word.glob) return `an argument of ${name} is only known to the shell`
    if (name === 'tsx' && at === 0 && (value === 'watch' || value === 'test')) continue
    if (value === '-' || value === '--') return `${name} runs a program from its input`
    if (!value.startsWith('-')) return foreignFile(value, context)
    if (CODE_OPTION.test(value)) return `${name} ${value.split('=')[0]} runs code that is written in the command`
    if (!QUIET_NODE_OPTION.test(value)) return `${name} ${value} is not known to be harmless`
    if (value.startsWith('--run')) return changedScripts(context)
    if (value.startsWith('--test')) return unknownWord(args, name) ?? foreignCode(args, name, context)
  }
  if (args.length > 0 && args.every((word) => /^(?:-v|--version|--help|-h)$/.test(word.value ?? ''))) return undefined
  return segment.stdin === 'none'
    ? `${name} without a script starts a session`
    : `${name} runs a program from its input`
}

/** A script that is not the workspace's own, or was changed in this session. */
function foreignFile(file: string, context: FileContext): string | undefined {
  const changed = changedFile(file, context)
  if (changed !== undefined || placeOf(file, context) === 'inside') return changed
  return `${file} lies outside of the workspace`
}

function changedFile(file: string, { facts, folder }: FileContext): string | undefined {
  if (folder === undefined) return `the folder that ${file} is taken from is only known to the shell`
  const path = resolve(folder, file)
  const candidates = [path, `${path}.js`, `${path}.ts`, `${path}/index.js`, `${path}/index.ts`, facts.realPath(path)]
  return candidates.some((each) => facts.isChanged(each)) ? `${file} was changed in this session` : undefined
}

function changedScripts({ facts, folder }: FileContext): string | undefined {
  if (folder === undefined) return 'the folder whose package.json is used is only known to the shell'
  return facts.scriptsChanged(folder) ? 'the scripts of package.json were changed in this session' : undefined
}

/** Commands of npm, pnpm and yarn that touch an account or the registry, or run code that is not installed. */
const MANAGER_ASKS =
  /^(?:access|adduser|add-user|bugs|config|set|c|create|deprecate|undeprecate|dist-tags?|dlx|docs|edit|explore|fund|home|hook|init|innit|login|logout|m|multi|org|owner|author|pkg|profile|publish|rc|recursive|set-script|star|stars|team|token|trust|unpublish|unstar|patch|patch-commit|repo|setup|self-update|env|node|plugin|server|store|tag|workspace|workspaces)$/

function managerAsks(name: string, args: readonly Word[], context: FileContext): string | undefined {
  const [first] = args
  const unknown = unknownWord(args.slice(0, name === 'npm' ? 3 : 2), name)
  if (unknown) return unknown
  const option = args.find((word) =>
    /^--(?:config\.|script-shell|shell|node-options|prefix|dir|cwd|userconfig|globalconfig|registry|global|location|eval|call|package|ignore-scripts=false|git|init-module)/.test(
      word.value ?? word.prefix,
    ),
  )
  if (option) return `${name} ${option.text} changes where or how scripts run`
  if (args.some((word) => /^-[a-z]*[gCc]$/.test(word.value ?? '')))
    return `${name} ${args.find((word) => /^-[a-z]*[gCc]$/.test(word.value ?? ''))!.text} reaches outside of this folder`
  const at = args.findIndex((word) => !(word.value ?? '').startsWith('-'))
  const command = at < 0 ? undefined : args[at]!.value
  if (command === undefined) return name === 'yarn' && args.length === 0 ? changedScripts(context) : undefined
  if (at > 0 && first) return `${name} with options before its command`
  if (command === 'exec' || command === 'x') return runnerAsks(`${name} ${command}`, args.slice(at + 1), context)
  if (MANAGER_ASKS.test(command))
    return `${name} ${command} reaches beyond this workspace or runs what is not installed`
  const rest = args.slice(at + 1)
  if (NO_SCRIPT.test(command) && !(command === 'audit' && rest.some((word) => word.value === 'fix'))) return undefined
  const foreign = INSTALLS.test(command) ? rest.find((word) => isForeignPackage(word, context)) : undefined
  if (foreign) return `${foreign.text} does not come from the registry, and its scripts would run`
  if (command.startsWith('run') && rest[0]?.value === 'env') return `${name} run env prints the environment`
  return changedScripts(context) ?? (INSTALLS.test(command) ? undefined : foreignCode(rest, name, context))
}

const INSTALLS = /^(?:install|i|in|ins|inst|add|install-test|it|ci|link|ln|update|up|upgrade)$/

/** An address, a repository (`user/name`), an archive, or a folder elsewhere. */
function isForeignPackage({ value }: Word, context: FileContext): boolean {
  if (value === undefined || value.startsWith('-') || /^@[\w.-]+\/[\w.-]+(?:@[^/:]*)?$/.test(value)) return false
  const source = /^(?:@[\w.-]+\/)?[\w.-]+@(.+)$/.exec(value)?.[1] ?? value
  if (isPath(source)) return placeOf(source, context) !== 'inside'
  return /^(?!npm:|workspace:)[\w+.-]+:|^[\w.-]+\/[\w.-]|\.t(?:ar\.)?gz$/.test(source)
}

/** Commands that run no script of the package. */
const NO_SCRIPT =
  /^(?:ls|list|ll|la|view|info|show|v|outdated|audit|why|explain|help|search|ping|root|prefix|bin|doctor|licenses|completion)$/

/** npx and `npm exec`: what is installed runs, anything else would be fetched first. */
function runnerAsks(name: string, args: readonly Word[], context: FileContext): string | undefined {
  const rest =
    args[0]?.value === '--' || args[0]?.value === '--no-install' || args[0]?.value === '--no' ? args.slice(1) : args
  const [program] = rest
  if (program?.value === undefined) return `what ${name} runs is only known to the shell`
  if (program.value.startsWith('-')) return `${name} ${program.value} may run what is not installed`
  if (!/^\w[\w.-]*$/.test(program.value)) return `${program.value} is not the name of an installed program`
  return context.facts.isInstalled(program.value)
    ? foreignCode(rest.slice(1), program.value, context)
    : `${program.value} is not installed in this workspace: ${name} would fetch and run it`
}
