// Recognises that the sandbox is why a command failed, from what it printed and from what is known of the sandbox.
import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PathAccess } from './sandbox.ts'

export interface SandboxStop {
  kind: 'network' | 'read-only' | 'hidden'
  /** One sentence for the model and the user. */
  text: string
  /** Where the command may do it. */
  place: 'network' | 'outside'
}

export interface StoppedOptions {
  exitCode: number | null
  /** Both streams. */
  output: string
  cwd: string
  network: boolean
  access: (path: string) => PathAccess
  /** Tests play other machines. */
  exists?: (path: string) => boolean
}

/** What resolvers and connections say where there is no network, by the words of libc, Node, Go, Rust, Python, Java, curl, git. */
const NO_NETWORK =
  /getaddrinfo|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|could not resolve host|couldn't resolve host|could not resolve proxy|temporary failure in name resolution|name or service not known|network is unreachable|no such host|failed to lookup address|nodename nor servname|UnknownHostException|dns error|no address associated with hostname|name resolution|unable to resolve host|Failed to establish a new connection|spurious network error/i
const READ_ONLY = /read-only file system|EROFS|device or resource busy|EBUSY/i
const MISSING =
  /no such file or directory|ENOENT|not found|cannot find|can't open|does not exist|permission denied|EACCES/i
/** Absolute paths in a text, without what a message puts around and behind them. */
const PATHS = /(?<![\w.~:/-])\/[^\s'"`,;()<>|&*?[\]{}]+/g
/** Lines that are looked at, from the end. */
const LINES = 400

/** Undefined when the command succeeded or nothing speaks for the sandbox. */
export function whatStopped(options: StoppedOptions): SandboxStop | undefined {
  const { exitCode, output, access, network } = options
  if (exitCode === 0) return undefined
  const lines = output.split('\n').slice(-LINES)
  if (!network && NO_NETWORK.test(output))
    return { kind: 'network', text: 'The sandbox stopped it: commands have no network.', place: 'network' }
  const readOnly = lines.find((line) => READ_ONLY.test(line))
  if (readOnly !== undefined) {
    const path = pathsIn(readOnly, options).find((each) => access(each) !== 'write')
    if (path !== undefined || /read-only file system|EROFS/i.test(readOnly))
      return {
        kind: 'read-only',
        text: `The sandbox stopped it: ${path ?? 'what it wants to write'} can only be read by commands.`,
        place: 'outside',
      }
  }
  const exists = options.exists ?? ((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  for (const line of lines.filter((each) => MISSING.test(each))) {
    const path = pathsIn(line, options).find((each) => access(each) === 'none' && safely(exists, each))
    if (path !== undefined)
      return {
        kind: 'hidden',
        text: `The sandbox stopped it: ${path} is not there for commands (sandbox.readable lets them read it).`,
        place: 'outside',
      }
  }
  return undefined
}

function pathsIn(line: string, { cwd }: StoppedOptions): string[] {
  const absolute = (line.match(PATHS) ?? []).map((path) => path.replace(/[.:]+$/, ''))
  // Git names its files from the folder it runs in: `.git/config`.
  const relative = (line.match(/(?<![\w/])\.[\w.-]+(?:\/[\w.-]+)*/g) ?? []).map((path) => path.replace(/[.:]+$/, ''))
  return [...absolute, ...relative].map((path) => resolve(cwd, path))
}

function safely(exists: (path: string) => boolean, path: string): boolean {
  try {
    return exists(path)
  } catch {
    return false
  }
}
