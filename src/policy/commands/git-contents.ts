// Which files' contents a call of git shows. History is not hidden by a sandbox: a secret file that was committed stands in it.
import { splitGit } from './read-only-git.ts'
import type { Word } from './segment.ts'

/** Options of log and its kin that print no contents; any other might. */
const QUIET =
  /^(?:-\d+|-n\d*|-[igEFsz]+|--(?:oneline|graph|all|branches.*|tags.*|remotes.*|format.*|pretty.*|since.*|until.*|after.*|before.*|author.*|committer.*|grep.*|stat.*|numstat|shortstat|summary|name-only|name-status|no-patch|decorate.*|no-decorate|merges|no-merges|first-parent|reverse|date.*|abbrev.*|no-abbrev.*|follow|max-count.*|skip.*|no-color|color.*|topo-order|date-order|raw|relative-date|show-signature|left-right|cherry.*|boundary|simplify-.*|full-history|ancestry-path|diff-filter.*|no-renames|find-renames.*|exit-code|quiet|cached|staged|no-ext-diff|no-pager|ignore-.*|[MC]\d*))$/
const NAMES_ONLY =
  /^(?:-s|-z|--(?:stat.*|numstat|shortstat|summary|name-only|name-status|no-patch|raw|quiet|dirstat.*))$/

/** True when a subcommand prints contents unless told otherwise. */
const PRINTS = new Set(['show', 'diff', 'whatchanged', 'range-diff', 'diff-tree', 'diff-index', 'diff-files', 'grep'])
const LISTS = new Set(['log', 'reflog', 'stash'])

/**
 * The pathspecs that bound what a call of git prints of files; an empty list when nothing bounds it, undefined when it
 * prints no contents, or only those of files it names with a revision (`HEAD:a.ts`), which are judged by their names.
 */
export function contentPaths(words: readonly Word[]): readonly string[] | undefined {
  const { subcommand = '', args } = splitGit(words)
  const values = args.map((word) => word.value ?? word.prefix)
  const end = values.indexOf('--')
  const options = (end < 0 ? values : values.slice(0, end)).filter((value) => value.startsWith('-'))
  const named = values.filter((value) => !value.startsWith('-'))
  if (subcommand === 'status') return options.some((option) => /^-[a-z]*v|^--verb/.test(option)) ? [] : undefined
  if (subcommand === 'cat-file')
    return options.some((option) => /^-[tse]$/.test(option)) ||
      (named.length > 0 && named.every((name) => /:.|^(?:commit|tree|tag)$/.test(name)))
      ? undefined
      : []
  const prints = PRINTS.has(subcommand) && !options.some((option) => NAMES_ONLY.test(option))
  const asked = LISTS.has(subcommand) && options.some((option) => !QUIET.test(option))
  const again = options.some((option) => /^(?:-p|--patch)/.test(option))
  if (!prints && !asked && !(PRINTS.has(subcommand) && again)) return undefined
  if (
    subcommand === 'grep' &&
    options.some((option) => /^(?:-[a-zA-Z]*[lLc]|--(?:files|name-only|count).*)$/.test(option))
  )
    return undefined
  if (subcommand === 'show' && named.length > 0 && named.every((name) => /:./.test(name))) return undefined
  const paths = end < 0 ? [] : values.slice(end + 1)
  // Magic and patterns bound nothing for certain; a path that is left out bounds the rest.
  return paths.some((path) => /^:(?!\/|!|\(exclude\))|[*?[]/.test(path)) ? [] : paths
}

/** The first of the files, named from the repository's root, that pathspecs let through. */
export function firstShown(secrets: readonly string[], paths: readonly string[], folder: string): string | undefined {
  const clean = (path: string): string => {
    const bare = path.replace(/^:(?:!|\(exclude\)|\/)/, '')
    const joined = path.startsWith(':/') || folder === '' ? bare : `${folder}/${bare}`
    return joined.replace(/^(?:\.\/)+|\/\.?$/g, '')
  }
  const covers = (path: string, file: string): boolean => {
    const at = clean(path)
    return at === '' || at === '.' || file === at || file.startsWith(`${at}/`) || /(?:^|\/)\.\.(?:\/|$)/.test(at)
  }
  const left = paths.filter((path) => /^:(?:!|\(exclude\))/.test(path) && !path.includes('..'))
  const taken = paths.filter((path) => !left.includes(path))
  return secrets.find(
    (file) =>
      !left.some((path) => covers(path, file)) && (taken.length === 0 || taken.some((path) => covers(path, file))),
  )
}
