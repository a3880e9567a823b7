// Commands of the screen, by name. Each does something; an unknown one suggests the nearest. The user's own commands and
// those made of a prompt are sent as messages.
import { nearestName } from '../lib/edit-distance.ts'
import { modelCommands } from './commands/model.ts'
import { projectCommands } from './commands/project.ts'
import { promptCommands } from './commands/prompts.ts'
import { sessionCommands } from './commands/session.ts'
import { changeCommands } from './commands/changes.ts'
import type { Controller } from './controller.ts'

export interface SlashCommand {
  name: string
  /** Arguments as shown in the help. */
  args: string
  help: string
  run(controller: Controller, args: string): void | Promise<void>
}

const help: SlashCommand = {
  name: 'help',
  args: '',
  help: 'keys and commands',
  run: (controller) => controller.note(helpText(controller)),
}

const all: readonly SlashCommand[] = [
  help,
  ...sessionCommands,
  ...changeCommands,
  ...modelCommands,
  ...projectCommands,
  ...promptCommands,
]

const keys = `Enter sends · Shift+Enter, Alt+Enter or \\ and Enter: new line · Esc or Ctrl+C interrupts, Ctrl+C twice leaves
Ctrl+D on an empty line leaves, the session is kept · Ctrl+Z on an empty line undoes a change, else typing
Shift+Tab mode · Ctrl+O details of tool calls · Ctrl+G editor · Ctrl+R search · ↑ ↓ history · Tab completes
@path attaches, @@path its whole content, @symbol:Name, @diff, @todo, @https://… · !command runs and shares its output,
!!command has the terminal`

/** Cells of most of the explanations. */
const HELP_CELLS = 46

function helpText(controller: Controller): string {
  const shown = [
    ...all.map(({ name, args, help }) => ({ head: `/${name} ${args}`.trim(), help })),
    ...(controller.bench?.commands() ?? []).map(({ name, description }) => ({ head: `/${name}`, help: description })),
  ]
  const width = Math.max(...shown.map(({ head }) => head.length))
  // Two columns need room for both.
  const narrow = controller.columns < width + HELP_CELLS
  const row = ({ head, help }: { head: string; help: string }): string =>
    narrow ? `${head}\n    ${help}` : `${head.padEnd(width)}  ${help}`
  return [keys, '', ...shown.map(row)].join('\n')
}

/** Names for completion, with what they do. */
export function commandNames(controller: Controller): { text: string; note: string }[] {
  return [
    ...all.map(({ name, help }) => ({ text: `/${name}`, note: help })),
    ...(controller.bench?.commands() ?? []).map(({ name, description }) => ({ text: `/${name}`, note: description })),
  ]
}

/** Whether a text is meant as a command: a slash and a word, so that a path such as /etc/hosts is not. */
export const isCommand = (text: string): boolean => /^\/[a-z][\w-]*(\s|$)/i.test(text.trim())

/** Runs a text that `isCommand`. */
export async function runCommand(controller: Controller, text: string): Promise<void> {
  const [, name = '', args = ''] = /^\/([\w-]+)\s*([\s\S]*)$/.exec(text.trim()) ?? []
  const command = all.find((each) => each.name === name.toLowerCase())
  if (command) {
    if (command.args === '' && args.trim() !== '')
      controller.note(`/${command.name} takes nothing; "${firstLine(args)}" is left out.`, 'warning')
    return command.run(controller, args.trim())
  }
  const own = controller.bench?.commands().find((each) => each.name === name)
  if (own) return controller.send(filled(own.text, args.trim()))
  const known = [...all.map((each) => each.name), ...(controller.bench?.commands() ?? []).map((each) => each.name)]
  const near = nearestName(name, known)
  controller.note(
    `There is no command /${name}.${near === undefined ? '' : ` Did you mean /${near}?`} /help lists them.`,
    'warning',
  )
}

const firstLine = (text: string): string => text.trim().split('\n')[0]!.slice(0, 60)

/** A user's command with its arguments; those without a place for them stand at its end. */
function filled(text: string, args: string): string {
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? text : `${text.trimEnd()}\n\n${args}`
}
