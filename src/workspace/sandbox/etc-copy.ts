// One folder that stands for /etc. Each mount makes the start of a sandbox longer, and of /etc some thirty files and folders are
// needed: their copy is made once and mounted once.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { within } from './plan.ts'
import { ETC, SYSTEM_FOLDERS } from './readable.ts'

export interface EtcCopy {
  folder: string
  /** What of the paths asked for is in it; the others of /etc have an empty place to be mounted at. */
  copied: ReadonlySet<string>
}

/** Days after which a copy that no start has taken is removed. */
const KEPT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
/** Mounted when there is network; see `resolver`. */
const RESOLVER = '/etc/resolv.conf'

/**
 * Makes what gives the copy for a list of readable paths, and makes it anew when one of the files or folders changed. Copies lie
 * in `folder`, by what they are a copy of, so that sessions share them. Undefined when there is nothing to copy, or no place.
 */
export function createEtcCopy(folder: string): (readable: readonly string[]) => EtcCopy | undefined {
  let known: { copy: EtcCopy; watched: readonly string[]; stamp: string; asked: string } | undefined
  return (readable) => {
    const asked = readable.join('\0')
    if (known?.asked === asked && stampOf(known.watched) === known.stamp && existsSync(known.copy.folder))
      return known.copy
    const inEtc = readable.filter((path) => path.startsWith('/etc/'))
    const listed = inEtc.filter((path) => ETC.includes(path))
    if (listed.length === 0 || readable.includes('/etc')) return undefined
    try {
      const watched = listed.flatMap(withFolders)
      const stamp = stampOf(watched)
      const hash = createHash('sha256')
        .update([...inEtc, stamp].join('\0'))
        .digest('hex')
      const copy = { folder: join(folder, `etc-${hash.slice(0, 32)}`), copied: new Set(listed) }
      const places = [...inEtc.filter((path) => !copy.copied.has(path)), RESOLVER]
      if (!existsSync(copy.folder)) makeCopy(copy, places)
      const now = Date.now() / 1000
      utimesSync(copy.folder, now, now)
      known = { copy, watched, stamp, asked }
      return copy
    } catch {
      return undefined
    }
  }
}

/** Built beside its place, since two sessions may start at once. */
function makeCopy({ folder, copied }: EtcCopy, places: readonly string[]): void {
  const half = `${folder}.${process.pid}`
  mkdirSync(half, { recursive: true, mode: 0o755 })
  const at = (path: string): string => join(half, path.slice('/etc/'.length))
  for (const path of copied) {
    mkdirSync(dirname(at(path)), { recursive: true, mode: 0o755 })
    copyInto(path, at(path), staysLink(path, copied) ? path : realpathSync.native(path))
  }
  for (const path of places) {
    mkdirSync(dirname(at(path)), { recursive: true, mode: 0o755 })
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) mkdirSync(at(path), { recursive: true })
    else writeFileSync(at(path), '')
  }
  try {
    renameSync(half, folder)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  removeOld(folder)
}

/** A link into what is mounted or copied stays one; of another the content is taken. */
function staysLink(path: string, copied: ReadonlySet<string>): boolean {
  const real = realpathSync.native(path)
  return [...SYSTEM_FOLDERS, ...copied].some((folder) => within(real, folder))
}

/** What cannot be read, and what is neither file, folder nor link, is left out. */
function copyInto(path: string, to: string, from = path): void {
  try {
    const stats = lstatSync(from)
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else if (stats.isFile()) copyFileSync(from, to)
    else if (stats.isDirectory()) {
      mkdirSync(to, { mode: 0o755 })
      for (const name of readdirSync(from)) copyInto(join(path, name), join(to, name), join(from, name))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOENT') throw error
  }
}

/** A path with all folders below it: what is added to one, or removed, changes its time. */
function withFolders(path: string): string[] {
  try {
    const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return [path, ...folders.flatMap(({ name }) => withFolders(join(path, name)))]
  } catch {
    return [path]
  }
}

function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
      return stats ? `${path} ${stats.ino}.${stats.ctimeNs}.${stats.size}` : path
    })
    .join('\n')
}

function removeOld(current: string): void {
  const folder = dirname(current)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!/^etc-[0-9a-f]{32}(?:\.\d+)?$/.test(name) || path === current) continue
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > KEPT_DAYS * DAY_MS) rmSync(path, { recursive: true, force: true })
  }
}
