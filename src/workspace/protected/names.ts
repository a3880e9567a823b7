// The protected set: what other programs run or obey without being asked to, such as git, a shell that enters a folder, an
// editor that opens it, or another agent. One list for the sandbox, for the comparison behind each command and for the policy.

/** Why the files of a name are protected, by path from any folder; a folder is protected with all it holds. */
export const PROTECTED_NAMES: Readonly<Record<string, string>> = {
  '.git': 'git runs the hooks and programs that its files name',
  '.codehound': 'codehound obeys it, and runs its hooks',
  '.claude': 'an agent runs its hooks',
  '.mcp.json': 'agents start the servers it names',
  '.cursor': 'an editor starts the servers and hooks it names',
  '.windsurf': 'an editor starts the servers it names',
  '.gemini': 'an agent starts the servers it names',
  '.codex': 'an agent starts the servers it names',
  '.kiro': 'an editor runs its hooks',
  '.vscode/tasks.json': 'an editor runs its tasks when it opens the folder',
  '.vscode/settings.json': 'an editor starts the programs it names',
  '.vscode/launch.json': 'an editor starts the programs it names',
  '.vscode/mcp.json': 'an editor starts the servers it names',
  '.idea': 'an editor starts the programs it names',
  '.zed': 'an editor starts the programs it names',
  '.devcontainer': 'an editor builds and runs it when it opens the folder',
  '.devcontainer.json': 'an editor builds and runs it when it opens the folder',
  '.husky': 'git runs its files as hooks',
  '.pre-commit-config.yaml': 'git runs its hooks with each commit',
  'lefthook.yml': 'git runs its hooks with each commit',
  '.lefthook.yml': 'git runs its hooks with each commit',
  '.envrc': 'a shell that enters the folder runs it',
  '.exrc': 'an editor runs it when it starts in the folder',
  '.nvimrc': 'an editor runs it when it starts in the folder',
  '.nvim.lua': 'an editor runs it when it starts in the folder',
}

/** Names of one part, and the parts below those of two. */
const WHOLE = new Set(Object.keys(PROTECTED_NAMES).filter((name) => !name.includes('/')))
const PARTLY = new Map<string, string[]>()
for (const name of Object.keys(PROTECTED_NAMES)) {
  const [folder, file] = name.split('/')
  if (file !== undefined) PARTLY.set(folder!, [...(PARTLY.get(folder!) ?? []), file])
}

/** The protected paths that an entry of a folder with this name stands for, relative to that folder; none for most. */
export function protectedUnder(name: string): readonly string[] {
  const lower = name.toLowerCase()
  if (WHOLE.has(lower)) return [name]
  return (PARTLY.get(lower) ?? []).map((file) => `${name}/${file}`)
}

/** True for a path that holds or lies in something protected, at any depth; notes of codehound have a rule of their own. */
export function isProtected(path: string): boolean {
  const parts = path.split(/[\\/]/).map((part) => part.toLowerCase())
  return parts.some((part, at) => {
    if (part === '.codehound') return parts[at + 1] !== 'notes'
    return WHOLE.has(part) || PARTLY.get(part)?.includes(parts[at + 1] ?? '') === true
  })
}
