import { z } from 'zod'
import { plainText } from '../command-text.ts'
import { defineTool, ok } from '../tool.ts'
import { stateLine, unknownId } from './shell-output.ts'

export const shellStop = defineTool({
  name: 'shell_stop',
  description: 'End a background command.',
  input: z.object({ id: z.string() }),
  // It ends only what the session itself started.
  effect: 'note',
  aliases: [
    { name: 'KillShell', map: { shell_id: 'id' } },
    { name: 'KillBash', map: { shell_id: 'id' } },
  ],
  synonyms: { bash_id: 'id', shell_id: 'id', command_id: 'id', process_id: 'id' },
  title: ({ id }) => `stop command ${id}`,
  async run({ id }, context) {
    const stopped = await context.commands.background.stop(id)
    if (!stopped) return unknownId(id, context)
    const rest = plainText(context.commands.background.read(id)?.text ?? '').trimEnd()
    return ok(`${stateLine(stopped)}${rest === '' ? '' : `\n${rest}`}`, { id, exitCode: stopped.exitCode })
  },
})
