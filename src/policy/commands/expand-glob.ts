import { matchesWord } from '../rules/pattern.ts'
import type { CommandFacts } from './facts.ts'

/** Names a pattern may stand for; beyond that it is not known what it names. */
const MAX_NAMES = 2000

/**
 * The paths a pattern would name, folder by folder as the shell reads them, the pattern itself where it names none.
 * A bracket is taken for any text, so more may come back than the shell would give, never less. Undefined when there are
 * too many to say. `folder` is absolute; a relative pattern gives relative paths.
 */
export function expandGlob(
  pattern: string,
  folder: string,
  { listFolder }: Pick<CommandFacts, 'listFolder'>,
): readonly string[] | undefined {
  let found = [pattern.startsWith('/') ? '/' : '']
  for (const part of pattern.split('/').filter((each) => each !== '')) {
    if (!/[*?[]/.test(part)) {
      found = found.map((path) => join(path, part))
      continue
    }
    const loose = part.replace(/\[[^]*$/, '*')
    const dotted = /^[.[]/.test(part)
    const next: string[] = []
    for (const path of found) {
      const names = listFolder(path === '' ? folder : path.startsWith('/') ? path : `${folder}/${path}`)
      for (const name of names)
        if ((dotted || !name.startsWith('.')) && matchesWord(loose, name)) next.push(join(path, name))
      if (next.length > MAX_NAMES) return undefined
    }
    found = next
  }
  return found.length === 0 ? [pattern] : found
}

function join(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}
