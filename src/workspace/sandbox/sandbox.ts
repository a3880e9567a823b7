// Runs commands where they can write only the workspace and a temporary folder, read no secret, and reach no network.
// Promises: what it says in `status` is what was tried on this machine, not what should be; a wrapped argv never starts
// a shell of its own. Does not promise anything on Windows, nor against the kernel's own faults.
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { dirname } from 'node:path'
import { bubblewrapArgv } from './bubblewrap.ts'
import { makePlan, realPath, unsuitableRoot } from './plan.ts'
import { seatbeltArgv } from './seatbelt.ts'
import { createSecretScan } from './secret-scan.ts'

export interface SandboxOptions {
  setting: 'auto' | 'off' | 'strict'
  /** Absolute path of the workspace. */
  root: string
  additionalRoots?: readonly string[]
  home: string
  /** A folder of this session for temporary files; made with mode 0700. */
  temp: string
  /** Commands may use the network. Default false. */
  network?: boolean
  /** True for files that are not to be read. */
  isSecret: (path: string) => boolean
  /** Further folders that are not to be read, such as codehound's own data. */
  privateFolders?: readonly string[]
  /** File that keeps the answer of a try until the machine restarts or the program changes; absent: tried each time. */
  cacheFile?: string
  /** Tests play other systems. */
  platform?: NodeJS.Platform
  probe?: (argv: readonly string[]) => Promise<string | undefined>
}

export interface Sandbox {
  kind: 'bubblewrap' | 'sandbox-exec' | 'none'
  /** True when commands run inside. */
  active: boolean
  /** One clause for the status line, such as `sandbox: bubblewrap, no network`. */
  status: string
  /** Set when `strict` finds none: commands must be refused with this reason. */
  refusal?: string
  /** Turns an argv into the one that runs it inside; the same argv when not active. */
  wrap(argv: readonly string[], run?: { cwd?: string; network?: boolean }): readonly string[]
}

/** Where each program is looked for: not on the PATH, which a workspace may steer. */
const PROGRAMS = {
  linux: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
  darwin: ['/usr/bin/sandbox-exec'],
}
/** Milliseconds until a probe that hangs counts as a failure. */
const PROBE_TIMEOUT_MS = 3_000

const probes = new Map<string, Promise<string | undefined>>()

/** Finds the sandbox of this system, tries it once per process, and says what there is. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.setting === 'off') return none('sandbox: off')
  const platform = options.platform ?? process.platform
  const found = platform === 'linux' || platform === 'darwin' ? PROGRAMS[platform].find(isExecutable) : undefined
  const unsuitable = unsuitableRoot(options.root, options.home)
  const missing =
    unsuitable ??
    (platform !== 'linux' && platform !== 'darwin'
      ? `there is none for ${platform}`
      : found === undefined && options.platform === undefined
        ? platform === 'linux'
          ? 'bubblewrap is not installed (apt install bubblewrap)'
          : 'sandbox-exec is missing'
        : undefined)
  if (missing !== undefined) return unavailable(options, missing)
  mkdirSync(options.temp, { recursive: true, mode: 0o700 })
  const program = found ?? PROGRAMS[platform as 'linux' | 'darwin'][0]!
  const secrets = createSecretScan([options.root, ...(options.additionalRoots ?? [])], options.isSecret)
  const inside = (
    argv: readonly string[],
    run: { cwd?: string; network?: boolean },
    secretPaths: readonly string[],
  ) => {
    const plan = makePlan({
      ...options,
      temp: realPath(options.temp),
      network: run.network ?? options.network ?? false,
      secretPaths,
    })
    return platform === 'linux'
      ? bubblewrapArgv(program, plan, argv, run.cwd ?? options.root)
      : seatbeltArgv(program, plan, argv)
  }
  // The try needs no look at the workspace: start-up must not wait for one.
  const failure = await tried(program, inside(['/bin/sh', '-c', ':'], {}, []), options)
  if (failure !== undefined) return unavailable(options, failure)
  const wrap: Sandbox['wrap'] = (argv, run = {}) => inside(argv, run, secrets())
  const kind = platform === 'linux' ? 'bubblewrap' : 'sandbox-exec'
  return { kind, active: true, status: `sandbox: ${kind}${options.network ? '' : ', no network'}`, wrap }
}

function none(status: string): Sandbox {
  return { kind: 'none', active: false, status, wrap: (argv) => argv }
}

function unavailable({ setting }: SandboxOptions, why: string): Sandbox {
  if (setting !== 'strict') return none(`sandbox: none, ${why}`)
  return {
    ...none(`sandbox: none, ${why}`),
    refusal: `Commands run in a sandbox or not at all (sandbox: strict), and ${why}.`,
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** One try per process, program and workspace; with a cache file, one per start of the machine. */
function tried(program: string, argv: readonly string[], options: SandboxOptions): Promise<string | undefined> {
  if (options.probe) return options.probe(argv)
  const key = `${program} ${options.root}`
  let answer = probes.get(key)
  if (!answer) {
    answer = options.cacheFile === undefined ? probe(argv) : cachedProbe(program, argv, options)
    probes.set(key, answer)
  }
  return answer
}

async function cachedProbe(program: string, argv: readonly string[], options: SandboxOptions) {
  const file = options.cacheFile!
  const key = [program, statSync(program).mtimeMs, release(), bootId(), process.getuid?.(), options.root].join(' ')
  try {
    // Only a success is believed: a failure may have been mended since.
    if (readFileSync(file, 'utf8') === key) return undefined
  } catch {
    // There is none yet.
  }
  const failure = await probe(argv)
  try {
    if (failure === undefined) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, key, { mode: 0o600 })
    }
  } catch {
    // A cache that cannot be written costs a try the next time.
  }
  return failure
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

function probe(argv: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(argv[0]!, argv.slice(1), { stdio: ['ignore', 'ignore', 'pipe'], timeout: PROBE_TIMEOUT_MS })
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')))
    child.on('error', (error) => resolve(`${argv[0]!} could not be started: ${error.message}`))
    child.on('close', (code) => {
      const said = errors.trim().split('\n')[0] ?? ''
      resolve(code === 0 ? undefined : `${argv[0]!} does not work here${said === '' ? '' : ` (${said.slice(0, 200)})`}`)
    })
  })
}
