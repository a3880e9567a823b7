import { z } from 'zod'
import { applyChange, proposeChange } from '../change-file.ts'
import { faultResult } from '../fault-result.ts'
import { findNote, notePath, withSection } from '../notes.ts'
import { reveal } from '../reveal.ts'
import { defineTool, fail } from '../tool.ts'
import { appended } from '../../workspace/edit/write-text.ts'

export const noteWrite = defineTool({
  name: 'note_write',
  description: 'Write a project note, or one section of it.',
  input: z.object({
    title: z.string(),
    folder: z.string().optional(),
    section: z.string().optional(),
    content: z.string(),
    mode: z.enum(['create', 'replace', 'append']),
  }),
  effect: 'note',
  unmasks: true,
  synonyms: { text: 'content', body: 'content', name: 'title' },
  title: ({ title, mode }) =>
    `${mode === 'create' ? 'write' : mode === 'append' ? 'add to' : 'replace'} the note ${title}`,
  async propose({ title, folder, section, content, mode }, context) {
    const { workspace } = context
    const found = await findNote(workspace, title, folder)
    const path = 'status' in found ? notePath(title, folder) : found.path
    if (typeof path !== 'string') return path
    const file = await workspace.readText(path)
    if (!file.ok && file.code !== 'NOT_FOUND') return faultResult(file)
    if (file.ok && mode === 'create' && section === undefined) {
      return fail('ALREADY_EXISTS', `The note ${JSON.stringify(title)} exists already. Use mode append or replace.`)
    }
    if (!file.ok && mode === 'replace' && 'status' in found) return found
    const revealed = reveal([content], file.ok ? file.text : null, context)
    if ('status' in revealed) return revealed
    const [text = ''] = revealed
    const before = file.ok ? file.text : ''
    const whole = mode === 'append' ? appended(before, text) : text
    const after =
      section === undefined ? whole : withSection(before, section, text, mode === 'append' ? 'append' : 'replace')
    return await proposeChange(
      { path, before: file.ok ? file : null, after: after.endsWith('\n') ? after : `${after}\n` },
      context,
    )
  },
  run: (_input, context, proposal) => applyChange(proposal!, 'note_write', context),
})
