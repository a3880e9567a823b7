import { z } from 'zod'
import { applyChange, proposeChange } from '../change-file.ts'
import { faultResult } from '../fault-result.ts'
import { defineTool, ok, type Proposal } from '../tool.ts'

/** Bytes deleted without a diff: nobody reads what is no text. */
interface PreparedRemoval {
  binary: { path: string; size: number }
}

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Delete a file; the user can undo it.',
  input: z.object({ path: z.string() }),
  effect: 'write',
  aliases: [{ name: 'remove_file' }],
  synonyms: { file: 'path', file_path: 'path', filepath: 'path', filename: 'path', target_file: 'path' },
  paths: ({ path }) => [path],
  title: ({ path }) => `delete ${path}`,
  async propose({ path }, context) {
    const file = await context.workspace.readText(path)
    if (file.ok) return await proposeChange({ path: file.path, before: file, after: null }, context)
    if (file.code !== 'NOT_TEXT') return faultResult(file)
    const bytes = await context.workspace.readBytes(path)
    if (!bytes.ok) return faultResult(bytes)
    const prepared: PreparedRemoval = { binary: { path: bytes.path, size: bytes.bytes.length } }
    return { title: `delete ${bytes.path} (${bytes.bytes.length} bytes, no text)`, paths: [bytes.path], prepared }
  },
  async run(_input, context, proposal) {
    const { binary } = proposal!.prepared as Partial<PreparedRemoval>
    if (!binary) return await applyChange(proposal as Proposal, 'delete_file', context)
    const { sessionId, callId, workspace } = context
    const origin = { sessionId, callId, tool: 'delete_file', description: proposal!.title }
    const removed = await workspace.remove(binary.path, origin)
    if (!removed.ok) return faultResult(removed)
    const changes = [{ path: binary.path, change: 'deleted' }]
    return ok(`Deleted ${binary.path} (${binary.size} bytes). The user can undo it.`, { path: binary.path, changes })
  },
})
