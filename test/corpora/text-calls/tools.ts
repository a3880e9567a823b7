import type { JsonSchema, KnownTool } from '../../../src/model/text-calls/types.ts'

const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer', minimum: 1 }
const flag: JsonSchema = { type: 'boolean' }
const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** The tools of the corpus: the shape of codehound's own, without depending on them. */
export const tools: readonly KnownTool[] = [
  {
    name: 'read_file',
    description: 'Read a file, or some of its lines.',
    aliases: [
      { name: 'Read', map: { file_path: 'path', offset: 'start_line' } },
      { name: 'get_lines', map: { start: 'start_line', end: 'end_line' } },
      { name: 'cat' },
      { name: 'view' },
    ],
    effect: 'read',
    schema: object({ path: text, start_line: whole, end_line: whole }, ['path']),
  },
  {
    name: 'list_files',
    description: 'List a folder.',
    aliases: [{ name: 'ls' }],
    effect: 'read',
    schema: object({ path: text, recursive: flag, pattern: text }, ['path']),
  },
  {
    name: 'search_text',
    description: 'Search the files for a text or a regular expression.',
    aliases: [{ name: 'grep', map: { pattern: 'query' } }],
    effect: 'read',
    schema: object({ query: text, path: text, regex: flag, context: { type: 'integer', minimum: 0 } }, ['query']),
  },
  {
    name: 'edit_file',
    description: 'Replace a text in a file.',
    aliases: [{ name: 'str_replace', map: { old_str: 'old_text', new_str: 'new_text' } }, { name: 'Edit' }],
    effect: 'write',
    schema: object({ path: text, old_text: text, new_text: text, replace_all: flag }, ['path', 'old_text', 'new_text']),
  },
  {
    name: 'write_file',
    description: 'Write a whole file.',
    aliases: [{ name: 'create_file' }, { name: 'Write', map: { file_path: 'path' } }],
    effect: 'write',
    schema: object({ path: text, content: text, mode: { type: 'string', enum: ['create', 'overwrite', 'append'] } }, [
      'path',
      'content',
    ]),
  },
  {
    name: 'shell_exec',
    description: 'Run a command.',
    aliases: [{ name: 'bash' }, { name: 'run_command' }],
    effect: 'execute',
    schema: object({ command: text, cwd: text, timeout: { type: 'number' } }, ['command']),
  },
  {
    name: 'run_tests',
    description: 'Run the tests.',
    aliases: [],
    effect: 'execute',
    schema: object({ path: text, filter: text }),
  },
  { name: 'git_status', description: 'State of the work tree.', aliases: [], effect: 'read', schema: object({}) },
  {
    name: 'git_commit',
    description: 'Commit.',
    aliases: [],
    effect: 'write',
    schema: object({ message: text, files: { type: 'array', items: text } }, ['message']),
  },
  {
    name: 'plan_update',
    description: 'Replace the plan.',
    aliases: [],
    effect: 'note',
    schema: object(
      {
        items: {
          type: 'array',
          items: object({ text, state: { type: 'string', enum: ['open', 'doing', 'done'] } }, ['text', 'state']),
        },
      },
      ['items'],
    ),
  },
  {
    name: 'get_function',
    description: 'Read a function.',
    aliases: [],
    effect: 'read',
    schema: object({ path: text, name: text }, ['path', 'name']),
  },
  {
    name: 'shell_stop',
    description: 'End a command in the background.',
    aliases: [],
    effect: 'execute',
    schema: object({ id: text }, ['id']),
  },
  {
    name: 'web_fetch',
    description: 'Fetch a page.',
    aliases: [],
    effect: 'network',
    schema: object({ url: text }, ['url']),
  },
]
