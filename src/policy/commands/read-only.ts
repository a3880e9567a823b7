import { refuses } from './option.ts'
import { operandCount } from './operands.ts'
import { readOnlyAwk } from './read-only-awk.ts'
import { readOnlyGit } from './read-only-git.ts'
import { readOnlySed } from './read-only-sed.ts'
import type { Word } from './segment.ts'

/** How a program of the read-only table is judged by its arguments. */
export interface ReadOnlyEntry {
  /**
   * `contents`: prints what is in the files it is given; `names`: prints only facts about them; `none`: takes no files.
   * Contents of secret files, and of files whose name only the shell will know, are not for reading unasked.
   */
  files: 'contents' | 'names' | 'none'
  /** Options that make it write or run something: `-o` (in any bundle) or `--output` (in any shortening). */
  refuse?: readonly string[]
  /** Words before the first file, such as the pattern of grep. */
  skip?: number
  /** A last word on the arguments; gets them all. */
  check?: (args: readonly Word[]) => boolean
}

const contents = (refuse?: readonly string[]): ReadOnlyEntry => ({ files: 'contents', ...(refuse ? { refuse } : {}) })
const names = (refuse?: readonly string[]): ReadOnlyEntry => ({ files: 'names', ...(refuse ? { refuse } : {}) })
const none = (refuse?: readonly string[]): ReadOnlyEntry => ({ files: 'none', ...(refuse ? { refuse } : {}) })

const positionals = (args: readonly Word[]): Word[] =>
  args.filter((word) => !(word.value ?? word.prefix).startsWith('-'))
const atMost = (count: number, takes?: RegExp) => (args: readonly Word[]) => operandCount(args, takes) <= count
/** Behind the first name xxd takes no options: the next word is its output, also one with a dash. */
const xxdReads = (args: readonly Word[]): boolean => {
  const takes = /^-[bCeEipuv]*[clsgon]$/
  const at = args.findIndex(
    (word, index) => !(word.value ?? word.prefix).startsWith('-') && !takes.test(args[index - 1]?.value ?? ''),
  )
  return operandCount(args, takes) <= 1 && (at < 0 || at === args.length - 1)
}
const known = (args: readonly Word[]): boolean => args.every((word) => word.value !== undefined)

