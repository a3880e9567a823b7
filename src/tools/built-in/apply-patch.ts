import { z } from 'zod'
import type { ToolResult } from '../../protocol/index.ts'
import { applyChunks } from '../../workspace/edit/apply-patch.ts'
import { parsePatch, type FilePatch, type PatchChunk } from '../../workspace/edit/parse-patch.ts'
import { applyChanges, proposeChange, type PreparedChange, type WantedChange } from '../change-file.ts'
import { faultResult } from '../fault-result.ts'
import { reveal } from '../reveal.ts'
import { defineTool, fail, type ToolContext } from '../tool.ts'

const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i

/** Not advertised: it is there for models that were trained on patches and write them unasked. */
export const applyPatch = defineTool({
  name: 'apply_patch',
  description: 'Change several files by one patch (*** Begin Patch, or a unified diff), all or none.',
  input: z.object({ patch: z.string().min(1) }),
  effect: 'write',
  unmasks: true,
  aliases: [{ name: 'apply_diff' }],
  synonyms: { input: 'patch', diff: 'patch', content: 'patch', text: 'patch', patch_text: 'patch', patchText: 'patch' },
  paths: ({ patch }) => {
    const parsed = parsePatch(patch)
    return parsed.ok ? parsed.files.flatMap(pathsOf) : []
  },
  title: ({ patch }) => {
    const parsed = parsePatch(patch)
    return parsed.ok ? `patch ${parsed.files.map(({ path }) => path).join(', ')}` : 'patch'
  },
  async propose({ patch }, context) {
    const parsed = parsePatch(patch)
    if (!parsed.ok)
      return fail(
        'FORMAT_ERROR',
        `The patch cannot be read at line ${parsed.line}: ${parsed.message} Nothing was changed.`,
      )
    const prepared: PreparedChange[] = []
    for (const file of parsed.files) {
      const wanted = await wantedChanges(file, context)
      if ('status' in wanted) return wanted
      for (const each of wanted) {
        const proposal = await proposeChange(each, context)
        if ('status' in proposal) return proposal
        prepared.push(proposal.prepared as PreparedChange)
      }
    }
    const diffs = prepared.map(({ diff }) => diff)
    const paths = prepared.map(({ path }) => path)
    return { title: `patch ${paths.join(', ')}`, paths, diffs, prepared }
  },
  run: (_input, context, proposal) =>
    applyChanges(proposal!.prepared as PreparedChange[], { title: proposal!.title, tool: 'apply_patch' }, context),
})

function pathsOf(file: FilePatch): string[] {
  return file.kind === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path]
}

/** The changes of files that one part of a patch means: two where it moves a file. */
async function wantedChanges(patch: FilePatch, context: ToolContext): Promise<WantedChange[] | ToolResult> {
  const { workspace } = context
  const file = await workspace.readText(patch.path)
  if (patch.kind === 'add') {
    if (file.ok)
      return fail(
        'ALREADY_EXISTS',
        `${file.path} exists already, so the patch cannot add it. Update it instead. Nothing was changed.`,
      )
    if (file.code !== 'NOT_FOUND') return faultResult(file)
    const revealed = reveal([patch.text], null, context)
    return 'status' in revealed ? revealed : [{ path: patch.path, before: null, after: revealed[0]! }]
  }
  if (!file.ok) return faultResult(file)
  if (patch.kind === 'delete') return [{ path: file.path, before: file, after: null }]
  let { text } = file
  if (patch.chunks.length > 0) {
    const chunks = revealedChunks(patch.chunks, file.text, context)
    if ('status' in chunks) return chunks
    const patched = applyChunks(file.text, chunks, { prose: PROSE.test(file.path) })
    if (!patched.ok) return fail(patched.code, `${file.path}: ${patched.message} Nothing was changed.`)
    text = patched.text
  }
  if (patch.moveTo === undefined) return [{ path: file.path, before: file, after: text }]
  const target = await workspace.readText(patch.moveTo)
  if (target.ok)
    return fail(
      'ALREADY_EXISTS',
      `${target.path} exists already, so ${file.path} cannot be moved there. Nothing was changed.`,
    )
  if (target.code !== 'NOT_FOUND') return faultResult(target)
  return [
    { path: patch.moveTo, before: null, after: text },
    { path: file.path, before: file, after: null },
  ]
}

function revealedChunks(chunks: PatchChunk[], fileText: string, context: ToolContext): PatchChunk[] | ToolResult {
  const made: PatchChunk[] = []
  for (const chunk of chunks) {
    const texts = reveal(
      chunk.lines.map(({ text }) => text),
      fileText,
      context,
    )
    if ('status' in texts) return texts
    const lines = chunk.lines.map(({ kind }, at) => ({ kind, text: texts[at]! }))
    made.push({ ...chunk, lines })
  }
  return made
}
