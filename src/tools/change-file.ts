// The way of every change of a file: proposed as a diff, judged elsewhere, applied as it was shown, told to the model.
import type { DiffHunk, FileDiff, ToolErrorCode, ToolResult } from '../protocol/index.ts'
import { withoutHunks } from '../workspace/diff/drop-hunks.ts'
import { diffFile } from '../workspace/diff/file-diff.ts'
import { refit } from '../workspace/diff/refit.ts'
import type { Fault } from '../workspace/fault.ts'
import type { TextFile } from '../workspace/files/read-file.ts'
import { sha256 } from '../workspace/files/text-format.ts'
import { faultResult } from './fault-result.ts'
import { cutMiddle } from './result-cap.ts'
import { fail, ok, type FileChange, type Proposal, type Revision, type ToolContext } from './tool.ts'

/** Characters of a diff in a result: the model wrote it itself, it only has to see that it came out as meant. */
const DIFF_CHARACTERS = 3_000
/** Unchanged lines around a change in that diff. */
const DIFF_CONTEXT = 1

/** A change as it was shown; what is applied is this and nothing else. */
export interface PreparedChange {
  path: string
  before: { text: string; hash: string } | null
  /** Null deletes the file. */
  after: string | null
  diff: FileDiff
  /** How the place was found, what was mended; one clause each, for the result. */
  notes: string[]
}

export interface WantedChange {
  path: string
  before: TextFile | null
  after: string | null
  notes?: string[]
}

/** The proposal of a change, or the failure that sends it back to the model. */
export async function proposeChange(wanted: WantedChange, context: ToolContext): Promise<Proposal | ToolResult> {
  const { path, before, after, notes = [] } = wanted
  if (before && before.text === after) {
    return fail('NO_CHANGE', `${path} already has exactly this content. Nothing was changed.`)
  }
  const fault = after === null ? undefined : await newSyntaxFault(wanted, after, context)
  if (fault !== undefined && isFirstWarning(`${path} ${sha256(after ?? '')}`, context)) {
    return fail(
      'SYNTAX_FAULT',
      `Not applied: ${path} ${before ? 'parses now and would not after this change' : 'would not parse'}: ${fault}. Fix the change; if it is meant to be so, make the same call again.`,
    )
  }
  const note = fault === undefined ? {} : { note: `does not parse: ${fault}` }
  const diff = diffFile(path, before?.text ?? null, after, note)
  const prepared: PreparedChange = {
    path,
    before: before && { text: before.text, hash: before.hash },
    after,
    diff,
    notes: fault === undefined ? notes : [...notes, `it does not parse: ${fault}`],
  }
  return { title: titleOf(diff), paths: [path], diff, prepared }
}

/** The model is warned once, and then taken at its word. */
function isFirstWarning(change: string, { warned }: ToolContext): boolean {
  const first = !warned.has(change)
  warned.add(change)
  return first
}

async function newSyntaxFault(
  { path, before }: WantedChange,
  after: string,
  { syntax }: ToolContext,
): Promise<string | undefined> {
  const fault = await syntax?.(path, after)
  if (!fault || (before && (await syntax?.(path, before.text)))) return undefined
  return `line ${fault.line}, column ${fault.column}: ${fault.message}`
}

function titleOf({ path, change, added, removed }: FileDiff): string {
  const verb = { created: 'create', modified: 'edit', deleted: 'delete' }[change]
  return `${verb} ${path} (+${added} −${removed})`
}

/** A person left hunks out, or wrote the text anew. */
export function reviseChange(proposal: Proposal, { droppedHunks = [], editedText }: Revision): Proposal | ToolResult {
  const prepared = proposal.prepared as PreparedChange
  const { path, before, after } = prepared
  const revised = editedText ?? withoutHunks(before?.text ?? '', after ?? '', droppedHunks)
  if (revised === (before?.text ?? null)) {
    return {
      status: 'cancelled',
      code: 'USER_REJECTED',
      text: `The user left out every part of this change of ${path}. Nothing was changed.`,
    }
  }
  const diff = diffFile(path, before?.text ?? null, revised)
  const how = editedText === undefined ? 'the user left out a part of it' : 'the user changed it before it was applied'
  return {
    ...proposal,
    title: titleOf(diff),
    diff,
    prepared: { ...prepared, after: revised, diff, notes: [...prepared.notes, how] },
  }
}

