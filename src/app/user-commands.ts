import { join } from 'node:path'
import type { UserCommand } from '../client/workbench.ts'
import { userConfigFolder } from '../config/load-config.ts'
import { readFrontMatter } from '../session/front-matter.ts'
import { SKILL_FOLDERS } from '../session/skills.ts'
import { markdownFiles, namesIn, textOf } from './markdown-files.ts'

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
    const { fields, body } = readFrontMatter(text)
    const first = body.split('\n').find((line) => line.trim() !== '') ?? ''
    found.set(name, { name, description: fields['description'] || first.slice(0, 80), text: body })
  }
  const own = userConfigFolder()
  for (const { name, file } of markdownFiles([join(root, '.codehound', 'commands'), join(own, 'commands')]))
    add(name, file)
  for (const folder of [...SKILL_FOLDERS.map((each) => join(root, each)), join(own, 'skills')])
    for (const name of namesIn(folder)) add(name, join(folder, name, 'SKILL.md'))
  return [...found.values()]
}
