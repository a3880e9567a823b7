import { join } from 'node:path'
import { userConfigFolder } from '../config/load-config.ts'
import { builtInTemplates, readTemplate } from '../session/attachments/templates.ts'
import type { Template } from '../session/attachments/templates.ts'
import { markdownFiles, textOf } from './markdown-files.ts'

/** Templates of the project, of the user, and built in, by name; of one name the first counts. */
export function templatesOf(root: string): Template[] {
  const found = new Map<string, Template>()
  for (const { name, file } of markdownFiles([
    join(root, '.codehound', 'templates'),
    join(userConfigFolder(), 'templates'),
  ])) {
    const text = found.has(name) ? undefined : textOf(file)
    if (text !== undefined) found.set(name, readTemplate(name, text))
  }
  for (const each of builtInTemplates) if (!found.has(each.name)) found.set(each.name, each)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
