import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/**
 * What has a name in a folder that is not UTF-8, and everything below it: such a name cannot be written in a journal, so it is
 * only named. Bytes that are no text show as `\xff`.
 */
export function oddEntries(root: string, folder: string): [path: string, stats: Stats][] {
  const found: [string, Stats][] = []
  walk(Buffer.from(join(root, folder)), folder === '' ? '' : `${folder}/`, (name) => !isUtf8(name), found)
  return found
}

function walk(at: Buffer, shown: string, wanted: (name: Buffer) => boolean, found: [string, Stats][]): void {
  for (const name of namesOf(at).filter(wanted)) {
    const path = Buffer.concat([at, Buffer.from('/'), name])
    const stats = statsOf(path)
    if (stats === undefined) continue
    const inner = `${shown}${readable(name)}`
    found.push([inner, stats])
    if (stats.isDirectory()) walk(path, `${inner}/`, () => true, found)
  }
}

function isUtf8(name: Buffer): boolean {
  return Buffer.from(name.toString('utf8')).equals(name)
}

function readable(name: Buffer): string {
  if (isUtf8(name)) return name.toString('utf8')
  return name
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function namesOf(folder: Buffer): Buffer[] {
  try {
    return readdirSync(folder, { encoding: 'buffer' })
  } catch {
    return []
  }
}

function statsOf(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
