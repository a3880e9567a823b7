// Options that stand before a command (`codehound --offline run …`) hold for it as if they stood behind it. Commander gives them to
// the program alone, so that they would vanish.
import type { Command, Option } from 'commander'
import { EXIT, UserError } from '../protocol/user-error.ts'

/** Options that every command obeys, also one that does not list them. */
const EVERYWHERE = new Set(['config'])

/** Hands the program's own options to the command that is about to run. Throws UserError for one that means nothing to it. */
export function handDown(program: Command, command: Command): void {
  if (command === program) return
  for (const option of program.options) {
    const name = option.attributeName()
    if (program.getOptionValueSource(name) !== 'cli') continue
    const taker = takerOf(option, command, program)
    // What stands behind the command is nearer to it.
    if (taker?.getOptionValueSource(name) === 'cli') continue
    if (taker) taker.setOptionValueWithSource(name, program.getOptionValue(name), 'cli')
    else if (!EVERYWHERE.has(name)) throw meansNothing(option, command, program)
  }
}

/** The command, or one that it stands in, which has an option of this name; the innermost. */
function takerOf(option: Option, command: Command, program: Command): Command | undefined {
  for (let each: Command | null = command; each && each !== program; each = each.parent)
    if (each.options.some((own) => own.attributeName() === option.attributeName())) return each
  return undefined
}

function meansNothing(option: Option, command: Command, program: Command): UserError {
  const name =
    command.parent === program || !command.parent ? command.name() : `${command.parent.name()} ${command.name()}`
  return new UserError('usage', `${option.long} is not an option of codehound ${name}.`, {
    exitCode: EXIT.usage,
    suggestion: `Leave it out; codehound ${name} --help lists what it takes.`,
  })
}
