import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedFolder } from '../../../lib/shipped.ts'
import type { SYMBOL_FLAG, SymbolKind } from '../../kinds.ts'
import type { QuerySource } from './query/parse-query.ts'

export type SymbolFlagName = keyof typeof SYMBOL_FLAG

/**
 * Changes the kind or the flags of a symbol that fits all of its conditions. Rules are tried in order, each sees what those
 * before it did. Regular expressions are JavaScript's, without flags.
 */
export interface SymbolRule {
  kind?: SymbolKind | SymbolKind[]
  name?: string
  /** Fits the text from the start of the declaration to its name, which is where modifiers and decorators are. */
  head?: string
  /** Fits the text from the name to the body. */
  tail?: string
  /** `true`: it stands inside its container's text, and does not only name it. */
  inside?: boolean
  /** `true`: it stands in an `@owner` that says what it implements. */
  implementing?: boolean
  /** `true`: the declaration has no body. */
  bodiless?: boolean
  /** `true`: the name is that of its container, as a constructor's is. */
  namedAsContainer?: boolean
  /** Kind of the container; `none` at the top level. */
  in?: (SymbolKind | 'none')[]
  is?: SymbolKind
  set?: SymbolFlagName[]
  clear?: SymbolFlagName[]
}

/**
 * One way to find the files an import means. The rules whose `match` fits the module text are tried in order until files are
 * found. A path is made of: a folder (`from`), one of `below`, the path in the module text, one of `files`.
 */
export interface ImportRule {
  /** Fits the whole module text; group `path` is the path, group `up` (if any) says how far up it begins. */
  match: string
  /** What separates the segments of the path in the module text. Default `/`. */
  separator?: string
  /**
   * Where the path begins:
   * `file` the folder of the importing file;
   * `module` the folder of the importing file's own submodules (see `indexFiles`);
   * `parents` the folder of the importing file, then each folder above it;
   * `marker` the nearest folder at or above the importing file that holds one of `markers`;
   * `manifest` the folders that manifests of the workspace give to a prefix of the module text, the longest prefix first;
   * `anywhere` any folder, the one nearest to the importing file first.
   */
  from: 'file' | 'module' | 'parents' | 'marker' | 'manifest' | 'anywhere'
  /** One step up is this text in group `up`; default one character. The first `upLess` steps (default 0) stay in the folder. */
  upWord?: string
  upLess?: number
  markers?: string[]
  /** `prefixes` (flags `gm`) finds each prefix (group `prefix`) and its folder (group `folder`, default `folder` here); `dash` is what a `-` in it
   *  is in module texts. */
  manifest?: { file: string; prefixes: string; folder?: string; dash?: string }
  /** A folder with one of these files is no beginning of a path, with `from: parents`. */
  notIn?: string[]
  /** Folders between the beginning and the path; default only none (`''`). */
  below?: string[]
  /** Segments that may be left off the end of the path, since they may name something inside a file. Default 0. */
  trim?: number
  /** Segments that may be left off the front of the path, since they may name the project itself. Default 0. */
  skip?: number
  /** Segments that must be left over after `trim` and `skip`. Default 1. */
  least?: number
  /** Fits names that `*` in `files` does not stand for: Go's tests are no part of the package others import. */
  except?: string
  /** File names to try, with `{path}` for all of the above; a last part of `*.x` is every file with that ending. */
  files: string[]
}

/** What `language.json` in a language's folder says. */
export interface LanguageData {
  /** Folder name: the language's id. */
  id: string
  /** Development dependency and file inside it that hold the grammar; the build copies it to `dist/grammars/<id>.wasm`. */
  grammar: string
  extensions: string[]
  filenames?: string[]
  /** Base names of the interpreters of a `#!` line. */
  shebangs?: string[]
  /** A file's top-level names are its own, and others must import them. Otherwise all files share them. */
  module?: boolean
  /** See Language. */
  shares?: 'folder' | 'workspace'
  family?: string
  /** Files that fit both regular expressions (`match` with flag `m`) are read as another language: C++ in `.h` files. */
  unless?: { path: string; match: string; language: string }
  /** Which imports give their names on to files that import this one: all, or those whose text fits this regular expression. */
  reexports?: string
  /** Receivers that mean the present object, its class, and its base class. */
  self?: string[]
  selfClass?: string[]
  base?: string[]
  /** A type's path leads through what its first word imports (`store.Shop`); else its last word is enough (`geo::Shape`). */
  typePaths?: boolean
  /** A bare name may be a member of the class it stands in: if this file shows so (`members`), or whenever it is called (`calls`). */
  implicitSelf?: 'members' | 'calls'
  /** A local name is known in all of its scope, not only after its declaration. */
  hoist?: boolean
  /** How the text of an `@import.tree` is taken apart; `alias` and `drop` are regular expressions, `drop` for words to pass over. */
  importTree?: { separator: string; alias: string; drop?: string }
  /** Regular expressions (flag `g`) run over the text of `@scan.<name>` captures; group `module`. */
  scans?: Record<string, string>
  /** A variable is declared by an assignment: only the first one of a name in its scope counts. */
  assignmentDeclares?: boolean
  /** Regular expressions (flags `gmu`) for what the parser must not see, such as macros in odd places: read as white space. */
  blank?: string[]
  /** The same, read as a word of `x`: for text the grammar does not take where a word could stand. */
  mask?: string[]
  /** Kinds besides namespaces whose members are reached by their bare names, as C's enumerators are. */
  openKinds?: SymbolKind[]
  /** A signature ends with its line, where a body has no mark of its own. */
  oneLineSignature?: boolean
  /** Removed from the text of a `@name` before it is stored. */
  nameTrim?: string
  rules?: SymbolRule[]
  imports?: ImportRule[]
  /** Base names of files whose submodules are in their own folder; another file's are in a folder of its own name. */
  indexFiles?: string[]
}

/** Reads the data of all languages from their folders, sorted by id. */
export function readLanguages(): LanguageData[] {
  const folder = shippedFolder('languages', 'index/languages')
  const languages: LanguageData[] = []
  for (const id of readdirSync(folder).sort()) {
    const text = readIfThere(join(folder, id, 'language.json'))
    if (text !== undefined) languages.push({ ...(JSON.parse(text) as LanguageData), id })
  }
  return languages
}

/** The queries of a language: all `.scm` files of its folder, by name. */
export function readQueries(id: string): QuerySource[] {
  const folder = join(shippedFolder('languages', 'index/languages'), id)
  const files = readdirSync(folder).filter((name) => name.endsWith('.scm'))
  return files.sort().map((name) => ({ name: `${id}/${name}`, text: readFileSync(join(folder, name), 'utf8') }))
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
