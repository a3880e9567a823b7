import { z } from 'zod'
import { editText, type EditMatch, type TextEdit } from '../../workspace/edit/edit-text.ts'
import { applyChange, proposeChange, refitChange, reviseChange } from '../change-file.ts'
import { faultResult } from '../fault-result.ts'
import { reveal } from '../reveal.ts'
import { defineTool, fail } from '../tool.ts'

const oneEdit = z.object({ old_text: z.string(), new_text: z.string(), replace_all: z.boolean().optional() })

export const editFile = defineTool({
  name: 'edit_file',
  description: 'Replace text in a file. old_text: the exact text, in one place only; or several edits, all or none.',
  input: z
    .object({
      path: z.string(),
      old_text: z.string().optional(),
      new_text: z.string().optional(),
      replace_all: z.boolean().optional(),
      edits: z.array(oneEdit).optional(),
    })
    .refine(
      ({ old_text: old, new_text: wanted, edits }) =>
        (edits && edits.length > 0) || (old !== undefined && wanted !== undefined),
      {
        message: 'give old_text and new_text, or edits',
        path: ['old_text'],
      },
    ),
  usual: ['old_text', 'new_text'],
  effect: 'write',
  unmasks: true,
  aliases: [
    { name: 'str_replace', map: { old_str: 'old_text', new_str: 'new_text' } },
    { name: 'str_replace_editor', map: { old_str: 'old_text', new_str: 'new_text' } },
    { name: 'edit' },
    { name: 'Edit' },
    { name: 'MultiEdit' },
    { name: 'replace' },
    { name: 'replace_in_file' },
    { name: 'search_replace' },
  ],
  synonyms: {
    file: 'path',
    file_path: 'path',
    filepath: 'path',
    filename: 'path',
    target_file: 'path',
    old_str: 'old_text',
    new_str: 'new_text',
    old_string: 'old_text',
    new_string: 'new_text',
    oldText: 'old_text',
    newText: 'new_text',
    search: 'old_text',
    replace: 'new_text',
    replacement: 'new_text',
    replaceAll: 'replace_all',
  },
  paths: ({ path }) => [path],
  title: ({ path }) => `edit ${path}`,
  async propose(input, context) {
    const file = await context.workspace.readText(input.path)
    if (!file.ok) {
      // An edit from nothing is how some models make a file.
      const [only, ...others] = editsOf(input)
      const makesFile = file.code === 'NOT_FOUND' && others.length === 0 && only?.oldText === ''
      if (!makesFile) return faultResult(file)
      const revealed = reveal([only.newText], null, context)
      if ('status' in revealed) return revealed
      return await proposeChange({ path: input.path, before: null, after: revealed[0]! }, context)
    }
    const edits = editsOf(input)
    const revealed = reveal(
      edits.flatMap(({ oldText, newText }) => [oldText, newText]),
      file.text,
      context,
    )
    if ('status' in revealed) return revealed
    for (const [at, edit] of edits.entries()) {
      edit.oldText = revealed[2 * at]!
      edit.newText = revealed[2 * at + 1]!
    }
    const edited = editText(file.text, edits, { path: file.path })
    if (!edited.ok) {
      const changed = context.seen.compare(file.path, file.hash) === 'changed'
      return fail(
        edited.code,
        changed ? `${edited.message} ${file.path} was changed since you read it: read it again.` : edited.message,
      )
    }
    return await proposeChange(
      { path: file.path, before: file, after: edited.text, notes: edited.matches.flatMap(matchNotes) },
      context,
    )
  },
  revise: async (_input, proposal, answer) => reviseChange(proposal, answer),
  refit: refitChange,
  run: (_input, context, proposal) => applyChange(proposal!, 'edit_file', context),
})

interface Input {
  old_text?: string | undefined
  new_text?: string | undefined
  replace_all?: boolean | undefined
  edits?: z.infer<typeof oneEdit>[] | undefined
}

function editsOf({ old_text: old, new_text: wanted, replace_all: all, edits = [] }: Input): TextEdit[] {
  const single =
    old === undefined || wanted === undefined ? [] : [{ old_text: old, new_text: wanted, replace_all: all }]
  return [...single, ...edits].map((each) => ({
    oldText: each.old_text,
    newText: each.new_text,
    replaceAll: each.replace_all === true,
  }))
}

/** What the model should know of how its text was found. */
function matchNotes({ rung, count, startLine, notes }: EditMatch): string[] {
  const found =
    rung === 'exact'
      ? `exact match at line ${startLine}`
      : `matched at line ${startLine} after allowing for ${WORDS[rung]}`
  return [count === 1 ? found : `${count} places, first at line ${startLine}`, ...notes]
}

const WORDS = {
  'trailing-space': 'trailing white space',
  indentation: 'indentation',
  punctuation: 'Unicode punctuation',
} as const
