// Readers that go through whole folders: what they could meet on the way decides, not only the names they are given.
import { matchesWord } from '../rules/pattern.ts'
import { expandGlob } from './expand-glob.ts'
import { absolutePath, placeOf, type FileContext, type FileFinding } from './files.ts'
import { patternAt } from './operands.ts'
import { splitGit } from './read-only-git.ts'
import type { Word } from './segment.ts'

interface Walk {
  /** Links met on the way are followed. */
  follow: boolean
  /** Names that start with a dot are read too. */
  hidden: boolean
  /** Contents are shown, not only names. */
  contents: boolean
  /** Set when a pattern comes before the first folder. */
  skip?: number
  /** Names that are left out, as patterns. */
  excluded?: readonly string[]
}

/** The letters of the short options of a call, up to the first in each word that takes the rest as its value. */
function letters(args: readonly Word[], takesValue: string): string {
  let all = ''
  for (const { value } of args) {
    if (value === '--') break
    if (value === undefined || !/^-[^-]/.test(value)) continue
    for (const letter of value.slice(1)) {
      all += letter
      if (takesValue.includes(letter)) break
    }
  }
  return all
}

/** True when one of the words is the long option, shortened perhaps. */
function long(args: readonly Word[], option: string): boolean {
  return args.some(({ value }) => {
    const name = value?.split('=')[0] ?? ''
    return name.length > 3 && option.startsWith(name)
  })
}

function walkOf(name: string, args: readonly Word[]): Walk | undefined {
  switch (name) {
    case 'grep':
    case 'egrep':
    case 'fgrep': {
      const short = letters(args, 'efmABCdD')
      const follow = short.includes('R') || long(args, '--dereference-recursive')
      const directories = args.some(({ value }) => /^(?:-\w*d)?recurse$|=recurse$/.test(value ?? ''))
      if (!follow && !short.includes('r') && !long(args, '--recursive') && !directories) return undefined
      const excluded = args.flatMap(({ value }) => /^--exclude=(.+)$/.exec(value ?? '')?.slice(1) ?? [])
      return { follow, hidden: true, contents: true, skip: 1, excluded }
    }
    case 'rg': {
      if (long(args, '--files') || long(args, '--type-list')) return undefined
      const short = letters(args, 'ABCEMTdefgjmrt')
      const hidden = short.includes('.') || /uu/.test(short) || long(args, '--hidden') || long(args, '--unrestricted')
      const excluded = args.flatMap(({ value }, at) =>
        /^-(?:g|-glob)$/.test(args[at - 1]?.value ?? '') ? (/^!(.+)$/.exec(value ?? '')?.slice(1) ?? []) : [],
      )
      return { follow: short.includes('L') || long(args, '--follow'), hidden, contents: true, skip: 1, excluded }
    }
    case 'diff':
      return { follow: true, hidden: true, contents: true }
    case 'git': {
      const call = splitGit(args)
      const reads = call.subcommand === 'grep' || call.subcommand === 'diff'
      const beyond = ['--no-index', '--untracked', '--no-exclude-standard'].some((option) => long(call.args, option))
      return reads && beyond ? { follow: call.subcommand === 'diff', hidden: true, contents: true } : undefined
    }
    case 'find': {
      const follow = args.some(({ value }) => /^-[HP]*L|^-follow$/.test(value ?? ''))
      return follow ? { follow, hidden: true, contents: false } : undefined
    }
    case 'ls':
    case 'dir': {
      const short = letters(args, 'ITw')
      const follow = short.includes('L') || long(args, '--dereference')
      const recursive = short.includes('R') || long(args, '--recursive')
      return follow && recursive ? { follow, hidden: true, contents: false } : undefined
    }
    case 'du':
      return letters(args, 'BdXt').includes('L') || long(args, '--dereference')
        ? { follow: true, hidden: true, contents: false }
        : undefined
    case 'tree':
      return letters(args, 'LPIHTo').includes('l') ? { follow: true, hidden: true, contents: false } : undefined
    default:
      return undefined
  }
}

/** The first file that a walk through folders would show and that is not for reading unasked. */
export function findMet(name: string, args: readonly Word[], files: FileContext): FileFinding {
  const walk = walkOf(name, args)
  const { folder, facts } = files
  if (!walk) return undefined
  if (folder === undefined) return { kind: 'unknown', text: 'the folder it goes through' }
  const pattern = walk.skip === undefined ? -1 : patternAt(name, args)
  const words = args.filter(
    (word, at) => (at !== pattern || word.glob) && (!(word.value ?? word.prefix).startsWith('-') || word.value === '-'),
  )
  const given = words.flatMap((word) =>
    word.value === undefined ? [] : word.glob ? (expandGlob(word.value, folder, facts) ?? [word.value]) : [word.value],
  )
  const folders = given.filter((path) => facts.listFolder(absolutePath(path, folder)).length > 0)
  const here = folders.length === 0 && name !== 'diff'
  for (const from of here ? ['.', ...folders] : folders) {
    const { secrets, linked, complete } = facts.reach(absolutePath(from, folder), walk.follow)
    const secret = walk.contents
      ? secrets.find((path) => isMet(path, facts.realPath(absolutePath(from, folder)), walk))
      : undefined
    if (secret !== undefined) return { kind: 'secret', text: secret.slice(secret.lastIndexOf('/') + 1), within: from }
    // Mode auto may follow a link out, but shows no secret file.
    const out = linked.find((path) => placeOf(path, files) !== 'inside')
    if (out !== undefined) return { kind: 'outside', text: `${out}, where a link below ${from} leads,` }
    if (!complete) return { kind: 'unknown', text: from }
  }
  return undefined
}

function isMet(path: string, from: string, { hidden, excluded = [] }: Walk): boolean {
  const below = path.slice(from.length)
  if (!hidden && /\/\./.test(below)) return false
  return !excluded.some((pattern) => matchesWord(pattern, path.slice(path.lastIndexOf('/') + 1)))
}
