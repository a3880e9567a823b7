// Promises: a path that comes from a model or a file either resolves to a place inside the workspace (or an
// added root) with every symbolic link on the way followed, or is refused with a reason. Does not open
// anything: what is opened is checked again by open-inside.ts, because a folder can be swapped in between.
// Refusals name the path as it was given.

import { posix, win32 } from 'node:path'
import { fault, type Fault } from '../fault.ts'
import type { FsFacts } from './facts.ts'
import { foldName, nameFault, protectedPart } from './names.ts'

export type Intent = 'read' | 'write'

export interface ResolvedPath {
  ok: true
  /** The path as asked for, absolute. */
  absolute: string
  /** Relative to the root with `/`; `.` is the root; absolute for a path in an added root. */
  relative: string
  /** Where it really lies: links followed, the part that does not exist yet appended. */
  real: string
  /** The root the path lies in, real. */
  root: string
}

export interface GuardOptions {
  /** Real path of the workspace root. */
  root: string
  /** Real paths of further roots (`permissions.additionalRoots`). */
  additionalRoots: string[]
  facts: FsFacts
}

export interface PathGuard {
  resolve(path: string, intent: Intent): ResolvedPath | Fault
  /** As `resolve` for writing, but a link at the end is not followed and nothing is protected: for putting back what was there. */
  resolveEntry(path: string): ResolvedPath | Fault
  /** Whether a real path (links already followed) lies in one of the roots; the root it lies in, or null. */
  rootOf(real: string): string | null
}

// Longest chain of links that is followed; Linux' own limit (path_resolution(7)).
const LINK_LIMIT = 40