/** GNU find's actions that ask or write (find(1), ACTIONS); the command of `-exec` is judged by itself; `-files0-from` reads names from a file. */
const FIND_ACTIONS = /^-(?:ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/

/** Environment prints keys; jq can reach it. */
const noEnvironment = (args: readonly Word[]): boolean =>
  known(args) &&
  !args.some((word) => /\benv\b|\binput_filename\b|\bimport\b|\binclude\b|\bget_search_list\b/i.test(word.value!))

/** Every option is one of these; operands may be anything that is known. */
function options(allowed: RegExp): (args: readonly Word[]) => boolean {
  return (args) =>
    args.every(
      ({ value, glob }) =>
        value !== undefined && !glob && (!value.startsWith('-') || value === '-' || allowed.test(value)),
    )
}

/** Questions to npm about what is installed, and to its registry. Not pnpm and yarn, which load code of the workspace for them. */
function looksUp(args: readonly Word[]): boolean {
  return (
    /^(?:ls|list|la|ll|why|explain|view|info|show|outdated|root|prefix|query|search|audit|ping)$/.test(
      args[0]?.value ?? '',
    ) &&
    !args.some((word) => word.value === 'fix') &&
    options(
      /^(?:-[agpl]|--(?:all|json|long|parseable|depth(?:=\d+)?|omit=\w+|include=\w+|prod|production|dev|global|audit-level=\w+|package-lock-only|link))$/,
    )(args)
  )
}

/** What is printed comes back to the model, and so would a key in a variable of the environment. */
const printable = (args: readonly Word[]): boolean =>
  args.every((word) => word.value !== undefined || word.harmless !== undefined)

const namesOnly = (args: readonly Word[]): boolean => args.every((word) => /^\w+$/.test(word.value ?? ''))

/** A list of files is printed back where it names none. */
const listsNoFile = (args: readonly Word[]): boolean =>
  !args.some((word) => /^(?:--f|-X|--exclude-f)/.test(word.value ?? ''))

/** A name the test builtin would evaluate: `-v a[$(cmd)]`. */
const noHiddenCode = (args: readonly Word[]): boolean =>
  !args.some((word) => /[`[]|\$\(/.test((word.value ?? '').slice(1)))

/**
 * Programs that only look, whatever their arguments but those refused (POSIX, GNU coreutils 9, BSD, ripgrep 14, jq 1.7).
 * `env` and `printenv` are free only where the environment of commands holds no secret.
 */
export const READ_ONLY: Readonly<Record<string, ReadOnlyEntry>> = {
  ls: names(),
  dir: names(),
  tree: { files: 'names', refuse: ['-o', '--output'], check: listsNoFile },
  pwd: none(),
  cd: names(),
  stat: names(),
  file: names(['-C', '--compile', '-m', '--magic-file', '-f', '--files-from']),
  du: { files: 'names', check: listsNoFile },
  df: names(),
  wc: { files: 'names', check: listsNoFile },
  basename: none(),
  dirname: none(),
  realpath: names(),
  readlink: names(),
  which: none(),
  whereis: none(),
  type: none(),
  command: { files: 'none', check: (args) => /^-[vV]$/.test(args[0]?.value ?? '') },
  cat: contents(),
  tac: contents(),
  nl: contents(),
  rev: contents(),
  head: contents(),
  tail: contents(),
  cut: contents(),
  tr: none(),
  fold: contents(),
  fmt: contents(),
  paste: contents(),
  comm: contents(),
  join: contents(),
  expand: contents(),
  unexpand: contents(),
  column: contents(),
  cmp: contents(),
  diff: contents(['--output', '-l', '--paginate']),
  od: contents(),
  hexdump: contents(['-f', '--format-file']),
  hd: contents(['-f', '--format-file']),
  strings: contents(),
  base64: contents(['-o', '--output']),
  sort: contents(['-o', '--output', '-T', '--temporary-directory', '--compress-program', '--files0-from']),
  // A second name is the output file.
  uniq: { files: 'contents', check: atMost(1, /^-[cdDiuz]*[fsw]$/) },
  xxd: { files: 'contents', refuse: ['-r', '-revert'], check: xxdReads },
  md5sum: names(['-c', '--check']),
  sha1sum: names(['-c', '--check']),
  sha256sum: names(['-c', '--check']),
  sha512sum: names(['-c', '--check']),
  shasum: names(['-c', '--check']),
  b2sum: names(['-c', '--check']),
  cksum: names(['-c', '--check']),
  grep: { files: 'contents', skip: 1 },
  egrep: { files: 'contents', skip: 1 },
  fgrep: { files: 'contents', skip: 1 },
  rg: { files: 'contents', skip: 1, refuse: ['--pre', '--hostname-bin', '-z', '--search-zip'] },
  jq: { files: 'contents', skip: 1, refuse: ['-L', '--library-path', '-f', '--from-file'], check: noEnvironment },
  find: { files: 'names', check: (args) => known(args) && !args.some((word) => FIND_ACTIONS.test(word.value!)) },
  fd: names(['-x', '--exec', '-X', '--exec-batch']),
  sed: { files: 'contents', skip: 1, check: readOnlySed },
  git: { files: 'contents', check: readOnlyGit },
  echo: { files: 'none', check: printable },
  printf: {
    files: 'none',
    check: (args) => printable(args) && (args[0]?.value ?? '-v') !== '-v' && noHiddenCode(args.slice(0, 1)),
  },
  true: none(),
  false: none(),
  ':': none(),
  test: { files: 'names', check: noHiddenCode },
  '[': { files: 'names', check: noHiddenCode },
  '[[': { files: 'names', check: noHiddenCode },
  awk: { files: 'contents', skip: 1, check: readOnlyAwk },
  gawk: { files: 'contents', skip: 1, check: readOnlyAwk },
  mawk: { files: 'contents', skip: 1, check: readOnlyAwk },
  less: { files: 'contents', check: options(/^-[SRNFXiIMmnEegr]+$/) },
  more: { files: 'contents', check: options(/^-\d+$/) },
  man: {
    files: 'none',
    check: (args) => args.every((word) => /^(?:-[kf]|[A-Za-z0-9][\w.+:-]*)$/.test(word.value ?? '')),
  },
  // `e` without a dash shows the environment of processes.
  ps: {
    files: 'none',
    check: (args) =>
      args.every((word) => /^(?:[aufjlvwhTgHrx]+|\d+|-[^E]*|[\w,%=:+-]*[,=%:][\w,%=:+-]*)$/.test(word.value ?? '')),
  },
  pgrep: none(['-F', '--pidfile']),
  pidof: none(),
  free: none(),
  vmstat: none(),
  lscpu: none(),
  lsblk: none(),
  ss: none(['-K', '--kill', '-D', '--diag', '-F', '--filter', '-N', '--net']),
  netstat: none(),
  jobs: none(),
  locale: none(),
  getconf: none(),
  umask: { files: 'none', check: (args) => args.length === 0 },
  cal: none(),
  factor: none(),
  numfmt: none(),
  expr: none(),
  shuf: contents(['-o', '--output', '--random-source']),
  pr: contents(),
  tsort: contents(),
  sum: names(),
  zcat: { files: 'contents', check: options(/^-f$/) },
  zgrep: { files: 'contents', check: options(/^-[inclvwhHEF]+$/) },
  tar: {
    files: 'names',
    check: (args) =>
      /^-?(?:t[vzjJ]*|[vzjJ]*t[vzjJ]*)f$/.test(args[0]?.value ?? '') &&
      args.length === 2 &&
      !args[1]?.value?.startsWith('-'),
  },
  unzip: { files: 'names', check: (args) => /^-[lZv]$/.test(args[0]?.value ?? '') && args.length === 2 },
  pip: {
    files: 'none',
    check: (args) =>
      /^(?:list|show|freeze)$/.test(args[0]?.value ?? '') &&
      options(/^(?:--format=\w+|-f|--files|--user|--local|-v)$/)(args),
  },
  docker: {
    files: 'none',
    check: (args) =>
      /^(?:ps|images|version|(?:(?:container|image|volume|network|compose) (?:ls|ps)))(?: |$)/.test(
        args.map((word) => word.value ?? '?').join(' '),
      ) && options(/^(?:-[aqnls]+|--all|--quiet|--no-trunc|--latest|--size|--filter(?:=.*)?|--format(?:=.*)?)$/)(args),
  },
  npm: { files: 'none', check: looksUp },
  env: { files: 'none', check: (args) => args.length === 0 },
  printenv: { files: 'none', check: namesOnly },
  seq: none(),
  sleep: none(),
  nproc: none(),
  uname: none(),
  arch: none(),
  whoami: none(),
  id: none(),
  groups: none(),
  uptime: none(),
  tty: none(),
  hostname: { files: 'none', refuse: ['-F', '-b', '--file', '--boot'], check: atMost(0) },
  date: {
    files: 'none',
    refuse: ['-s', '--set', '-f', '--file'],
    check: (args) => known(args) && positionals(args).every((word) => word.value!.startsWith('+')),
  },
  exit: none(),
  return: none(),
  wait: none(),
  break: none(),
  continue: none(),
  shift: none(),
  set: {
    files: 'none',
    check: (args) =>
      args.length > 0 &&
      args.every((word) => /^(?:[-+][eufxC]*o?|pipefail|errexit|nounset|xtrace|noglob)$/.test(word.value ?? '?')),
  },
  export: { files: 'none', check: namesOnly },
  local: { files: 'none', check: namesOnly },
  read: { files: 'none', check: (args) => known(args) && args.every((word) => /^(?:-r|-s|\w+)$/.test(word.value!)) },
}

/** Programs whose version may be asked for in any mode. */
const VERSIONED = new Set(
  'node npm pnpm yarn npx tsc bash zsh uv poetry gh gawk sed grep rg jq curl git python python3 pip pip3 cargo rustc go java javac gcc g++ clang make cmake ruby php deno bun docker vitest jest eslint prettier tsx'.split(
    ' ',
  ),
)

/**
 * Tells whether a program with these arguments only looks; what files it opens is judged apart (`findUnreadable`).
 * `assigns`: variables are set in the same command, as by `export A=b`.
 */
export function readOnlyEntry(name: string, args: readonly Word[], assigns: boolean): ReadOnlyEntry | undefined {
  const [only] = args
  // Without a name they print every variable.
  if ((name === 'export' || name === 'local') && only === undefined && !assigns) return undefined
  if (args.length === 1 && VERSIONED.has(name) && /^(?:--version|-v|-V)$/.test(only?.value ?? '')) return none()
  if (args.length === 1 && name === 'go' && only?.value === 'version') return none()
  const entry = Object.hasOwn(READ_ONLY, name) ? READ_ONLY[name] : undefined
  if (!entry) return undefined
  if (entry.refuse && args.some((word) => refuses(entry.refuse!, word))) return undefined
  if (entry.check && !entry.check(args)) return undefined
  return entry
}
