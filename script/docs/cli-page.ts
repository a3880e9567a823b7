import type { Command } from 'commander'
import { buildProgram } from '../../src/commands/program.ts'
import { generated } from './markdown.ts'

/** Columns of the help texts on the page. */
const WIDTH = 100

/** The help of every command, as `--help` prints it. */
export function cliPage(): string {
  const never = (): never => {
    throw new Error('no command runs while its help is written')
  }
  const program = buildProgram({ version: '', openApp: never, openCommandDeps: never, openTui: never }, never)
  return `${generated('src/commands/')}
# Command line

${sections(program, 'codehound').join('\n\n')}
`
}

function sections(command: Command, name: string): string[] {
  const help: string[] = []
  command.configureOutput({
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
    writeOut: (text) => void help.push(text),
  })
  command.outputHelp()
  const inner = command.commands.flatMap((each) => sections(each, `${name} ${each.name()}`))
  return [`## ${name}\n\n\`\`\`\n${help.join('').trimEnd()}\n\`\`\``, ...inner]
}
