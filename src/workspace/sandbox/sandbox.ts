// Runs commands where there is only what they need: the workspace, which they can write, the system and toolchains, which they can
// read, temporary folders and an empty home folder; no secret, no socket, no network unless it is allowed.
// Promises: what it says in `status` is what was tried on this machine, not what should be; a wrapped argv never starts
// a shell of its own. Does not promise anything on Windows, nor against the kernel's own faults.
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { dirname, join } from 'node:path'
import { createProtectedFinder, type ProtectedPlaces } from '../protected/find.ts'
import { bubblewrapArgv } from './bubblewrap.ts'
import { createCovers } from './covers.ts'
import { createEtcCopy } from './etc-copy.ts'
import { writeGitConfig } from './git-config.ts'
import { limitedArgv, type CommandLimits } from './limits.ts'
import { linkedGitFolders, makePlan, realPath, unsuitableRoot, within, type SandboxPlan } from './plan.ts'
import { readablePaths, SYSTEM_FOLDERS } from './readable.ts'
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
  /** `sandbox.readable`. */
  readable?: readonly string[]
  /** `sandbox.limits`. */
  limits?: CommandLimits
  /** The PATH of commands: its folders may be read. Default: that of this process. */
  path?: string
  /** What is protected in the workspace; default: looked for at each command. */
  places?: () => ProtectedPlaces
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
  /** What a command may do with an absolute path; `write` everywhere when not active. */
  access(path: string): PathAccess
}

export type PathAccess = 'write' | 'read' | 'none'

/** Where each program is looked for: not on the PATH, which a workspace may steer. */
const PROGRAMS = {
  linux: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
  darwin: ['/usr/bin/sandbox-exec'],
}
/** Milliseconds until a probe that hangs counts as a failure. */
const PROBE_TIMEOUT_MS = 3_000

const probes = new Map<string, Promise<Tried>>()

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
  const inside = createInside(options, program, platform)
  // The try needs no look at the workspace: start-up must not wait for one.
  const failure = await tried(program, (sized) => inside(['/bin/sh', '-c', ':'], { sized, bare: true }), options)
  if (typeof failure.why === 'string') return unavailable(options, failure.why)
  const { sized } = failure
  const kind = platform === 'linux' ? 'bubblewrap' : 'sandbox-exec'
  return {
    kind,
    active: true,
    status: `sandbox: ${kind}${options.network ? '' : ', no network'}`,
    wrap: (argv, run = {}) => inside(argv, { ...run, sized }),
    access: (path) => accessOf(path, inside.plan()),
  }
}

interface InsideRun {
  cwd?: string
  network?: boolean
  /** bwrap knows `--size`. */
  sized: boolean
  /** Without what has to be looked for in the workspace. */
  bare?: boolean
}

interface Inside {
  (argv: readonly string[], run: InsideRun): readonly string[]
  /** The plan of a command, for questions about it. */
  plan(): SandboxPlan
}