export function createPathGuard({ root, additionalRoots, facts }: GuardOptions): PathGuard {
  const paths = facts.separator === '\\' ? win32 : posix
  const roots = [root, ...additionalRoots]

  /** Exact, because real paths come in the letters on disk: folding here could take a stranger for the root. */
  function rootOf(real: string): string | null {
    return roots.find((each) => real === each || real.startsWith(withSeparator(each))) ?? null
  }

  /** As `rootOf`, for a path as a model writes it: perhaps in other letters or another Unicode form. */
  function rootAsWritten(asked: string): string | null {
    const exact = rootOf(asked)
    if (exact !== null) return exact
    const names = asked.split(facts.separator)
    const like = (base: string): boolean => {
      const own = base.split(facts.separator).filter(Boolean)
      return own.every((name, at) => foldName(name, facts) === foldName(names.filter(Boolean)[at] ?? '', facts))
    }
    return roots.find((each) => like(each)) ?? null
  }

  function withSeparator(folder: string): string {
    return folder.endsWith(facts.separator) ? folder : folder + facts.separator
  }

  /** Gives each name as it is on disk, so that one file has one path. */
  function asOnDisk(base: string, parts: string[]): string[] {
    const found: string[] = []
    for (const name of parts) {
      const folder = paths.join(base, ...found)
      found.push(nameOnDisk(folder, name))
    }
    return found
  }

  function nameOnDisk(folder: string, name: string): string {
    const plain = /^[\x20-\x7e]*$/.test(name)
    if (!facts.caseInsensitive && (plain || facts.realpath(paths.join(folder, name)) !== null)) return name
    const names = facts.names(folder)
    if (names.includes(name)) return name
    const same = names.find((each) => foldName(each, facts) === foldName(name, facts))
    // A model writes composed letters also where the name on disk is decomposed.
    return same ?? names.find((each) => each.normalize('NFC') === name.normalize('NFC')) ?? name
  }

  /** Follows links component by component, also where the last of them do not exist yet. */
  function realOf(absolute: string): string | null {
    let real = paths.parse(absolute).root
    let rest = absolute.slice(real.length).split(facts.separator).filter(Boolean)
    for (let links = 0; rest.length > 0;) {
      const whole = facts.realpath(paths.join(real, ...rest))
      if (whole !== null) return whole
      const step = paths.join(real, rest[0]!)
      const target = facts.readlink(step)
      if (target === null) {
        real = facts.realpath(step) ?? step
        rest = rest.slice(1)
        continue
      }
      links += 1
      if (links > LINK_LIMIT) return null
      const absoluteTarget = paths.resolve(real, target)
      real = paths.parse(absoluteTarget).root
      rest = [...absoluteTarget.slice(real.length).split(facts.separator).filter(Boolean), ...rest.slice(1)]
    }
    return real
  }

  function relativeTo(base: string, absolute: string): string[] {
    return absolute.slice(base.length).split(facts.separator).filter(Boolean)
  }

  /**
   * `/src/a.ts` where no such folder exists on the machine and one does in the workspace: models write the root of the
   * project so. What comes back is relative and goes through every check like any other path.
   */
  function fromRoot(path: string): string | null {
    const [empty, first, ...rest] = path.split('/')
    if (empty !== '' || first === undefined || first === '' || facts.windowsNames) return null
    if (facts.realpath(`/${first}`) !== null) return null
    return rest.length === 0 || facts.realpath(paths.join(root, first)) !== null ? path.replace(/^\/+/, '') : null
  }

  function resolve(path: string, intent: Intent): ResolvedPath | Fault {
    if (path.includes('\0')) return fault('BAD_PATH', `The path contains a NUL character: ${JSON.stringify(path)}.`)
    if (path.trim() === '') return fault('BAD_PATH', 'The path is empty. Use "." for the workspace root.')
    if (/^~(?:[/\\]|$)/.test(path)) {
      return fault('OUTSIDE_WORKSPACE', `${path} is in the home folder. Use a path relative to the workspace root.`)
    }
    if (facts.windowsNames && (/^[\\/]{2}/.test(path) || /^[a-z]:(?![\\/])/i.test(path))) {
      return fault('BAD_PATH', `${path} is a device or drive-relative path. Use a path relative to the workspace root.`)
    }
    const asked = paths.resolve(root, path)
    const base = rootAsWritten(asked)
    if (base === null) return fromRoot(path) === null ? outside(path, root) : resolve(fromRoot(path)!, intent)
    const parts = asOnDisk(base, relativeTo(base, asked))
    const absolute = parts.length === 0 ? base : paths.join(base, ...parts)
    for (const part of parts) {
      const wrong = nameFault(part, facts)
      if (wrong !== null) return fault('BAD_PATH', `${path}: ${wrong}.`)
    }
    const real = realOf(absolute)
    if (real === null) return fault('BAD_PATH', `${path}: too many symbolic links.`)
    const realRoot = rootOf(real)
    if (realRoot === null) {
      return fault(
        'OUTSIDE_WORKSPACE',
        `${path} leads through a symbolic link to ${real}, which is outside the workspace ${root}.`,
      )
    }
    if (intent === 'write') {
      const guarded = protectedPart(parts, facts) ?? protectedPart(relativeTo(realRoot, real), facts)
      if (guarded !== null) {
        return fault(
          'PROTECTED_PATH',
          `${path}: ${guarded} is not written by tools, because programs run what is in it.`,
        )
      }
    }
    const relative = base === root ? parts.join('/') || '.' : absolute
    return { ok: true, absolute, relative, real, root: realRoot }
  }

  function resolveEntry(path: string): ResolvedPath | Fault {
    const folder = resolve(paths.dirname(path), 'read')
    if (!folder.ok) return folder
    const name = paths.basename(path)
    const wrong = ['', '.', '..'].includes(name) ? 'the last part is no name' : nameFault(name, facts)
    if (wrong !== null) return fault('BAD_PATH', `${path}: ${wrong}.`)
    const [absolute, real] = [paths.join(folder.absolute, name), paths.join(folder.real, name)]
    const relative = folder.relative === '.' ? name : `${folder.relative}/${name}`
    return { ok: true, absolute, relative, real, root: folder.root }
  }

  return { resolve, resolveEntry, rootOf }
}

function outside(path: string, root: string): Fault {
  return fault('OUTSIDE_WORKSPACE', `${path} is outside the workspace. Use a path relative to its root, ${root}.`)
}
