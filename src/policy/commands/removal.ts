import { basename, dirname } from 'node:path'
import { absolutePath, isProtectedPath, isSecretPath, within, type FileContext } from './files.ts'
import type { Word } from './segment.ts'

/** Options of rm that change nothing about what is removed. */
const KNOWN = /^(?:-[rRfvidI]+|--(?:recursive|force|verbose|one-file-system|preserve-root|dir|interactive(?:=\w+)?))$/

/**
 * Tells whether a call of rm removes only what can be had again: named paths strictly below the root that git ignores, or that
 * are there and so in the journal's reach. Never git's folder, a protected or secret file, or a folder that holds one.
 */
export function removesReplaceable(words: readonly Word[], files: FileContext): boolean {
  const { root, folder, facts } = files
  if (folder === undefined) return false
  const operands: string[] = []
  let ended = false
  for (const { value, glob } of words.slice(1)) {
    if (value === undefined || glob) return false
    if (!ended && value === '--') ended = true
    else if (!ended && value.startsWith('-')) {
      if (!KNOWN.test(value)) return false
    } else operands.push(value)
  }
  return operands.length > 0 && operands.every((path) => isReplaceable(path))

  function isReplaceable(path: string): boolean {
    const trimmed = path.replace(/\/+$/, '')
    const name = basename(trimmed)
    // rm takes a link away and not what it leads to.
    const place = facts.realPath(absolutePath(dirname(trimmed), folder!))
    const at = `${place === '/' ? '' : place}/${name}`
    if (name === '' || name === '.' || name === '..' || at === root || !within(at, root)) return false
    if (isProtectedPath(at, files) || isSecretPath(at, files)) return false
    if (facts.isIgnored(at)) return true
    const { secrets, complete } = facts.reach(at, false)
    return (
      complete &&
      secrets.length === 0 &&
      facts.listFolder(place).includes(name) &&
      !facts.listFolder(at).includes('.git')
    )
  }
}
