// Edits as models garble them, made of real changes: each hunk of a repository's history is an old text, a new text and the file
// that must come of it. Both are garbled as models do it (indentation lost, doubled or in another unit, line ends, a byte order
// mark, a wrong letter, a block that stands twice), and the edit engine may find the right text or refuse, never report another.
// The oracle is git. Run: node test/proof/edits.ts [--count 2000] [--seed 1] [--folder REPOSITORY …] [--show]
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { pathToFileURL } from 'node:url'
import { editText } from '../../src/workspace/edit/edit-text.ts'

export interface Change {
  /** Where it is from, for messages. */
  from: string
  before: string
  old: string
  wanted: string
  /** Offset of `old` in `before`. */
  at: number
}

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })

/** Changes of text files in the commits of a repository up to a revision, newest first, at most `count`. */
export function changesOf(folder: string, count: number, context: (at: number) => number, revision = 'HEAD'): Change[] {
  const changes: Change[] = []
  const commits = git(folder, 'log', '--no-merges', '--format=%H', '-n', String(count), revision)
    .split('\n')
    .filter(Boolean)
  for (const commit of commits) {
    if (changes.length >= count) break
    let log: string
    try {
      log = git(folder, 'diff', '--raw', '--abbrev=40', '--diff-filter=M', '--no-renames', `${commit}~1`, commit)
    } catch {
      continue // the first commit
    }
    for (const row of log.split('\n').slice(0, 8)) {
      const [, mode, , blob, next, path] = /^:(\d+) (\d+) (\w+) (\w+) M\t(.+)$/.exec(row) ?? []
      if (
        mode !== '100644' ||
        path === undefined ||
        !/\.(?:[cm]?[jt]sx?|py|go|rs|java|md|css|ya?ml|json|c|h)$/.test(path)
      )
        continue
      const before = git(folder, 'cat-file', 'blob', blob!)
      if (before.length > 200_000 || before.includes('\r') || before.includes('\0')) continue
      const hunks = git(folder, 'diff', `-U${context(changes.length)}`, blob!, next!)
      for (const change of hunksOf(hunks, before).slice(0, 4))
        changes.push({ from: `${commit.slice(0, 8)} ${path}`, ...change })
    }
  }
  return changes.slice(0, count)
}

function hunksOf(diff: string, before: string): Omit<Change, 'from'>[] {
  const starts = [0]
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) starts.push(at + 1)
  return diff.split(/^(?=@@ )/m).flatMap((hunk) => {
    const head = /^@@ -(\d+)(?:,(\d+))? /.exec(hunk)
    if (!head || hunk.includes('\n\\ No newline')) return []
    const lines = hunk.split('\n').slice(1, -1)
    const side = (leave: string): string =>
      lines
        .filter((line) => line[0] !== leave)
        .map((line) => `${line.slice(1)}\n`)
        .join('')
    const [old, wanted] = [side('+'), side('-')]
    const at = starts[Number(head[1]) - 1] ?? -1
    if (old.trim() === '' || wanted.trim() === '' || old === wanted || !before.startsWith(old, at)) return []
    return [{ before, old, wanted, at }]
  })
}

/** What the model sends, the file it is sent for, and the file that must come of it; undefined where a garbling changes nothing. */
interface Sent {
  file: string
  old: string
  wanted: string
  expected: string
}
type Garbling = (change: Change, draw: () => number) => Sent | undefined

const lines = (text: string): string[] => text.split('\n')
const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0]
const mapLines = (text: string, one: (line: string, at: number) => string): string =>
  lines(text)
    .map((line, at) => (line.trim() === '' ? line : one(line, at)))
    .join('\n')
const expectedOf = ({ before, old, wanted, at }: Change): string =>
  before.slice(0, at) + wanted + before.slice(at + old.length)
