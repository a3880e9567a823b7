import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UserCommand } from '../client/workbench.ts'
import { userConfigFolder } from '../config/load-config.ts'
import { readFrontMatter } from '../session/front-matter.ts'
import { SKILL_FOLDERS } from '../session/skills.ts'

/** Longest file that is taken as a command. Characters. */
const MAX_LENGTH = 20_000

/**
 * The user's own commands: `*.md` in the project's `.codehound/commands` and in the configuration folder, the project's
 * first, and then skills by their names. A front matter `description:` says what one does, else its first line.
 */
export function userCommands(root: string): UserCommand[] {
  const found = new Map<string, UserCommand>()
  const add = (name: string, file: string): void => {
    if (found.has(name) || !/^[\w-]+$/.test(name)) return
    const text = textOf(file)
    if (text === undefined) return
    const { fields, body } = readFrontMatter(text.slice(0, MAX_LENGTH))
    const first = body.split('\n').find((line) => line.trim() !== '') ?? ''
    found.set(name, { name, description: fields['description'] || first.slice(0, 80), text: body })
  }
  const own = userConfigFolder()
  for (const folder of [join(root, '.codehound', 'commands'), join(own, 'commands')])
    for (const file of namesIn(folder)) if (file.endsWith('.md')) add(file.slice(0, -'.md'.length), join(folder, file))
  for (const folder of [...SKILL_FOLDERS.map((each) => join(root, each)), join(own, 'skills')])
    for (const name of namesIn(folder)) add(name, join(folder, name, 'SKILL.md'))
  return [...found.values()]
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