function createInside(options: SandboxOptions, program: string, platform: NodeJS.Platform): Inside {
  const { home, limits } = options
  const roots = [options.root, ...(options.additionalRoots ?? [])]
  const secrets = createSecretScan(roots, options.isSecret)
  const further = (options.readable ?? []).map((each) => (each.startsWith('~/') ? `${home}${each.slice(1)}` : each))
  const furtherSecrets = createSecretScan(further, options.isSecret)
  const places = options.places ?? createProtectedFinder(roots.map(realPath), linkedGitFolders(realPath(options.root)))
  const own = `${options.temp}-own`
  const coverOf = createCovers(own)
  const etcOf = createEtcCopy(options.cacheFile === undefined ? own : dirname(options.cacheFile))
  const path = options.path ?? process.env['PATH'] ?? ''
  let readable: string[] | undefined
  let gitConfig: string | null | undefined
  const planOf = (network: boolean, bare: boolean): SandboxPlan => {
    readable ??= readablePaths({ home, readable: further, path, program: process.execPath })
    if (!bare) gitConfig ??= writeGitConfig(join(own, 'gitconfig')) ?? null
    return makePlan({
      root: options.root,
      ...(options.additionalRoots ? { additionalRoots: options.additionalRoots } : {}),
      home: realPath(home),
      temp: realPath(options.temp),
      network,
      readable,
      gitConfig: gitConfig ?? undefined,
      ...(bare ? { secretPaths: [] } : { secretPaths: [...secrets(), ...furtherSecrets()], places: places() }),
    })
  }
  const inside = (given: readonly string[], { cwd, network, sized, bare = false }: InsideRun): readonly string[] => {
    const plan = planOf(network ?? options.network ?? false, bare)
    const argv = limits && !bare ? limitedArgv(given, limits) : given
    if (platform !== 'linux') return seatbeltArgv(program, plan, argv)
    const etc = etcOf(plan.readable)
    return bubblewrapArgv(program, { plan, argv, cwd: cwd ?? options.root, coverOf, etc, sized })
  }
  return Object.assign(inside, { plan: () => planOf(options.network ?? false, false) })
}

/** Folders of a sandbox that are its own, whatever the machine has there. */
const OWN_FOLDERS = ['/tmp', '/var/tmp', '/dev', '/proc']

function accessOf(path: string, plan: SandboxPlan): PathAccess {
  const isIn = (folders: readonly string[]): boolean => folders.some((folder) => within(path, folder))
  if (plan.secretFiles.includes(path)) return 'none'
  if (isIn(plan.readOnly) || plan.pinned.includes(path)) return 'read'
  if (isIn(plan.writable) || isIn(OWN_FOLDERS)) return 'write'
  if (isIn(plan.readable) || isIn(SYSTEM_FOLDERS)) return 'read'
  return 'none'
}

function none(status: string): Sandbox {
  return { kind: 'none', active: false, status, wrap: (argv) => argv, access: () => 'write' }
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

interface Tried {
  /** Why it does not work. */
  why?: string
  sized: boolean
}

/** One try per process, program and workspace; with a cache file, one per start of the machine. */
function tried(
  program: string,
  argvOf: (sized: boolean) => readonly string[],
  options: SandboxOptions,
): Promise<Tried> {
  const run = options.probe ?? probe
  const attempt = async (): Promise<Tried> => {
    const why = await run(argvOf(true))
    if (why === undefined) return { sized: true }
    // bubblewrap before 0.7 knows no sizes.
    const again = why.includes('--size') ? await run(argvOf(false)) : why
    return again === undefined ? { sized: false } : { why: again, sized: false }
  }
  if (options.probe) return attempt()
  const key = `${program} ${options.root}`
  let answer = probes.get(key)
  if (!answer) {
    answer = options.cacheFile === undefined ? attempt() : cachedTry(program, attempt, options)
    probes.set(key, answer)
  }
  return answer
}

async function cachedTry(program: string, attempt: () => Promise<Tried>, options: SandboxOptions): Promise<Tried> {
  const file = options.cacheFile!
  const machine = [program, statSync(program).mtimeMs, release(), bootId(), process.getuid?.(), options.root]
  const keyOf = (sized: boolean): string => [...machine, FORM, sized].join(' ')
  try {
    // Only a success is believed: a failure may have been repaired since.
    const kept = readFileSync(file, 'utf8')
    for (const sized of [true, false]) if (kept === keyOf(sized)) return { sized }
  } catch {
    // There is none yet.
  }
  const answer = await attempt()
  try {
    if (answer.why === undefined) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, keyOf(answer.sized), { mode: 0o600 })
    }
  } catch {
    // A cache that cannot be written costs a try the next time.
  }
  return answer
}

/** Raised when the mounts change, so that what an older codehound tried is not believed. */
const FORM = 3

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
