import { z } from 'zod'
import { faultResult } from '../fault-result.ts'
import { findNote } from '../notes.ts'
import { defineTool, ok } from '../tool.ts'

export const noteRead = defineTool({
  name: 'note_read',
  description: 'Read a project note.',
  input: z.object({ title: z.string() }),
  effect: 'note',
  title: ({ title }) => `read the note ${title}`,
  async run({ title }, { workspace }) {
    const [name = '', ...folders] = title.split('/').reverse()
    const note = await findNote(workspace, name, folders.length > 0 ? folders.reverse().join('/') : undefined)
    if ('status' in note) return note
    const file = await workspace.readText(note.path)
    return file.ok ? ok(file.text, { path: note.path }) : faultResult(file)
  },
})
