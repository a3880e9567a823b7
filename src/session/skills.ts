// Skills of a project: folders with a SKILL.md that says what it is for. The prompt names them; the body is read when one is
// used, like any file. They are the repository's words and can change no permission.
import type { Workspace } from '../workspace/workspace.ts'
import { readFrontMatter } from './front-matter.ts'

/** Where agents look for them; the first of a name counts. */
export const SKILL_FOLDERS = ['.codehound/skills', '.agents/skills', '.claude/skills']
const MOST_SKILLS = 30
/** Characters of one description. */
const DESCRIPTION_LENGTH = 200
/** Share of the window the list may take. */
const WINDOW_SHARE = 0.02
const CHARS_PER_TOKEN = 4

export interface Skill {
  name: string
  description: string
  /** Of its SKILL.md, relative to the root. */
  path: string
}

/** The skills of a workspace in the order of their folders and names. */
export async function listSkills(workspace: Workspace): Promise<Skill[]> {
  const found = new Map<string, Skill>()
  for (const folder of SKILL_FOLDERS) {
    const listing = await workspace.list(folder, { withIgnored: true })
    if (!listing.ok) continue
    for (const { path, kind } of listing.entries) {
      if (kind === 'file' || found.size >= MOST_SKILLS) continue
      const file = await workspace.readText(`${path}/SKILL.md`)
      if (!file.ok) continue
      const { fields, body } = readFrontMatter(file.text)
      const name = fields['name'] || path.split('/').at(-1)!
      const first = body.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
      const description = (fields['description'] || first).trim().slice(0, DESCRIPTION_LENGTH)
      if (!found.has(name)) found.set(name, { name, description, path: `${path}/SKILL.md` })
    }
  }
  return [...found.values()]
}

/** Text for level 2 of the prompt; undefined when the project has none. What does not fit is counted. */
export async function skillsForPrompt(workspace: Workspace, window: number): Promise<string | undefined> {
  const skills = await listSkills(workspace)
  if (skills.length === 0) return undefined
  let room = window * WINDOW_SHARE * CHARS_PER_TOKEN
  const lines: string[] = []
  for (const { name, description, path } of skills) {
    const line = `- ${name} (${path}): ${description}`
    room -= line.length
    if (room < 0) break
    lines.push(line)
  }
  const left = skills.length - lines.length
  const more = left === 0 ? '' : `\n… and ${left} more in ${SKILL_FOLDERS.join(', ')}`
  return `# Skills (when the task fits one, read its file first and follow it)\n${lines.join('\n')}${more}`
}