/** The same change on top of what somebody made of the file meanwhile; undefined when its lines are no longer there. */
export async function refitChange(proposal: Proposal, { workspace }: ToolContext): Promise<Proposal | undefined> {
  const prepared = proposal.prepared as PreparedChange
  const { path, before, after } = prepared
  const file = await workspace.readText(path)
  if (before === null || after === null || !file.ok) return undefined
  const fitted = refit(before.text, after, file.text)
  if (!fitted.fits) return undefined
  const diff = diffFile(path, file.text, fitted.text)
  const notes = [...prepared.notes, 'put on top of what somebody changed in the file meanwhile']
  const now = { text: file.text, hash: file.hash }
  return {
    ...proposal,
    title: titleOf(diff),
    diff,
    prepared: { ...prepared, before: now, after: fitted.text, diff, notes },
  }
}

/** Applies a proposal as it was shown; STALE_FILE when the file is another by now. */
export async function applyChange(proposal: Proposal, tool: string, context: ToolContext): Promise<ToolResult> {
  const prepared = proposal.prepared as PreparedChange
  return await applyChanges([prepared], { title: proposal.title, tool }, context)
}

/** Applies changes of several files, all or none. */
export async function applyChanges(
  changes: readonly PreparedChange[],
  { title, tool }: { title: string; tool: string },
  context: ToolContext,
): Promise<ToolResult> {
  const { workspace, sessionId, callId, seen } = context
  const writes = changes.map(({ path, before, after }) => ({ path, after, expected: before?.hash ?? null }))
  const applied = await workspace.apply(writes, { sessionId, callId, tool, description: title })
  if (!applied.ok) return conflictResult(applied)
  for (const [at, { path, before, after }] of changes.entries()) {
    const hashes = { beforeHash: before?.hash ?? null, afterHash: applied.files[at]?.after ?? null }
    seen.wrote(path, { before: before?.text ?? null, after, ...hashes })
  }
  const text = changes.map(({ diff, notes }) => changeText(diff, notes)).join('\n')
  const done = changes.map(({ path, diff }): FileChange => ({ path, change: diff.change, diff }))
  const sum = (count: 'added' | 'removed'): number => changes.reduce((all, { diff }) => all + diff[count], 0)
  const paths = changes.map(({ path }) => path)
  return ok(text, { path: paths[0], paths, added: sum('added'), removed: sum('removed'), changes: done })
}

/** Another process made or changed the file between proposal and write: the proposal is made again from what is there. */
function conflictResult(fault: Fault): ToolResult {
  const stale: ToolErrorCode = 'STALE_FILE'
  return fault.code === 'EXISTS' || fault.code === 'CHANGED_SINCE' ? fail(stale, fault.message) : faultResult(fault)
}

function changeText(diff: FileDiff, notes: readonly string[]): string {
  const { path, change, added, removed, hunks } = diff
  const how = notes.length === 0 ? '' : ` (${notes.join('; ')})`
  if (change === 'deleted') return `Deleted ${path} (${removed} lines). The user can undo it.${how}`
  if (change === 'created') return `Created ${path}: ${added} lines.${how}`
  const text = hunks.map(shortHunk).join('\n')
  const { text: shown } = cutMiddle(text, DIFF_CHARACTERS, 'Read the file to see it all.')
  return `Edited ${path}: +${added} −${removed}${how}\n${shown}`
}

/** Without line numbers: the numbers a model goes by are those of its last read. Where lines are left out there is a new `@@`. */
function shortHunk({ lines }: DiffHunk): string {
  const near = lines.map((_line, at) => {
    const around = lines.slice(Math.max(0, at - DIFF_CONTEXT), at + DIFF_CONTEXT + 1)
    return around.some(({ kind }) => kind !== 'same')
  })
  const sign = { same: ' ', add: '+', remove: '-' } as const
  return lines
    .flatMap(({ kind, text }, at) => {
      if (!near[at]) return []
      return near[at - 1] ? [`${sign[kind]}${text}`] : ['@@', `${sign[kind]}${text}`]
    })
    .join('\n')
}
