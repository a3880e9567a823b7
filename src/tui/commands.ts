// Commands of the screen, by name. Each does something; an unknown one suggests the nearest. The user's own commands and
// those made of a prompt are sent as messages.
import { nearestName } from '../lib/edit-distance.ts'
import { modelCommands } from './commands/model.ts'
import { projectCommands } from './commands/project.ts'
import { promptCommands } from './commands/prompts.ts'
import { sessionCommands } from './commands/session.ts'
import { changeCommands } from './commands/changes.ts'
import type { Controller } from './controller.ts'
import { twoColumns } from './two-columns.ts'

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

const keys = [
  { head: 'Enter', text: 'sends; during a run the message waits for the next turn' },
  { head: 'Shift+Enter, Alt+Enter, \\ Enter', text: 'new line' },
  { head: 'Esc, Ctrl+C', text: 'interrupts; Ctrl+C twice leaves' },
  { head: 'Ctrl+D', text: 'on an empty line leaves; the session is kept' },
  { head: 'Ctrl+Z', text: 'on an empty line undoes a change, else typing' },
  { head: 'Shift+Tab', text: 'mode' },
  { head: 'Ctrl+O', text: 'details of tool calls' },
  { head: 'Ctrl+G', text: 'the text in $EDITOR' },
  { head: '↑ ↓, Ctrl+R', text: 'what was typed before; search in it' },
  { head: 'Tab', text: 'completes commands, paths, symbols, attachments' },
  { head: '@path, @folder/', text: 'attaches what it is about; @path:10-40 lines, @@path all of it' },
  { head: '@symbol:Name, @diff, @todo', text: 'attach these; also @note:title, @config, @https://…' },
  { head: '!command', text: 'runs it and shares its output; !!command has the terminal' },
]

function helpText(controller: Controller): string {
  const commands = [
    ...all.map(({ name, args, help }) => ({ head: `/${name} ${args}`.trim(), text: help })),
    ...(controller.bench?.commands() ?? []).map(({ name, description }) => ({ head: `/${name}`, text: description })),
  ]
  return twoColumns([...keys, { head: '', text: '' }, ...commands], controller.columns)
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
