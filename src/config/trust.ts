/**
 * Keys a workspace's own file may set before its folder is trusted: how things look and how much is sent, nothing else.
 * Whatever is not named here could widen permissions, name a command, or send the code to another server.
 */
const SAFE_KEYS: readonly string[] = [
  '$schema',
  'configVersion',
  'project.scope',
  'project.ignorePatterns',
  'project.binaryExtensions',
  'context',
  'compression',
  'watcher',
  'answers.style',
  'edit.showDiff',
  'edit.diffFormat',
  'edit.syntaxHighlight',
  'edit.showDescription',
  'edit.wrapLongLines',
  'display',
  'input',
]

/** Tells whether a key of a workspace's file holds only once the folder is trusted. */
export function needsTrust(path: readonly string[]): boolean {
  const key = path.join('.')
  return !SAFE_KEYS.some((safe) => key === safe || key.startsWith(`${safe}.`))
}

/** Lists to which a workspace can only add, because they protect the user. */
export const ADD_ONLY_KEYS: readonly string[] = ['commands.block', 'permissions.rules', 'secrets.files']

/**
 * What of a list that needs trust holds without it, because it can only narrow: blocked commands, rules that ask or deny,
 * secret files. Rules stay where they are: the policy passes over those of an untrusted folder that allow.
 *
 * @returns undefined when nothing of the key may hold; `all` is false when the folder's trust would add something
 */
export function narrowing(path: readonly string[], value: unknown): { value: unknown; all: boolean } | undefined {
  const key = path.join('.')
  if (!ADD_ONLY_KEYS.includes(key) || !Array.isArray(value)) return undefined
  if (key === 'secrets.files') {
    const kept = value.filter((pattern) => typeof pattern === 'string' && !pattern.startsWith('!'))
    return { value: kept, all: kept.length === value.length }
  }
  const text = (entry: unknown): unknown =>
    typeof entry === 'object' && entry !== null && 'rule' in entry ? entry.rule : entry
  const narrows = (entry: unknown): boolean => /^(?:ask|deny) /.test(String(text(entry)))
  return { value, all: key !== 'permissions.rules' || value.every(narrows) }
}
