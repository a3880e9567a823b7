import { PROTECTED_NAMES } from '../protected/names.ts'
import type { SandboxPlan } from './plan.ts'

/** Names of secret files at any place: a rule by path alone is escaped by renaming a folder above the file. */
const SECRET_NAMES = [
  String.raw`/[.]env([.][^/]*)?$`,
  String.raw`/id_(rsa|dsa|ecdsa|ed25519)$`,
  String.raw`/[^/]*[.](pem|key|p12|pfx|jks|keystore|kdbx|ppk)$`,
  String.raw`/[.](netrc|npmrc|pypirc|pgpass|git-credentials)$`,
]

/** What is protected by name at any place, so that what is not there yet cannot come to be either. */
const PROTECTED = [
  ...Object.keys(PROTECTED_NAMES)
    .filter((name) => name !== '.git')
    .map((name) => `/${name.replaceAll('.', '[.]')}(/|$)`),
  String.raw`/[.]git/(.*/)?(config|config[.]worktree|commondir|hooks|info/attributes)(/|$)`,
  String.raw`/[.]git/(modules|worktrees)$`,
]

/** Where the system and its programs lie. */
const SYSTEM_FOLDERS = [
  '/usr',
  '/bin',
  '/sbin',
  '/System',
  '/Library/Apple',
  '/Library/Developer',
  '/Library/Frameworks',
  '/Library/Java',
  '/Library/Perl',
  '/Library/Ruby',
  '/Applications/Xcode.app',
  '/opt/homebrew',
  '/opt/local',
  '/nix/store',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/var/select',
  '/private/etc/ssl',
  '/private/etc/zshenv',
]
const SYSTEM_FILES = [
  '/',
  '/private/etc/hosts',
  '/private/etc/localtime',
  '/private/etc/passwd',
  '/private/etc/group',
  '/private/etc/protocols',
  '/private/etc/services',
  '/private/etc/shells',
  '/private/etc/gitconfig',
]

/** Services without which ordinary programs do not start; none of them starts another program. */
const SERVICES = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.system.logger',
  'com.apple.system.notification_center',
  'com.apple.logd',
  'com.apple.cfprefsd.agent',
  'com.apple.cfprefsd.daemon',
]
const NETWORK_SERVICES = [
  'com.apple.dnssd.service',
  'com.apple.trustd',
  'com.apple.trustd.agent',
  'com.apple.SystemConfiguration.configd',
]

const RANDOM = ['/dev/random', '/dev/urandom']
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr', '/dev/dtracehelper']

/**
 * Builds the argv of sandbox-exec(1) that runs `argv` within the plan. Paths are parameters of the profile, so none can
 * be read as a part of it; the last rule that matches wins.
 */
export function seatbeltArgv(program: string, plan: SandboxPlan, argv: readonly string[]): string[] {
  const { profile, parameters } = seatbeltProfile(plan)
  return [program, '-p', profile, ...parameters.map(([name, value]) => `-D${name}=${value}`), '--', ...argv]
}

export function seatbeltProfile(plan: SandboxPlan): { profile: string; parameters: [string, string][] } {
  const parameters: [string, string][] = []
  const list = (prefix: string, filter: 'subpath' | 'literal', paths: readonly string[]): string[] =>
    paths.map((path, at) => {
      parameters.push([`${prefix}_${at}`, path])
      return `  (${filter} (param "${prefix}_${at}"))`
    })
  const rule = (head: string, filters: readonly string[]): string[] =>
    filters.length === 0 ? [] : [`(${head}`, ...filters, ')']
  const services = plan.network ? [...SERVICES, ...NETWORK_SERVICES] : SERVICES
  const lines = [
    '(version 1)',
    '(deny default)',
    '(allow process-exec*)',
    '(allow process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow pseudo-tty)',
    '(allow ipc-posix-sem)',
    '(allow ipc-posix-shm*)',
    ...rule(
      'allow mach-lookup',
      services.map((name) => `  (global-name "${name}")`),
    ),
    // Names and times of what is not to be read may be seen: without them no path can be followed.
    '(allow file-read-metadata)',
    ...rule('allow file-read*', [
      ...SYSTEM_FOLDERS.map((path) => `  (subpath "${path}")`),
      ...[...SYSTEM_FILES, ...DEVICES, ...RANDOM].map((path) => `  (literal "${path}")`),
      ...(plan.network ? ['  (literal "/private/etc/resolv.conf")', '  (literal "/private/var/run/resolv.conf")'] : []),
      ...list('READ', 'subpath', [...plan.readable, ...plan.writable, plan.temp]),
    ]),
    ...rule(
      'allow file-write-data file-ioctl',
      DEVICES.map((path) => `  (literal "${path}")`),
    ),
    ...rule('allow file-write*', list('WRITE', 'subpath', [...plan.writable, plan.temp])),
    ...rule('deny file-write*', [
      ...list('KEEP', 'subpath', plan.readOnly),
      ...PROTECTED.map((name) => `  (regex #"${name}")`),
    ]),
    ...rule('deny file-write-unlink', list('PIN', 'literal', [...plan.pinned, ...plan.writable])),
    ...rule('deny file-read-data file-write*', [
      ...list('SECRET', 'literal', plan.secretFiles),
      ...SECRET_NAMES.map((name) => `  (regex #"${name}")`),
    ]),
    // Certificates are public, whatever their names end in.
    '(allow file-read* (subpath "/private/etc/ssl"))',
    ...(plan.network ? ['(allow network*)', '(allow system-socket)'] : []),
  ]
  return { profile: `${lines.join('\n')}\n`, parameters }
}
