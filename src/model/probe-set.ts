import type { KnownTool } from './text-calls/types.ts'

/** One thing a model is asked to do with a tool, and how to see that it did. */
export interface ToolProbe {
  name: string
  ask: string
  tool: string
  right(args: Record<string, unknown>): boolean
}

/** Tools of the probes: small forms of real ones, so that what works here works in a session. */
export const probeTools: readonly KnownTool[] = [
  {
    name: 'read_file',
    description: 'Reads a text file, from a line on when one is given.',
    aliases: [],
    effect: 'read',
    schema: {
      type: 'object',
      properties: { path: { type: 'string' }, start: { type: 'integer', minimum: 1 } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  {
    name: 'edit_file',
    description: 'Replaces a text in a file. Both texts are taken as they are, with their line breaks.',
    aliases: [],
    effect: 'write',
    schema: {
      type: 'object',
      properties: { path: { type: 'string' }, old_text: { type: 'string' }, new_text: { type: 'string' } },
      required: ['path', 'old_text', 'new_text'],
      additionalProperties: false,
    },
  },
  {
    name: 'plan_update',
    description: 'Sets the plan.',
    aliases: [],
    effect: 'note',
    schema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { text: { type: 'string' }, state: { type: 'string', enum: ['open', 'doing', 'done'] } },
            required: ['text', 'state'],
          },
        },
      },
      required: ['items'],
      additionalProperties: false,
    },
  },
]

const oldText = 'print("hello")'
const newText = 'name = "world"\nprint(f"hello {name}")'

/** A plain call with a number, a call whose texts need escaping, a call with a list of objects. */
export const toolProbes: readonly ToolProbe[] = [
  {
    name: 'a plain call',
    ask: 'Call read_file for the file src/main.ts, starting at line 10. Do nothing else.',
    tool: 'read_file',
    right: (args) => args['path'] === 'src/main.ts' && args['start'] === 10,
  },
  {
    name: 'quotes and line breaks',
    ask: `Call edit_file on app.py. Replace this line:\n${oldText}\nby these two lines:\n${newText}\nDo nothing else.`,
    tool: 'edit_file',
    right: (args) =>
      args['path'] === 'app.py' &&
      String(args['old_text']).trim() === oldText &&
      String(args['new_text']).trim() === newText,
  },
  {
    name: 'a list of objects',
    ask: 'Call plan_update with two items: "read the code" in state done, then "write the test" in state doing. Do nothing else.',
    tool: 'plan_update',
    right: ({ items }) =>
      JSON.stringify(items) ===
      JSON.stringify([
        { text: 'read the code', state: 'done' },
        { text: 'write the test', state: 'doing' },
      ]),
  },
]

/** Told first and asked last; a model that saw the whole prompt knows it. */
export const secretWord = 'amber-heron-47'

/** A prompt of about that many characters with the word at its beginning. */
export function windowProbe(chars: number): { told: string; asked: string } {
  const head = `Remember this word: ${secretWord}.\nWhat follows is only filler.\n`
  let told = head
  for (let line = 1; told.length < chars; line++)
    told += `${line}. The quick brown fox number ${line * 7} jumps over the lazy dog number ${line * 13}.\n`
  return { told, asked: 'Which word were you asked to remember? Answer with the word only.' }
}
