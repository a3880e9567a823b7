import { relative, resolve } from 'node:path'
import { isProtected } from '../../workspace/protected/names.ts'
import { expandGlob } from './expand-glob.ts'
import type { CommandFacts } from './facts.ts'
import { textsAt } from './operands.ts'
import type { ReadOnlyEntry } from './read-only.ts'
import type { Word } from './segment.ts'

export interface FileContext {
  facts: CommandFacts
  root: string
  additionalRoots: readonly string[]
  /** Absolute; undefined when only the shell will know. */
  folder: string | undefined
}

export type Place = 'inside' | 'temp' | 'system' | 'outside' | 'unknown'

/** Folders of programs and libraries: that something is there, or how large it is, is no secret. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/opt',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/etc/os-release',
  '/System',
  '/Library',
]

export function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** A path as the kernel gets it: `..` is not taken out, since it leads out of a link's target and not of the link's folder. */
export function absolutePath(path: string, folder: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`
}

/** Where a path given to a command leads. */
export function placeOf(path: string, context: FileContext): Place {
  if (!path.startsWith('/') && context.folder === undefined) return 'unknown'
  const real = context.facts.realPath(absolutePath(path, context.folder ?? '/'))
  if ([context.root, ...context.additionalRoots].some((root) => within(real, root))) return 'inside'
  if (context.facts.temp.some((folder) => within(real, folder))) return 'temp'
  return SYSTEM.some((folder) => within(real, folder)) ? 'system' : 'outside'
}

/** True when a path, or the file a link leads to, is secret. */
export function isSecretPath(path: string, context: FileContext): boolean {
  const absolute = absolutePath(path, context.folder ?? context.root)
  return context.facts.isSecret(resolve(absolute)) || context.facts.isSecret(context.facts.realPath(absolute))
}

/** True when a path, or the place a link leads to, is in a folder whose files programs obey. */
export function isProtectedPath(path: string, context: FileContext): boolean {
  const { facts, root, folder } = context
  // From the root: what lies above it is not the workspace's affair.
  const asked = path.startsWith('/') ? relative(root, path) : path
  return isProtected(asked) || isProtected(relative(root, facts.realPath(absolutePath(path, folder ?? root))))
}

/** `within` is the folder whose files are read one and all, when the file itself is not named. */
export type FileFinding = { kind: 'secret' | 'outside' | 'unknown'; text: string; within?: string } | undefined

/** Looks through the files a read-only command is given; the first that is not for reading unasked is the finding. */
export function findUnreadable(
  name: string,
  entry: ReadOnlyEntry,
  args: readonly Word[],
  context: FileContext,
): FileFinding {
  if (entry.files === 'none') return undefined
  const texts = entry.skip === undefined ? undefined : textsAt(name, args)
  for (const [at, word] of args.entries()) {
    const { value } = word
    // A pattern of the shell may turn into several words, and then the others are files.
    if (texts?.has(at) && !word.glob) continue
    if (value === undefined) {
      if (entry.files === 'contents' && word.harmless !== 'pipe') return { kind: 'unknown', text: word.text }
      continue
    }
    const isOption = value.startsWith('-') && value !== '-'
    for (const path of pathsIn(name, value, isOption)) {
      const found = checkPath(path, word.glob || name === 'git', entry, context)
      if (found) return found
    }
  }
  return undefined
}

/** The first word of a command that names a secret file, alone or after `=`, `:`, `@` or a short option. */
export function mentionedSecret(words: readonly Word[], context: FileContext): string | undefined {
  for (const { value } of words) {
    // The program reads it, the model does not.
    if (value === undefined || value.startsWith('--env-file')) continue
    const parts = [value, ...value.split(/[=:@,]/).slice(1), ...(/^-[^-]./.test(value) ? [value.slice(2)] : [])]
    const found = parts.find((part) => part !== '' && isSecretPath(part, context))
    if (found !== undefined) return found
  }
  return undefined
}

/** Programs that write, move or remove the files they are given. */
const WRITERS = new Set(
  'touch mkdir rmdir rm unlink shred truncate mv cp ln install tee dd rsync patch split csplit mkfifo mknod chgrp setfacl'.split(
    ' ',
  ),
)

/** The first file that a program known to write is given and that lies outside of the workspace and the temporary folders. */
export function writtenOutside(name: string, words: readonly Word[], context: FileContext): string | undefined {
  if (!WRITERS.has(name)) return undefined
  const paths = words.flatMap(({ value }) => {
    if (value === undefined || value.startsWith('-')) return []
    // dd names its files so.
    return name === 'dd' ? (/^of=(.+)$/.exec(value)?.slice(1) ?? []) : [value]
  })
  return paths.find((path) => {
    const place = placeOf(path, context)
    return (place === 'outside' || place === 'system') && !path.startsWith('/dev/')
  })
}

/** The paths a word may hold: itself, what follows `=` or a short option, what follows `rev:` for git. */
function pathsIn(name: string, value: string, isOption: boolean): string[] {
  if (isOption) {
    if (name === 'git' && value.includes(':')) return [value.slice(value.lastIndexOf(':') + 1)]
    const equals = value.indexOf('=')
    if (equals > 0) return [value.slice(equals + 1)]
    return value.startsWith('--') || value.length < 3 ? [] : [value.slice(2)]
  }
  if (name !== 'git') return [value]
  const colon = value.lastIndexOf(':')
  return colon < 0 ? [value] : [value.slice(colon + 1), value.slice(value.lastIndexOf(')') + 1)]
}

/** A file name that a pattern would bring in and that starts with a dash. */
export function globbedOption(args: readonly Word[], { folder, facts }: FileContext): string | undefined {
  if (folder === undefined) return undefined
  return args
    .filter(({ glob, value }) => glob && /^[*?[-]/.test(value ?? ''))
    .flatMap(({ value }) => expandGlob(value!, folder, facts) ?? [])
    .find((name) => name.startsWith('-') && !args.some((word) => word.value === name))
}

/** Devices that hold nothing of anybody, and what is open already. */
const DEVICE = /^(?:-|\/dev\/(?:null|zero|full|u?random|tty|stdin|stdout|stderr|fd\/\d+))$/

function checkPath(path: string, glob: boolean, entry: ReadOnlyEntry, context: FileContext): FileFinding {
  if (DEVICE.test(path)) return undefined
  if (glob && /[*?[]/.test(path)) {
    const named = context.folder === undefined ? undefined : expandGlob(path, context.folder, context.facts)
    if (named === undefined) return entry.files === 'contents' ? { kind: 'unknown', text: path } : undefined
    const found = named.map((each) => checkNamed(each, entry, context))
    return found.find((each) => each?.kind === 'secret') ?? found.find((each) => each !== undefined)
  }
  return checkNamed(path, entry, context)
}

function checkNamed(path: string, entry: ReadOnlyEntry, context: FileContext): FileFinding {
  const place = placeOf(path, context)
  if (entry.files === 'contents') {
    if (isSecretPath(path, context)) return { kind: 'secret', text: path }
    if (place === 'unknown') return { kind: 'unknown', text: path }
    if (place === 'outside' || place === 'system') return { kind: 'outside', text: path }
  }
  if (entry.files === 'names' && place === 'outside') return { kind: 'outside', text: path }
  return undefined
}