const plain = (change: Change): Sent => ({
  file: change.before,
  old: change.old,
  wanted: change.wanted,
  expected: expectedOf(change),
})
/** The white space that every line of both texts begins with. */
function commonIndent(...texts: string[]): string {
  const indents = texts
    .flatMap(lines)
    .filter((line) => line.trim() !== '')
    .map(indentOf)
  let common = indents[0] ?? ''
  for (const indent of indents) while (!indent.startsWith(common)) common = common.slice(0, -1)
  return common
}
const cut = (text: string, indent: string): string => mapLines(text, (line) => line.slice(indent.length))
const firstCut = (text: string): string => text.replace(/^[ \t]+/, '')
const both = (change: Change, one: (text: string) => string): Sent => {
  const sent = plain(change)
  return { ...sent, old: one(sent.old), wanted: one(sent.wanted) }
}
const unended = (text: string): string => text.replace(/\n$/, '')

export const garblings: Record<string, Garbling> = {
  'as it is': (change) => plain(change),
  'without the last line end': (change) => both(change, unended),
  'both dedented': (change) => {
    const indent = commonIndent(change.old, change.wanted)
    return indent === '' ? undefined : both(change, (text) => cut(text, indent))
  },
  'both dedented, without the last line end': (change) => {
    const indent = commonIndent(change.old, change.wanted)
    return indent === '' ? undefined : both(change, (text) => unended(cut(text, indent)))
  },
  'old dedented, new as in the file': (change) => {
    const indent = commonIndent(change.old)
    return indent === '' ? undefined : { ...plain(change), old: cut(change.old, indent) }
  },
  'old dedented, new as in the file, without the last line end': (change) => {
    const indent = commonIndent(change.old)
    return indent === ''
      ? undefined
      : { ...plain(change), old: unended(cut(change.old, indent)), wanted: unended(change.wanted) }
  },
  'dedented by two columns': (change) => {
    const indent = commonIndent(change.old, change.wanted)
    return indent.startsWith('  ') ? both(change, (text) => cut(text, '  ')) : undefined
  },
  'first line of both dedented': (change) => {
    const [old, wanted] = [indentOf(change.old), indentOf(change.wanted)]
    return old === '' || wanted !== old ? undefined : both(change, (text) => unended(firstCut(text)))
  },
  'first line of old dedented': (change) =>
    indentOf(change.old) === '' ? undefined : { ...plain(change), old: firstCut(change.old) },
  'both deeper by four columns': (change) => both(change, (text) => mapLines(text, (line) => `    ${line}`)),
  'old deeper by four columns': (change) => ({ ...plain(change), old: mapLines(change.old, (line) => `    ${line}`) }),
  'both with tabs': (change) => retabbed(change, 'both'),
  'old with tabs': (change) => retabbed(change, 'old'),
  'trailing blanks': (change) => ({ ...plain(change), old: mapLines(change.old, (line) => `${line}  `) }),
  'CRLF in the texts': (change) => both(change, (text) => text.replaceAll('\n', '\r\n')),
  'a CRLF file': (change) => {
    const { file, expected, ...texts } = plain(change)
    return { ...texts, file: file.replaceAll('\n', '\r\n'), expected: expected.replaceAll('\n', '\r\n') }
  },
  'a seam of CRLF and LF before the place': (change) => {
    const { file, expected, ...texts } = plain(change)
    const crlf = (text: string): string => text.slice(0, change.at).replaceAll('\n', '\r\n') + text.slice(change.at)
    return change.at === 0 ? undefined : { ...texts, file: crlf(file), expected: crlf(expected) }
  },
  'a byte order mark copied along': (change) => both(change, (text) => `\uFEFF${text}`),
  'a block that stands twice': (change) => {
    const { file, ...sent } = plain(change)
    // Nobody can know which is meant.
    return { ...sent, file: `${file}\n${change.old}`, expected: '' }
  },
  'one wrong letter': (change, draw) => {
    const letters = [...change.old.matchAll(/[a-z]/g)].map(({ index }) => index)
    if (letters.length === 0) return undefined
    const at = letters[Math.floor(draw() * letters.length)]!
    const letter = change.old[at] === 'q' ? 'z' : 'q'
    return { ...plain(change), old: change.old.slice(0, at) + letter + change.old.slice(at + 1) }
  },
}

