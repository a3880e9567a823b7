// The programs that run without a question, and which of their calls are asked about all the same.
import { basename, resolve } from 'node:path'
import type { Ask } from './ask.ts'
import { absolutePath, placeOf, type FileContext } from './files.ts'
import { gitAsks } from './git-asks.ts'
import { gitLasting } from './git-lasting.ts'
import {
  INSTALLS,
  isForeignPackage,
  LOOKS_UP,
  managerLasting,
  runnerLasting,
  splitManager,
  splitRunner,
} from './package-manager.ts'
import { splitOptions } from './runner-options.ts'
import { plainWord, type Segment, type Word } from './segment.ts'

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

/** Why a call leaves the machine or cannot be taken back, and so is asked about in a sandbox too; undefined when it does not. */
export function lastingAsks(name: string, segment: Segment, files: FileContext): Ask | undefined {
  const args = segment.words.slice(1)
  switch (name) {
    case 'git':
      return gitLasting(args, files)
    case 'npm':
    case 'pnpm':
    case 'yarn':
      return managerLasting(name, args, files)
    case 'npx':
      return runnerLasting('npx', args, files)
    default:
      return undefined
  }
}

/** Why a call of an allowlisted program is asked about outside of a sandbox; undefined when it just runs. */
export function allowListAsks(name: string, segment: Segment, files: FileContext): string | undefined {
  const args = segment.words.slice(1)
  const asks = ownAsks(name, segment, files)
  // What a program loads is not known: what was written in this session may be among it.
  if (asks !== undefined || !loadsCode(name, args) || !files.facts.isCodeChanged()) return asks
  return 'files that it may run were changed in this session'
}

/** Whether a call of an allowlisted program runs code of the workspace. */
function loadsCode(name: string, args: readonly Word[]): boolean {
  if (name === 'git' || name === 'tsc') return false
  if (name !== 'npm' && name !== 'pnpm' && name !== 'yarn') return true
  const { command } = splitManager(args)
  return command === undefined ? name === 'yarn' : !LOOKS_UP.test(command)
}

function ownAsks(name: string, segment: Segment, files: FileContext): string | undefined {
  const args = segment.words.slice(1)
  switch (name) {
    case 'git':
      return gitAsks(args, files)
    case 'npm':
    case 'pnpm':
    case 'yarn':
      return managerAsks(name, args, segment, files)
    case 'npx':
      return programAsks(splitRunner(args), segment, files)
    default:
      return programAsks(segment.words, segment, files)
  }
}

/** A program by its own name, or as a package manager or npx would start it. */
function programAsks(words: readonly Word[], segment: Segment, files: FileContext): string | undefined {
  const [first, ...args] = words
  const name = first?.value
  switch (name) {
    case 'node':
    case 'tsx':
      return scriptAsks(name, args, segment, files)
    case 'vitest':
    case 'jest':
    case 'eslint':
    case 'prettier':
      return runnerAsks(name, args, files)
    case 'tsc':
      // It loads no code; what it writes must lie here.
      return unknownWord(args, name) ?? leadsOut(args, files)
    default:
      return name === undefined
        ? 'what is run is only known to the shell'
        : `what ${basename(name)} does with its arguments is not known`
  }
}

/** A test runner, linter or formatter: known options, and files of the workspace. */
function runnerAsks(name: string, args: readonly Word[], files: FileContext): string | undefined {
  const split = splitOptions(name, args)!
  if (split.odd) return `${name} ${split.odd.text} is not known to bring in no other code`
  return (
    leadsOut(args, files) ?? split.loaded.map((file) => foreignFile(file, files)).find((each) => each !== undefined)
  )
}

function unknownWord(args: readonly Word[], name: string): string | undefined {
  if (args.every((word) => word.value !== undefined)) return undefined
  return `an argument of ${name} is only known to the shell`
}

