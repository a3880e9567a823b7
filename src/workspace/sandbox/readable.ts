// What a command may read outside of the workspace: the system, and the toolchains of the user. Everything else is not there.
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { within } from './plan.ts'

/** Folders of the system. Those that are links stay links. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store']

/** Of /etc, what programs need to run and what says nothing about this machine's services and their keys. */
export const ETC: readonly string[] = [
  ...'passwd group nsswitch.conf hosts host.conf services protocols networks localtime timezone mime.types'.split(' '),
  ...'ld.so.cache ld.so.conf ld.so.conf.d alternatives os-release lsb-release debian_version redhat-release'.split(' '),
  ...'ssl/certs ssl/openssl.cnf ssl/cert.pem pki/tls/certs pki/tls/openssl.cnf pki/ca-trust ca-certificates'.split(' '),
  ...'ca-certificates.conf crypto-policies gitconfig gitattributes inputrc terminfo locale.conf locale.alias'.split(
    ' ',
  ),
  ...'fonts magic java-8-openjdk java-11-openjdk java-17-openjdk java-21-openjdk java maven perl python3'.split(' '),
  ...'static shells manpath.config paths profiles.d vconsole.conf zoneinfo'.split(' '),
].map((name) => `/etc/${name}`)

/** Where systems keep further pieces of what /usr and /etc link to. */
const ELSEWHERE = ['/var/lib/ca-certificates', '/run/current-system/sw', '/nix/var/nix/profiles', '/snap/bin']

/** Toolchains and their caches in the home folder; of a folder with keys in it, only the parts without. */
const IN_HOME = [
  ...'.nvm .volta .fnm .asdf .bun .rustup .pyenv .rbenv .rvm .jenv .ghcup .opam .dotnet .nix-profile'.split(' '),
  ...'.cargo/bin .cargo/env .cargo/git .cargo/registry go/bin go/pkg .deno/bin .sdkman/candidates'.split(' '),
  ...'.m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .nuget/packages .cabal/packages .stack/programs'.split(
    ' ',
  ),
  ...'.local/bin .local/lib .local/pipx .local/state/nix/profiles .virtualenvs .yarn/berry .pnpm-store'.split(' '),
  ...'.local/share/fnm .local/share/mise .local/share/pnpm .local/share/uv .local/share/pipx .local/share/gem .local/share/corepack .local/share/virtualenvs'.split(
    ' ',
  ),
  ...'.cache/deno .cache/go-build .cache/ms-playwright .cache/node .cache/pip .cache/pnpm .cache/pre-commit .cache/puppeteer .cache/Cypress .cache/electron .cache/typescript .cache/uv .cache/yarn .cache/pypoetry/virtualenvs'.split(
    ' ',
  ),
  ...'.config/git/ignore .config/git/attributes .gitignore .gitignore_global .tool-versions'.split(' '),
  // The same on macOS.
  ...'Library/Caches/deno Library/Caches/go-build Library/Caches/ms-playwright Library/Caches/pip Library/Caches/Yarn Library/pnpm'.split(
    ' ',
  ),
]

/** Programs of other makers lie one folder each below these. */
const PREFIXES = ['/opt', '/usr/local', '/home/linuxbrew']

export interface ReadableOptions {
  home: string
  /** `sandbox.readable`: further files and folders; `~/` is the home folder. */
  readable: readonly string[]
  /** The PATH of commands. */
  path: string
  /** The running node. */
  program: string
}

/** Existing paths that commands may read, outermost only, by the names they are reached by. */
export function readablePaths({ home, readable, path, program }: ReadableOptions): string[] {
  const further = readable.map((each) => resolve(each.startsWith('~/') ? join(home, each.slice(2)) : each))
  const toolFolders = [...path.split(':').filter((each) => each.startsWith('/')), dirname(program)]
  const tools = [...toolFolders, ...toolFolders.flatMap(prefixOf)]
  const wanted = [
    ...[...ETC, ...ELSEWHERE, ...IN_HOME.map((each) => join(home, each)), ...tools]
      .map((each) => resolve(each))
      .filter((each) => !isTooWide(each, home)),
    ...further.filter((each) => each !== '/'),
  ].filter((each) => exists(each) && !SYSTEM_FOLDERS.some((system) => within(each, system)))
  const sorted = [...new Set(wanted)].sort((a, b) => a.length - b.length)
  return sorted.filter((each, at) => !sorted.slice(0, at).some((other) => within(each, other)))
}

/** The installation a folder of programs belongs to: `/opt/x` of `/opt/x/bin`, `…/node` of `…/node/bin`. */
function prefixOf(folder: string): string[] {
  const prefix = PREFIXES.find((each) => folder.startsWith(`${each}/`))
  if (prefix !== undefined) return [join(prefix, folder.slice(prefix.length + 1).split('/')[0]!)]
  const above = dirname(folder)
  return folder.endsWith('/bin') && exists(join(above, 'lib')) ? [above] : []
}

/** A folder that holds the home folder, or all of it, or other people's. */
function isTooWide(path: string, home: string): boolean {
  const real = realOf(path)
  return (
    within(realOf(home), real) ||
    ['/', '/home', '/root', '/etc', '/var', '/run', '/tmp', '/opt', '/Users'].includes(real)
  )
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(realpathSync.native(path)) !== undefined
  } catch {
    return false
  }
}
