import { z } from 'zod'
import { faultResult } from '../fault-result.ts'
import { listNotes } from '../notes.ts'
import { defineTool, ok } from '../tool.ts'

export const noteList = defineTool({
  name: 'note_list',
  description: 'List project notes.',
  input: z.object({ folder: z.string().optional() }),
  effect: 'note',
  title: () => 'list the notes',
  async run({ folder }, { workspace }) {
    const notes = await listNotes(workspace)
    if (!Array.isArray(notes)) return faultResult(notes)
    const wanted = notes.filter(
      (each) => folder === undefined || each.folder === folder || each.folder.startsWith(`${folder}/`),
    )
    const lines = wanted.map(({ folder, title }) => (folder === '' ? title : `${folder}/${title}`))
    return ok(lines.length === 0 ? 'There are no notes. note_write makes one.' : lines.join('\n'), {
      total: lines.length,
    })
  },
})