/** The first word that names a place outside of the workspace, by itself or after `=`. */
function leadsOut(args: readonly Word[], files: FileContext): string | undefined {
  for (const word of args) {
    const value = word.value ?? word.prefix
    const path = value.startsWith('-') ? value.slice(value.indexOf('=') + 1) : value
    if (path.startsWith('-') || /^[\w+.-]+:/.test(path)) {
      if (/^(?:data|file|https?|node):/i.test(path)) return `${path} is not a file of the workspace`
      continue
    }
    const there = path !== '' && path !== '-' && /[/~]|^\.\.$/.test(path)
    if (there && files.folder === undefined) return `the folder that ${path} is taken from is only known to the shell`
    // A pattern is a filter to these programs; what it names lies below its folder.
    const fixed = path.replace(/[^/]*[*?[{][^]*$/, '') || '.'
    if (there && placeOf(fixed, files) !== 'inside') return `${path} lies outside of the workspace`
  }
  return undefined
}

function scriptAsks(name: string, args: readonly Word[], segment: Segment, files: FileContext): string | undefined {
  const [mode] = args
  const rest = name === 'tsx' && /^(?:watch|test)$/.test(mode?.value ?? '') ? args.slice(1) : args
  if (args.length > 0 && args.every((word) => /^(?:-v|--version|--help|-h)$/.test(word.value ?? ''))) return undefined
  const run =
    /^--run=(.+)$/.exec(rest[0]?.value ?? '')?.[1] ?? (rest[0]?.value === '--run' ? rest[1]?.value : undefined)
  if (name === 'node' && run !== undefined) return scriptOfPackage(run, [], files)
  const split = splitOptions(name, rest, true)!
  if (split.odd) return `${name} ${split.odd.text} is not known to bring in no other code`
  const loaded = split.loaded.map((file) => foreignFile(file, files)).find((each) => each !== undefined)
  if (loaded !== undefined) return loaded
  const [script] = split.positionals
  const tests =
    rest.slice(0, script?.at ?? rest.length).some((word) => word.value === '--test') || mode?.value === 'test'
  // The test runner takes any number of files and patterns.
  if (tests)
    return (
      unknownWord(rest, name) ??
      leadsOut(rest.slice(script?.at ?? rest.length), files) ??
      changedAmong(rest, script?.at, files)
    )
  if (script !== undefined && script.word.value !== '-' && script.word.value !== '--') {
    const { value, glob } = script.word
    if (value === undefined || glob) return `an argument of ${name} is only known to the shell`
    return foreignFile(value, files)
  }
  return segment.stdin === 'none' && script === undefined
    ? `${name} without a script starts a session`
    : `${name} runs a program from its input`
}

function changedAmong(words: readonly Word[], from: number | undefined, files: FileContext): string | undefined {
  if (from === undefined) return undefined
  return words
    .slice(from)
    .map((word) => changedFile(word.value ?? '', files))
    .find((each) => each !== undefined)
}

/** A file to be loaded that is not the workspace's own, or was changed in this session. */
function foreignFile(file: string, files: FileContext): string | undefined {
  const changed = changedFile(file, files)
  if (changed !== undefined || placeOf(file, files) === 'inside') return changed
  return `${file} lies outside of the workspace`
}

function changedFile(file: string, { facts, folder }: FileContext): string | undefined {
  if (folder === undefined) return `the folder that ${file} is taken from is only known to the shell`
  const path = resolve(folder, file)
  const candidates = [path, `${path}.js`, `${path}.ts`, `${path}/index.js`, `${path}/index.ts`]
  candidates.push(facts.realPath(absolutePath(file, folder)))
  return candidates.some((each) => facts.isChanged(each)) ? `${file} was changed in this session` : undefined
}

function changedScripts({ facts, folder }: FileContext): string | undefined {
  if (folder === undefined) return 'the folder whose package.json is used is only known to the shell'
  return facts.scriptsChanged(folder) ? 'the scripts of package.json were changed in this session' : undefined
}

function managerAsks(name: string, words: readonly Word[], segment: Segment, files: FileContext): string | undefined {
  const { options, command, args } = splitManager(words)
  const unknown = unknownWord(words.slice(0, name === 'npm' ? 3 : 2), name)
  if (unknown) return unknown
  const option = words.find((word) =>
    /^--(?:config\.|script-shell|shell|node-options|prefix|dir|cwd|userconfig|globalconfig|registry|global|location|eval|call|package|ignore-scripts=false|git|init-module)|^-[a-z]*[gCc]$/.test(
      word.value ?? word.prefix,
    ),
  )
  if (option) return `${name} ${option.text} changes where or how scripts run`
  if (command !== undefined && !options.every((word) => QUIET_MANAGER.test(word.value ?? '')))
    return `${name} with options before its command`
  if (command === undefined) return name === 'yarn' && words.length === 0 ? changedScripts(files) : undefined
  if (command === 'exec' || command === 'x') return programAsks(splitRunner(args), segment, files)
  if (LOOKS_UP.test(command) && !args.some((word) => word.value === 'fix')) return undefined
  if (INSTALLS.test(command)) {
    const foreign = args.find((word) => isForeignPackage(word, files))
    if (foreign) return `${foreign.text} does not come from the registry, and its scripts would run`
    return changedScripts(files)
  }
  const runs = /^(?:run|run-script|rum|urn)$/.test(command)
  if (runs) {
    const at = args.findIndex((word) => !(word.value ?? '-').startsWith('-'))
    const script = args[at]?.value
    if (script === undefined) return args.length === 0 ? undefined : `${name} ${command} with options before its script`
    if (script === 'env') return `${name} run env prints the environment`
    return inPackage(name, script, args.slice(at + 1), segment, files)
  }
  if (name === 'npm') return npmScript(command, args, files)
  return inPackage(name, command, args, segment, files)
}

/** A script of the package; without one pnpm and yarn start an installed program of the name. */
function inPackage(
  name: string,
  script: string,
  args: readonly Word[],
  segment: Segment,
  files: FileContext,
): string | undefined {
  const known = files.folder === undefined ? undefined : files.facts.scriptText(files.folder, script)
  if (known === undefined && (script === 'node' || (name !== 'npm' && files.facts.isInstalled(script))))
    return programAsks([plainWord(script), ...args], segment, files)
  return name === 'npm' ? npmScript(script, args, files) : scriptOfPackage(script, args, files)
}

/** Options of a package manager that change neither which script runs nor how. */
const QUIET_MANAGER = /^(?:-s|--silent|-q|--quiet|--if-present|--no-audit|--no-fund|--color|--no-color)$/

/** npm takes the options before `--` for itself; the rest is the script's. */
function npmScript(script: string, args: readonly Word[], files: FileContext): string | undefined {
  const end = args.findIndex((word) => word.value === '--')
  const own = end < 0 ? args : args.slice(0, end)
  const odd = own.find((word) => (word.value ?? word.prefix).startsWith('-') && !QUIET_MANAGER.test(word.value ?? ''))
  if (odd) return `npm ${odd.text} may change where or how scripts run`
  return scriptOfPackage(
    script,
    [...own.filter((word) => !word.value?.startsWith('-')), ...args.slice(own.length)],
    files,
  )
}

/** Arguments that reach a program which is not known may load code by any option but these. */
const COMMON_OPTION =
  /^(?:--|-[a-zA-Z]|--(?:watch|fix|check|write|coverage|run|silent|verbose|quiet|ci|bail|update|debug|color|help|version|if-present|all|list|no-\w[\w-]*)(?:=(?:true|false|\d+))?|--(?:max-warnings|maxWorkers|max-workers|workers|retries|timeout|testTimeout|shard|port|mode|filter|grep|testNamePattern|project)=[\w./:*-]+)$/
/** Short ones that load a module in some runner: `-r` of mocha, `-c` of many, `-p` of node. */
const LOADING = /^-[rcpeCf]$/

/** A script as it stood when the session started; what is added to it must not bring in other code. */
function scriptOfPackage(script: string, args: readonly Word[], files: FileContext): string | undefined {
  const changed = changedScripts(files)
  if (changed !== undefined) return changed
  const unknown = unknownWord(args, script)
  if (unknown !== undefined) return unknown
  const text = files.folder === undefined ? undefined : files.facts.scriptText(files.folder, script)
  const program = /^(?:(?:npx|cross-env|\w+=\S+)\s+)*(vitest|jest|eslint|prettier)\b[^&|;<>()`$]*$/.exec(
    text ?? '',
  )?.[1]
  const own = args.filter((word, at) => word.value !== '--' || args.slice(0, at).some((each) => each.value === '--'))
  if (program !== undefined) return runnerAsks(program, own, files)
  const odd = own.find(({ value = '' }) => value.startsWith('-') && (!COMMON_OPTION.test(value) || LOADING.test(value)))
  if (odd) return `what ${odd.text} means to the script ${script} is not known`
  return leadsOut(own, files)
}
