import { z } from 'zod'
import { faultResult } from '../fault-result.ts'
import { firstLines } from '../index-answer.ts'
import { listNotes } from '../notes.ts'
import { defineTool, ok } from '../tool.ts'

const SHOWN = 50

export const noteSearch = defineTool({
  name: 'note_search',
  description: 'Search project notes.',
  input: z.object({ query: z.string().min(1) }),
  effect: 'note',
  title: ({ query }) => `search the notes for ${JSON.stringify(query)}`,
  async run({ query }, { workspace }) {
    const notes = await listNotes(workspace)
    if (!Array.isArray(notes)) return faultResult(notes)
    const wanted = query.toLowerCase()
    const found: string[] = []
    for (const { path, folder, title } of notes) {
      const file = await workspace.readText(path)
      if (!file.ok) continue
      const name = folder === '' ? title : `${folder}/${title}`
      if (name.toLowerCase().includes(wanted)) found.push(name)
      for (const [at, line] of file.text.split(/\r?\n/).entries()) {
        if (line.toLowerCase().includes(wanted)) found.push(`${name}:${at + 1}: ${line}`)
      }
    }
    return ok(found.length === 0 ? `No note says ${JSON.stringify(query)}.` : firstLines(found, SHOWN, 'lines'), {
      total: found.length,
    })
  },
})
