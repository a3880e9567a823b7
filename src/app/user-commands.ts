import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UserCommand } from '../client/workbench.ts'
import { userConfigFolder } from '../config/load-config.ts'

/** Longest file that is taken as a command. Characters. */
const MAX_LENGTH = 20_000

/**
 * The user's own commands: `*.md` in the project's `.codehound/commands` and in the configuration folder, the project's
 * first. A front matter `description:` says what a command does, else its first line.
 */
export function userCommands(root: string): UserCommand[] {
  const found = new Map<string, UserCommand>()
  for (const folder of [join(root, '.codehound', 'commands'), join(userConfigFolder(), 'commands')])
    for (const file of namesIn(folder)) {
      const name = file.slice(0, -'.md'.length)
      if (found.has(name) || !/^[\w-]+$/.test(name)) continue
      const text = readFileSync(join(folder, file), 'utf8').slice(0, MAX_LENGTH)
      const [, head, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text) ?? [undefined, '', text]
      const said = /^description:\s*(.+)$/m.exec(head ?? '')?.[1]
      const first = (body ?? '').split('\n').find((line) => line.trim() !== '') ?? ''
      found.set(name, { name, description: said ?? first.slice(0, 80), text: body ?? '' })
    }
  return [...found.values()]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort()
  } catch {
    return []
  }
}
