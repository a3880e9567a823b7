// Project notes: Markdown files under .codehound/notes/, one per title, in folders if wanted. Promises: nothing outside that
// folder is read or written; a write is a change of the workspace like any other, and undone like one.
import type { ToolResult } from '../protocol/index.ts'
import { nearestName } from '../lib/edit-distance.ts'
import type { Fault } from '../workspace/fault.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { fail } from './tool.ts'

export const NOTES_FOLDER = '.codehound/notes'
const EXTENSION = '.md'

export interface Note {
  /** Folder below the notes folder; '' at the top. */
  folder: string
  title: string
  /** Relative to the root. */
  path: string
}

/** Every note, by folder and title. */
export async function listNotes(workspace: Workspace): Promise<Note[] | Fault> {
  const listing = await workspace.list(NOTES_FOLDER, { recursive: true, withIgnored: true })
  if (!listing.ok) return listing.code === 'NOT_FOUND' ? [] : listing
  return listing.entries
    .filter(({ kind, path }) => kind === 'file' && path.endsWith(EXTENSION))
    .map(({ path }) => {
      const inner = path.slice(NOTES_FOLDER.length + 1, -EXTENSION.length)
      const cut = inner.lastIndexOf('/')
      return { folder: cut < 0 ? '' : inner.slice(0, cut), title: inner.slice(cut + 1), path }
    })
}

/** The note a title means, exactly or without case; a failure names the nearest. */
export async function findNote(workspace: Workspace, title: string, folder?: string): Promise<Note | ToolResult> {
  const notes = await listNotes(workspace)
  if (!Array.isArray(notes)) return fail('TOOL_ERROR', notes.message)
  const inFolder = notes.filter((each) => folder === undefined || each.folder === folder)
  const wanted = fileTitle(title)
  const found =
    inFolder.find((each) => each.title === wanted) ??
    inFolder.find((each) => each.title.toLowerCase() === wanted.toLowerCase())
  if (found) return found
  const near = nearestName(
    wanted,
    inFolder.map((each) => each.title),
  )
  const hint = near === undefined ? ' note_list shows them.' : ` Did you mean ${JSON.stringify(near)}?`
  return fail('NOT_FOUND', `There is no note ${JSON.stringify(title)}.${hint}`)
}

/** Where a new note goes; a failure for a title that makes no file name. */
export function notePath(title: string, folder = ''): string | ToolResult {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.')
  const name = fileTitle(title)
  if (name === '' || name.startsWith('.') || parts.some((part) => part === '..' || part.startsWith('.'))) {
    return fail(
      'FORMAT_ERROR',
      `A note needs a title of letters or digits, and a folder below ${NOTES_FOLDER}; found ${JSON.stringify(folder)} and ${JSON.stringify(title)}.`,
    )
  }
  return [NOTES_FOLDER, ...parts.map(fileTitle), `${name}${EXTENSION}`].join('/')
}

/** A title as a file name: what no file system takes becomes a dash. */
function fileTitle(title: string): string {
  return title
    .replace(/\.md$/i, '')
    .replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-')
    .trim()
    .slice(0, 100)
}

/** The text with one section (its heading and what follows, up to the next heading of its level or above) changed. */
export function withSection(text: string, section: string, content: string, mode: 'replace' | 'append'): string {
  const lines = text.split('\n')
  const heading = section.replace(/^#+\s*/, '')
  const at = lines.findIndex((line) => /^#{1,6}\s/.test(line) && line.replace(/^#+\s*/, '').trim() === heading)
  const body = content.replace(/\n+$/, '')
  if (at < 0) return `${text === '' ? '' : `${text.replace(/\n*$/, '')}\n\n`}## ${heading}\n\n${body}\n`
  const level = /^#+/.exec(lines[at]!)![0].length
  const next = lines.findIndex((line, place) => place > at && (/^#+(?=\s)/.exec(line)?.[0].length ?? 7) <= level)
  const end = next < 0 ? lines.length : next
  const kept =
    mode === 'append'
      ? lines
          .slice(at + 1, end)
          .join('\n')
          .replace(/^\n+|\s+$/g, '')
      : ''
  const inner = kept === '' ? body : `${kept}\n${body}`
  const tail = lines.slice(end).join('\n')
  return `${lines.slice(0, at + 1).join('\n')}\n\n${inner}\n${tail === '' ? '' : `\n${tail}`}`
}
