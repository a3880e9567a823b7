// What the words of a conversation say about files: a path, a folder, a file's name, a symbol's name. Plain words name symbols
// too ("how does login work"), but the words of every request, and helpers of tests that are called like them, do not count.

/** Words that most requests have; a symbol called so is hardly meant. */
const OF_REQUESTS = new Set(
  (
    'add all and are body call change check class code const create default delete does error export failing fails file files ' +
    'find fix for from function get how import into interface make method module move name names new not one pass please ' +
    'read remove rename return run set show source string test tests that the them then this type types unit update use ' +
    'value var what when where which why with work works write'
  ).split(' '),
)

/** Folders and endings of tests, of what only they use, and of benchmarks and examples. */
const ASIDE =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|fixtures?|testdata|bench|benchmarks?|examples?)\/|[._-](?:test|spec)s?\.[^/]+$|(?:^|\/)(?:test_|conftest)[^/]*$/i

/** Two parts joined as only identifiers are: `parseFile`, `MAX_SIZE`, `$store`. */
const IDENTIFIER = /[\p{Ll}\d]\p{Lu}|[_$]/u

/** True for files that a project has beside what it does. */
export const isAside = (path: string): boolean => ASIDE.test(path)

/** True when the words name a path: whole, by a folder above it, by its last part, or by that without its ending. */
export function isNamed(path: string, words: ReadonlySet<string>): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1)
  if (words.has(path) || words.has(base)) return true
  const stem = base.replace(/\.[^.]+$/, '')
  if (words.has(stem) && !OF_REQUESTS.has(stem.toLowerCase())) return true
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    // One folder's name alone (`src`) is a word like others.
    const folder = path.slice(0, at)
    if (words.has(`${folder}/`) || (folder.includes('/') && words.has(folder))) return true
  }
  return false
}

/** True when a word that is the name of a symbol in this file means it. */
export function meansSymbol(word: string, path: string): boolean {
  return IDENTIFIER.test(word) || (!OF_REQUESTS.has(word.toLowerCase()) && !isAside(path))
}
