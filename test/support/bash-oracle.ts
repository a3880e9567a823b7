// Runs commands in bash and tells what it ran and wrote: the other side of the comparison with the policy's reader.
// Promises: none of the commands starts a program or reaches a file outside its folder where bwrap is there; where it is
// not, texts that hold a slash are not run. Each runs in a shell of its own that is forked from one that goes on.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GENERATED_VARIABLES } from './shell-generator.ts'

export interface Call {
  folder: string
  /** Variables that have another value than at the start. */
  changed: readonly string[]
  words: readonly string[]
}

export interface Ran {
  calls: readonly Call[]
  /** Names of files that were made, relative to its folder. */
  files: readonly string[]
  /** Its folder, as bash names it. */
  folder: string
}

/** Variables at the start; the others of `GENERATED_VARIABLES` are not set. */
export const START = { PATH: '/nowhere', HOME: '/home/u', V: 'v w', N: 'c1', PS4: '+ ' } as const

/** Milliseconds without an answer after which a command is given up. */
const PATIENCE_MS = 5_000

/** A word as the record has it: the signs that part its fields stand as `?`. */
export function asRecorded(word: string): string {
  // oxlint-disable-next-line no-control-regex
  return word.replaceAll(/[\u001c-\u001f]/g, '?')
}

const WATCHED = GENERATED_VARIABLES.map((name) => `$\{${name}-}`).join('\u001f')
const RUNNER = String.raw`
__r() {
  local __s="$__i"$'\x1d'"$PWD"$'\x1d'"${WATCHED}"$'\x1d' __a
  for __a in "$@"; do __s+="${'$'}{__a//[$'\x1c\x1d\x1e\x1f']/?}"$'\x1d'; done
  builtin printf '%s\x1e' "${'$'}{__s//$'\n'/$'\x1c'}" >> "$__log"
}
command_not_found_handle() { __r "$@"; [[ $1 == c[124] || $1 == ls || $1 == git ]]; }
for __f in c1 c2 c3 c4 w0 ls rm git touch; do eval "$__f() { __r $__f \"\$@\"; [[ $__f != w0 && $__f != c3 ]]; }"; done
unset __f
cat() { __r cat "$@"; local __l; (( $# )) || while IFS= read -r __l; do builtin printf '%s\n' "$__l"; done; }
readonly __log="$1/log"
__base=$1
exec 7< "$1/in"
while IFS= read -r -d '' -u 7 __i && IFS= read -r -d '' -u 7 __t; do
  (
    readonly __i
    ulimit -t 1
    ulimit -f 20480
    cd "$__base/d/$__i"
    exec </dev/null 7<&- 8>&1 >/dev/null 2>&1 8>&-
    unset OLDPWD
    eval "$__t"
    [[ $__t != *[\&\(]* || $__t == *coproc* ]] || wait
  ) 2>/dev/null
  builtin printf '%s\n' "$__i"
done
`

export const hasBash = existsSync('/bin/bash')
const BWRAP = '/usr/bin/bwrap'
export const hasBwrap = spawnSync(BWRAP, ['--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0

/** Whether it may be run here. */
export const mayRun = (command: string): boolean =>
  endsSoon(command) && (hasBwrap || !command.replaceAll('/dev/null', '').includes('/'))

/** A loop whose test is not one of those that end would go on for ever. */
function endsSoon(command: string): boolean {
  const text = command.replaceAll('\\\n', '')
  const loops = text.match(/while|until|for *\(\(/g)?.length ?? 0
  const known = text.match(
    /while w0(?=[;\n ])|until c1;(?= do)|while \[ \$n -lt 2 \]; do c1 \$n; n=\$\(\(n \+ 1\)\)|for \(\((?:x|i) = 0; (?:x|i) < 2; (?:x|i)\+\+\)\)/g,
  )
  return loops === (known?.length ?? 0)
}

export class BashOracle {
  readonly #base = mkdtempSync(join(tmpdir(), 'codehound-oracle-'))
  readonly #inside = hasBwrap ? '/work' : this.#base

  close(): void {
    rmSync(this.#base, { recursive: true, force: true })
  }

  /** Runs commands in order; undefined for one that did not end. */
  async run(commands: readonly string[]): Promise<(Ran | undefined)[]> {
    rmSync(join(this.#base, 'd'), { recursive: true, force: true })
    mkdirSync(join(this.#base, 'd'))
    for (const [at, command] of commands.entries()) {
      mkdirSync(
        join(this.#base, 'd', String(at), ...(/cd|pushd/.test(command.replaceAll('\\\n', '')) ? ['d1', 'd2'] : [])),
        { recursive: true },
      )
    }
    writeFileSync(join(this.#base, 'runner'), RUNNER)
    writeFileSync(join(this.#base, 'log'), '')
    const lost = new Set<number>()
    for (let from = 0; from < commands.length;) {
      const rest = commands.slice(from).map((command, at) => `${from + at}\0${command}\0`)
      writeFileSync(join(this.#base, 'in'), rest.join(''))
      const last = await this.#runFrom()
      from = last === undefined ? from : last + 1
      if (from < commands.length) lost.add(from++)
    }
    return this.#read(commands.length, lost)
  }

  /** Gives the number of the last command that ended. */
  async #runFrom(): Promise<number | undefined> {
    const bash = ['/bin/bash', '--norc', '--noprofile', '-p', `${this.#inside}/runner`, this.#inside]
    const [program = '', ...args] = hasBwrap ? [...confined(this.#base), ...bash] : bash
    const child = spawn(program, args, {
      env: START,
      cwd: this.#base,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    let text = ''
    let timer: NodeJS.Timeout | undefined
    const wait = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), PATIENCE_MS)
    }
    wait()
    child.stdout.on('data', (chunk: Buffer) => {
      text = text.slice(-40) + chunk.toString('latin1')
      wait()
    })
    await new Promise((resolve) => child.on('close', resolve))
    clearTimeout(timer)
    const last = /(\d+)\n[^\n]*$/.exec(text)?.[1]
    return last === undefined ? undefined : Number(last)
  }

  #read(count: number, lost: ReadonlySet<number>): (Ran | undefined)[] {
    const calls = new Map<number, Call[]>()
    for (const line of readFileSync(join(this.#base, 'log'), 'utf8').split('\u001e').slice(0, -1)) {
      // bash writes a text of several lines in several pieces, so they are one there.
      const [at, folder = '', values = '', ...words] = line.replaceAll('\u001c', '\n').split('\u001d').slice(0, -1)
      const now = values.split('\u001f')
      const changed = GENERATED_VARIABLES.filter(
        (name, i) => now[i] !== ((START as Record<string, string>)[name] ?? ''),
      )
      const held = calls.get(Number(at)) ?? []
      calls.set(Number(at), held)
      held.push({ folder, changed, words })
    }
    return Array.from({ length: count }, (_, at) => {
      if (lost.has(at)) return undefined
      const folder = join(this.#base, 'd', String(at))
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      return { calls: calls.get(at) ?? [], files, folder: `${this.#inside}/d/${at}` }
    })
  }
}

/** The argv of a sandbox in which nothing is but bash and the folder. */
function confined(base: string): string[] {
  const libraries = execFileSync('ldd', ['/bin/bash'], { encoding: 'utf8' }).match(/\/\S+/g) ?? []
  const binds = ['/bin/bash', ...libraries].flatMap((file) => ['--ro-bind', file, file])
  return [
    BWRAP,
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    ...binds,
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/tmp',
    '--bind',
    base,
    '/work',
    '--',
  ]
}
