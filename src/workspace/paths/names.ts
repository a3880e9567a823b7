import type { FsFacts } from './facts.ts'

// Zero-width and direction characters that HFS+ leaves out when it compares names, so that
// `.g\u200cit` is `.git` there (the fault behind git's CVE-2014-9390).
const IGNORED_CHARACTERS = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file#naming-conventions
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i

type FoldFacts = Pick<FsFacts, 'caseInsensitive' | 'foldsUnicode' | 'windowsNames'>

/** The form under which two names are one file on this file system. */
export function foldName(name: string, facts: FoldFacts): string {
  let folded = facts.foldsUnicode ? name.normalize('NFC').replace(IGNORED_CHARACTERS, '') : name
  if (facts.windowsNames) folded = folded.replace(/[. ]+$/, '')
  return facts.caseInsensitive ? folded.toLowerCase() : folded
}

/** Why a single path component cannot be used, or null. */
export function nameFault(name: string, facts: Pick<FsFacts, 'windowsNames'>): string | null {
  if (name.length > 255) return `the name "${name.slice(0, 40)}…" is longer than 255 characters`
  if (!facts.windowsNames) return null
  if (name.includes(':')) return `"${name}" names a drive or an alternate stream`
  if (DEVICE_NAME.test((name.split('.')[0] ?? '').trimEnd())) return `"${name}" is the name of a device`
  if (/[. ]$/.test(name)) return `"${name}" ends in a dot or a space, which Windows drops`
  return null
}

/**
 * The folder that must not be written because programs run what lies in it: `.git` at any depth (hooks,
 * config), `.codehound` at the top except its notes. Null for every other path.
 */
export function protectedPart(parts: string[], facts: FsFacts): string | null {
  const strictest = { caseInsensitive: true, foldsUnicode: true, windowsNames: true }
  const folded = parts.map((part) => foldName(part, strictest))
  const git = folded.findIndex((part) => part === '.git' || (facts.windowsNames && part === 'git~1'))
  if (git >= 0) return parts.slice(0, git + 1).join('/')
  if (folded[0] === '.codehound' && folded[1] !== 'notes') return parts.slice(0, 2).join('/')
  return null
}
