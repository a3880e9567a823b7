import { z } from 'zod'
import type { BackgroundCommand } from '../../workspace/process/background.ts'
import { protectedData, protectedText } from '../protected-text.ts'
import { plainText } from '../command-text.ts'
import { defineTool, fail, ok, type ToolContext } from '../tool.ts'

/** A running command without news is waited for so long: a turn of the model costs more. Milliseconds. */
const WAIT_MS = 1_000
const STEP_MS = 50
/** Room for the line that says how much is left. */
const STATE_CHARACTERS = 100

export const shellOutput = defineTool({
  name: 'shell_output',
  description: 'Read new output of a background command, or the next part of a long output.',
  input: z.object({ id: z.string() }),
  effect: 'read',
  poll: true,
  rest: 'Let the command filter or write to a file what it prints to see it all',
  aliases: [{ name: 'BashOutput', map: { bash_id: 'id' } }, { name: 'read_output' }],
  synonyms: { bash_id: 'id', shell_id: 'id', command_id: 'id', process_id: 'id' },
  title: ({ id }) => `read the output of ${id}`,
  async run({ id }, context) {
    const { commands, keptOutput, maxCharacters, signal } = context
    const kept = keptOutput.read(id, maxCharacters - STATE_CHARACTERS)
    if (kept) {
      const left = kept.totalBytes - kept.nextOffset
      const more = left > 0 ? `\n(${left} bytes to go: call again for the next part)` : '\n(end of the output)'
      return ok(`${plainText(kept.text)}${more}`, { ...kept, text: undefined })
    }
    let read = commands.background.read(id)
    for (let waited = 0; read?.running && read.text === '' && waited < WAIT_MS && !signal.aborted; waited += STEP_MS) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS))
      read = commands.background.read(id)
    }
    if (!read) return unknownId(id, context)
    const text = plainText(read.text).trimEnd()
    const touched = protectedText(read, context.workspace.root)
    return ok(`${stateLine(read)}\n${text === '' ? '(no new output)' : text}${touched}`, {
      ...protectedData(read, context.workspace.root),
      id,
      running: read.running,
      exitCode: read.exitCode,
    })
  },
})

export function unknownId(id: string, { commands, keptOutput }: ToolContext): ReturnType<typeof fail> {
  const known = [...commands.background.list().map((each) => each.id), ...keptOutput.ids()]
  const which = known.length === 0 ? 'There are none in this session.' : `Known ids: ${known.join(', ')}.`
  return fail('UNKNOWN_ID', `No command has the id ${JSON.stringify(id)}. ${which}`)
}

export function stateLine({ id, command, running, exitCode, signal, error }: BackgroundCommand): string {
  if (running) return `${id} is running: ${command}`
  if (error !== undefined) return `${id} could not be started: ${error}`
  return `${id} has ended (${exitCode === null ? `signal ${signal}` : `exit code ${exitCode}`}): ${command}`
}
