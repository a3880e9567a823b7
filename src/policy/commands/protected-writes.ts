// Which protected paths a command is known to write, move or remove. What it merely reads is of no interest here.
import { basename, join } from 'node:path'
import { protectedUnder } from '../../workspace/protected/names.ts'
import { expandGlob } from './expand-glob.ts'
import { absolutePath, isProtectedPath, type FileContext } from './files.ts'
import { textsAt } from './operands.ts'
import { readOnlyGit, splitGit } from './read-only-git.ts'
import type { Word } from './segment.ts'

/** Programs that change each file they are given. A link leads others to its target, so that both are taken for written. */
const CHANGES_ALL = new Set(
  'touch mkdir rmdir rm unlink shred truncate mv ln tee patch split csplit mkfifo mknod chmod chown chgrp setfacl setfattr ed ex'.split(
    ' ',
  ),
)
/** Programs that read all but the last of their operands, and write that, or into it. */
const WRITES_LAST = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp'])
/** Options whose value is a file that is written. */
const OUTPUT: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z]*o|--output|--output-dir)$/,
  wget: /^(?:-[a-zA-Z]*O|--output-document|-P|--directory-prefix)$/,
  sort: /^(?:-[a-zA-Z]*o|--output)$/,
  cp: /^(?:-[a-zA-Z]*t|--target-directory)$/,
  mv: /^(?:-[a-zA-Z]*t|--target-directory)$/,
  ln: /^(?:-[a-zA-Z]*t|--target-directory)$/,
  install: /^(?:-[a-zA-Z]*t|--target-directory)$/,
  tar: /^(?:-C|--directory)$/,
  unzip: /^-d$/,
}
/** Subcommands of git that write the files they are given. */
const GIT_WRITES = new Set(['mv', 'rm', 'restore', 'checkout'])

/** The first protected path that a call of this program is known to write; undefined for none. */
export function writtenProtected(name: string, args: readonly Word[], files: FileContext): string | undefined {
  if (name === 'git') return writtenByGit(args, files)
  return writtenPaths(name, args, files).find((path) => isHeld(path, name, files))
}

/** A folder that usually holds protected files counts where it is moved, copied or removed as a whole. */
function isHeld(path: string, name: string, files: FileContext): boolean {
  if (isProtectedPath(path, files)) return true
  return !['mkdir', 'chmod', 'chown', 'chgrp'].includes(name) && protectedUnder(basename(path)).length > 0
}

function writtenPaths(name: string, args: readonly Word[], files: FileContext): string[] {
  const values = args.flatMap((word) => valuesOf(word, files))
  const option = Object.hasOwn(OUTPUT, name) ? OUTPUT[name]! : undefined
  const given = option ? outputsOf(values, option) : []
  if (name === 'dd') return values.flatMap((value) => /^of=(.+)$/.exec(value)?.slice(1) ?? [])
  if (name === 'sed' || name === 'perl') return editedInPlace(name, args, files)
  const operands = values.filter((value) => !value.startsWith('-') && !given.includes(value))
  const into = [...given, ...(WRITES_LAST.has(name) && given.length === 0 ? operands.slice(-1) : [])]
  const sources = WRITES_LAST.has(name) ? operands.filter((value) => !into.includes(value)) : []
  return [
    ...(CHANGES_ALL.has(name) ? operands : []),
    ...into,
    ...into
      .filter((path) => given.length > 0 || sources.length > 1 || isFolder(path, files))
      .flatMap((folder) => sources.map((source) => join(folder, basename(source)))),
  ]
}

function isFolder(path: string, { folder, facts }: FileContext): boolean {
  if (/(?:^|\/)\.{0,2}$/.test(path)) return true
  return folder !== undefined && facts.listFolder(facts.realPath(absolutePath(path, folder))).length > 0
}

function outputsOf(values: readonly string[], option: RegExp): string[] {
  return values.flatMap((value, at) => {
    const [key = '', ...rest] = value.split('=')
    if (value.startsWith('--') && rest.length > 0) return option.test(key) ? [rest.join('=')] : []
    return option.test(value) && values[at + 1] !== undefined ? [values[at + 1]!] : []
  })
}

/** `sed -i`, `perl -pi`: every operand but the script. */
function editedInPlace(name: string, args: readonly Word[], files: FileContext): string[] {
  if (!args.some(({ value = '' }) => /^(?:-[a-zA-Z0-9]*i|--in-place)/.test(value))) return []
  const texts = name === 'sed' ? textsAt(name, args) : new Set<number>()
  return args.flatMap((word, at) => {
    const isText = texts.has(at) || /^-[a-zA-Z0-9]*[eE]$/.test(args[at - 1]?.value ?? '')
    return isText || word.value?.startsWith('-') === true ? [] : valuesOf(word, files)
  })
}

function writtenByGit(args: readonly Word[], files: FileContext): string | undefined {
  if (readOnlyGit(args)) return undefined
  const { subcommand, args: rest } = splitGit(args)
  const values = rest.flatMap((word) => valuesOf(word, files))
  if (subcommand !== undefined && GIT_WRITES.has(subcommand))
    return values.find((value) => !value.startsWith('-') && isHeld(value, 'git', files))
  if (subcommand !== 'config') return undefined
  if (values.some((value) => /^--(?:global|system)$/.test(value))) return undefined
  const [file] = outputsOf(values, /^(?:-f|--file)$/)
  if (file === undefined) return '.git/config'
  return isHeld(file, 'git', files) ? file : undefined
}

function valuesOf({ value, glob }: Word, { folder, facts }: FileContext): readonly string[] {
  if (value === undefined) return []
  if (!glob || folder === undefined) return [value]
  return expandGlob(value, folder, facts) ?? [value]
}
