import { z } from 'zod'
import { appended, withLineEndsOf } from '../../workspace/edit/write-text.ts'
import { applyChange, proposeChange, refitChange, reviseChange } from '../change-file.ts'
import { cleanContent } from '../clean-content.ts'
import { faultResult } from '../fault-result.ts'
import { reveal } from '../reveal.ts'
import { defineTool, fail } from '../tool.ts'

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Write a whole file. mode: create (default), overwrite (read it first), append.',
  input: z.object({
    path: z.string(),
    content: z.string(),
    mode: z.enum(['create', 'overwrite', 'append']).optional(),
  }),
  effect: 'write',
  unmasks: true,
  aliases: [
    { name: 'create_file', set: { mode: 'create' } },
    { name: 'write' },
    { name: 'Write' },
    { name: 'write_to_file' },
    { name: 'save_file' },
    { name: 'append_file', set: { mode: 'append' } },
  ],
  synonyms: {
    file: 'path',
    file_path: 'path',
    filepath: 'path',
    filename: 'path',
    target_file: 'path',
    contents: 'content',
    text: 'content',
    file_text: 'content',
    file_content: 'content',
    body: 'content',
    code: 'content',
  },
  paths: ({ path }) => [path],
  title: ({ path, mode = 'create' }) => `${mode === 'append' ? 'append to' : mode} ${path}`,
  async propose({ path, content, mode = 'create' }, context) {
    const at = context.workspace.resolve(path, 'write')
    if (!at.ok) return faultResult(at)
    const file = await context.workspace.readText(path)
    if (!file.ok && file.code !== 'NOT_FOUND') return faultResult(file)
    const revealed = reveal([content], file.ok ? file.text : null, context)
    if ('status' in revealed) return revealed
    const [text = ''] = revealed
    if (!file.ok) {
      const cleaned = cleanContent(at.relative, text, '')
      if ('status' in cleaned) return cleaned
      return await proposeChange(
        { path: at.relative, before: null, after: cleaned.text, notes: cleaned.notes },
        context,
      )
    }
    if (mode === 'create') {
      const lines = file.text.split('\n').length
      return fail(
        'ALREADY_EXISTS',
        `${file.path} exists already (${lines} lines). Change it with edit_file, or read it and write it with mode: overwrite.`,
      )
    }
    const state = context.seen.compare(file.path, file.hash)
    if (mode === 'overwrite' && state !== 'same') {
      const why = state === 'never' ? 'was not read yet' : 'was changed since you read it'
      return fail('READ_FIRST', `${file.path} ${why}, so overwriting it could lose what is in it. Read it first.`)
    }
    const cleaned = cleanContent(file.path, text, file.text)
    if ('status' in cleaned) return cleaned
    const after = mode === 'append' ? appended(file.text, cleaned.text) : withLineEndsOf(file.text, cleaned.text)
    return await proposeChange({ path: file.path, before: file, after, notes: cleaned.notes }, context)
  },
  revise: async (_input, proposal, answer) => reviseChange(proposal, answer),
  refit: refitChange,
  run: (_input, context, proposal) => applyChange(proposal!, 'write_file', context),
})
