// Instruction files of a project: AGENTS.md, CLAUDE.md and .codehound/rules/*.md from the root down to the start folder, read
// once per session so that the prompt keeps its bytes; a deeper one is given with the first result that touches its folder.
// They are the repository's words: fenced as such, and nothing in them can change permissions.
import { fence } from '../lib/fence.ts'
import { dirname, join, relative, resolve } from 'node:path'
import type { Workspace } from '../workspace/workspace.ts'

const NAMES = ['AGENTS.md', 'CLAUDE.md']
const RULES_FOLDER = '.codehound/rules'
/** Share of the window that instruction files may take; more would crowd out the work. */
const WINDOW_SHARE = 0.1
const CHARS_PER_TOKEN = 4

interface InstructionFile {
  path: string
  text: string
}

/** Folders from the root to `start`, outermost first, as paths relative to the root. */
function foldersTo(start: string): string[] {
  const parts = start === '' || start === '.' ? [] : start.split('/')
  return ['', ...parts.map((_, i) => parts.slice(0, i + 1).join('/'))]
}

async function readIn(workspace: Workspace, folder: string): Promise<InstructionFile[]> {
  const paths = NAMES.map((name) => join(folder, name))
  const rules = await workspace.list(join(folder, RULES_FOLDER), { pattern: '*.md' })
  if (rules.ok) paths.push(...rules.entries.map((entry) => entry.path).sort())
  const files: InstructionFile[] = []
  for (const path of paths) {
    const file = await workspace.readText(path)
    if (!file.ok || file.text.trim() === '') continue
    // Two names for one text (a link, or a copy for another agent) are given once.
    if (files.some((other) => other.text === file.text)) continue
    files.push({ path, text: file.text })
  }
  return files
}

const fenced = ({ path, text }: InstructionFile): string => fence('instructions', { from: path }, text.trim())

export class Instructions {
  private readonly known = new Set<string>()
  private readonly workspace: Workspace
  private readonly start: string

  /** `start`: folder codehound was started in, relative to the root. */
  constructor(workspace: Workspace, start: string) {
    this.workspace = workspace
    this.start = start
  }

  /** Text for level 2 of the prompt; undefined when the project has none. Tokens of window decide how much fits. */
  async forPrompt(window: number): Promise<string | undefined> {
    const files: InstructionFile[] = []
    for (const folder of foldersTo(this.start)) {
      this.known.add(folder)
      files.push(...(await readIn(this.workspace, folder)))
    }
    if (files.length === 0) return undefined
    let room = window * WINDOW_SHARE * CHARS_PER_TOKEN
    const parts: string[] = []
    // The nearest wins, so it is the last to be cut.
    for (const file of files.toReversed()) {
      const text =
        file.text.length <= room
          ? file.text
          : `${file.text.slice(0, Math.max(0, room))}\n[… cut; read_file ${file.path} shows the rest]`
      room -= text.length
      parts.unshift(fenced({ path: file.path, text }))
      if (room <= 0) break
    }
    return `# Project instructions (the nearest to a file wins)\n${parts.join('\n')}`
  }

  /** Instruction files of folders that a call touched for the first time; text for the end of its result. */
  async forPaths(paths: readonly string[]): Promise<string | undefined> {
    const fresh: InstructionFile[] = []
    const { root } = this.workspace
    for (const given of paths) {
      // As calls have it: `./a`, `a/`, or whole.
      const path = relative(root, resolve(root, given))
      if (path.startsWith('..')) continue
      for (const folder of foldersTo(dirname(path))) await this.takeFolder(folder, fresh)
      // What was touched may be the folder itself: a search in it, its listing.
      if (!this.known.has(path) && (await this.workspace.list(path)).ok) await this.takeFolder(path, fresh)
    }
    return fresh.length === 0 ? undefined : fresh.map(fenced).join('\n')
  }

  private async takeFolder(folder: string, fresh: InstructionFile[]): Promise<void> {
    if (this.known.has(folder)) return
    this.known.add(folder)
    fresh.push(...(await readIn(this.workspace, folder)))
  }
}
