import type { FileLookup } from '../../language.ts'
import type { ImportRule } from './language-data.ts'

/** A prefix of module texts, and the folder that a manifest of the workspace gives it. */
export interface PrefixFolder {
  prefix: string
  folder: string
}

/** What a manifest said, as long as its text is the same. */
const read = new Map<string, { text: string; folders: PrefixFolder[] }>()
/** Manifests of more files than this are forgotten together: a process seldom sees more than one workspace. */
const READ_LIMIT = 10_000

/** The prefixes all manifests of a workspace name, longest first; none when the index does not give their text. */
export function manifestFolders(manifest: NonNullable<ImportRule['manifest']>, files: FileLookup): PrefixFolder[] {
  const all: PrefixFolder[] = []
  for (const path of files.named(manifest.file)) {
    const text = files.text?.(path)
    if (text === undefined) continue
    const key = `${manifest.prefixes} ${path}`
    let known = read.get(key)
    if (known?.text !== text) {
      if (read.size >= READ_LIMIT) read.clear()
      known = { text, folders: foldersOf(text, path, manifest) }
      read.set(key, known)
    }
    all.push(...known.folders)
  }
  return all.sort((a, b) => b.prefix.length - a.prefix.length || a.folder.length - b.folder.length)
}

function foldersOf(text: string, path: string, manifest: NonNullable<ImportRule['manifest']>): PrefixFolder[] {
  const slash = path.lastIndexOf('/')
  const home = slash < 0 ? '' : path.slice(0, slash + 1)
  const folders: PrefixFolder[] = []
  for (const hit of text.matchAll(new RegExp(manifest.prefixes, 'gmu'))) {
    const { prefix, folder } = hit.groups!
    // A JSON manifest doubles its backslashes; a crate's name has `-` where its path has `_`.
    const clean = prefix!.replaceAll('\\\\', '\\').replaceAll('-', manifest.dash ?? '-')
    folders.push({ prefix: clean, folder: `${home}${folder ?? manifest.folder ?? ''}`.replace(/\/+$/u, '') })
  }
  return folders
}