/** Two or four columns become a tab, as a model does that saw a file through a renderer. */
function retabbed(change: Change, which: 'both' | 'old'): Sent | undefined {
  const all = lines(change.old + change.wanted)
    .map(indentOf)
    .filter((indent) => indent !== '')
  // An old text without indentation says nothing of the file's: tabs in the new one may be meant.
  if (!/^[ \t]+\S/m.test(change.old) || all.some((indent) => indent.includes('\t'))) return undefined
  const unit = [4, 2].find((width) => all.every((indent) => indent.length % width === 0))
  if (unit === undefined) return undefined
  const tabs = (text: string): string =>
    mapLines(text, (line) => '\t'.repeat(indentOf(line).length / unit) + line.trimStart())
  return which === 'both' ? both(change, tabs) : { ...plain(change), old: tabs(change.old) }
}

export interface Outcome {
  right: number
  refused: number
  wrong: string[]
}

/** Makes every garbling of every change; `draw` gives numbers from 0 to below 1. */
export function tryAll(changes: readonly Change[], draw: () => number): Record<string, Outcome> {
  const outcomes: Record<string, Outcome> = {}
  for (const [name, garble] of Object.entries(garblings)) {
    const outcome: Outcome = { right: 0, refused: 0, wrong: [] }
    outcomes[name] = outcome
    for (const change of changes) {
      const sent = garble(change, draw)
      // Where the garbled text stands in the file as it is, it says exactly that place.
      if (!sent || (sent.old !== change.old && elsewhere(sent, change))) continue
      const edited = editText(sent.file, [{ oldText: sent.old, newText: sent.wanted }], { path: change.from })
      if (!edited.ok) outcome.refused++
      else if (edited.text === sent.expected) outcome.right++
      else
        outcome.wrong.push(
          `${change.from}\n--- old\n${sent.old}\n--- new\n${sent.wanted}\n--- became\n${differing(edited.text, sent.expected)}`,
        )
    }
  }
  return outcomes
}

/** Whether a garbled text of whole lines is, letter for letter, another place's. */
function elsewhere(sent: Sent, change: Change): boolean {
  const at = sent.file.replaceAll('\r\n', '\n').indexOf(sent.old.replaceAll('\r\n', '\n').replace(/^\uFEFF/, ''))
  return at >= 0 && (at < change.at || at > change.at + change.old.indexOf('\n'))
}

function differing(got: string, expected: string): string {
  const [a, b] = [lines(got), lines(expected)]
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const part = (all: string[]): string => JSON.stringify(all.slice(Math.max(0, at - 2), at + 8).join('\n'))
  return `${part(a)}\ninstead of\n${part(b)}`
}

/** Numbers from 0 to below 1 of a seed (mulberry32). */
export function drawing(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function main(): void {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      folder: { type: 'string', multiple: true, default: ['.'] },
      show: { type: 'boolean', default: false },
    },
  })
  const draw = drawing(Number(values.seed))
  const each = Math.ceil(Number(values.count) / values.folder.length)
  const changes = values.folder.flatMap((folder) => changesOf(folder, each, () => Math.floor(draw() * 4)))
  const outcomes = tryAll(changes, draw)
  for (const [name, { right, refused, wrong }] of Object.entries(outcomes))
    console.log(`${name.padEnd(60)} ${right} right, ${refused} refused, ${wrong.length} wrong`)
  const wrong = Object.entries(outcomes).flatMap(([name, { wrong }]) => wrong.map((text) => `# ${name}: ${text}`))
  if (values.show) for (const text of wrong) console.log(`\n${text}`)
  const right = Object.values(outcomes).reduce((sum, outcome) => sum + outcome.right, 0)
  console.log(`${changes.length} changes: ${right} right, ${wrong.length} wrong`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
