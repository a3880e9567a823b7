/**
 * Keys a workspace's own file may set before its folder is trusted: how things look and how much is sent, nothing else.
 * Whatever is not named here could widen permissions, name a command, or send the code to another server.
 */
const SAFE_KEYS: readonly string[] = [
  '$schema',
  'configVersion',
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
export const ADD_ONLY_KEYS: readonly string[] = ['commands.block']
