import type { Command } from 'commander'
import { nearestName } from '../lib/edit-distance.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'

/** The error for a word that names no command of `parent`; `more` says what else could have been meant. */
export function unknownCommand(word: string, parent: Command, more = ''): UserError {
  const names = parent.commands.map((command) => command.name())
  const near = nearestName(word, names)
  const full = parent.parent ? `${parent.name()} ${word}` : word
  return new UserError('usage', `There is no command "${full}".`, {
    exitCode: EXIT.usage,
    suggestion: `${near === undefined ? '' : `Did you mean ${near}? `}The commands are ${names.join(', ')}${more === '' ? '.' : `; ${more}`}`,
  })
}
