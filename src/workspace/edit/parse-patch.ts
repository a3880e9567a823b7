// Reads the two forms in which models write patches: the `*** Begin Patch` envelope and unified diffs (git's
// too). Promises: the same file changes from both; a form it cannot read is a fault with the line at fault, never a
// guess. Counts in `@@ -1,2 +1,2 @@` are not believed, models get them wrong; only the start is kept as a hint.

export interface PatchChunk {
  /** Text after `@@` of the envelope, outermost first: lines the chunk stands below. */
  headers: string[]
  /** 1-based line of the old file the chunk claims to start at. */
  hint?: number
  lines: { kind: 'same' | 'add' | 'remove'; text: string }[]
  /** The chunk reaches the end of the file. */
  endOfFile: boolean
  /** Whether the old and the new file end without a line end here (`\ No newline at end of file`). */
  noNewline?: { old: boolean; new: boolean }
}

export type FilePatch =
  | { kind: 'add'; path: string; text: string }
  | { kind: 'delete'; path: string }
  | { kind: 'update'; path: string; moveTo?: string; chunks: PatchChunk[] }

export type ParsedPatch = { ok: true; files: FilePatch[] } | { ok: false; line: number; message: string }

export function parsePatch(text: string): ParsedPatch {
  const lines = unwrap(text.replaceAll('\r\n', '\n')).split('\n')
  if (lines.at(-1) === '') lines.pop()
  const reader = new LineReader(lines)
  try {
    const envelope = lines.some((line) => /^\*\*\* (?:Begin Patch|Add File|Update File|Delete File)/.test(line))
    const files = envelope ? readEnvelope(reader) : readUnified(reader)
    if (files.length > 0) return { ok: true, files }
    return { ok: false, line: 1, message: 'The patch changes no file. Begin with "*** Begin Patch".' }
  } catch (error) {
    if (error instanceof PatchSyntaxError) return { ok: false, line: error.line, message: error.message }
    throw error
  }
}

class PatchSyntaxError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

class LineReader {
  at = 0
  readonly lines: string[]
  constructor(lines: string[]) {
    this.lines = lines
  }
  peek(ahead = 0): string | undefined {
    return this.lines[this.at + ahead]
  }
  next(): string {
    return this.lines[this.at++]!
  }
  fail(message: string): never {
    throw new PatchSyntaxError(this.at + 1, message)
  }
}

/** Takes off a fence or a here-document (`apply_patch <<'EOF' …`) around the whole patch. */
function unwrap(text: string): string {
  const fenced = /^\s*```\w*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text
  return /^\s*(?:apply_patch\s+)?<<\s*['"]?(\w+)['"]?\n([\s\S]*?)\n\1\s*$/.exec(fenced)?.[2] ?? fenced
}

function readEnvelope(reader: LineReader): FilePatch[] {
  const files: FilePatch[] = []
  while (reader.peek() !== undefined) {
    const line = reader.next()
    const header = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line)
    if (line.startsWith('*** End Patch')) break
    if (header === null) {
      if (line.startsWith('*** Begin Patch') || line.trim() === '') continue
      reader.at -= 1
      reader.fail(`Expected "*** Update File: PATH", "*** Add File: PATH" or "*** Delete File: PATH", found "${line}".`)
    }
    const [, kind, path] = header
    if (kind === 'Delete') files.push({ kind: 'delete', path: path! })
    else if (kind === 'Add') files.push({ kind: 'add', path: path!, text: readAdded(reader) })
    else files.push(readUpdate(reader, path!))
  }
  return files
}

function readAdded(reader: LineReader): string {
  const lines: string[] = []
  while (reader.peek()?.startsWith('*** ') === false) {
    const line = reader.next()
    if (!line.startsWith('+') && line !== '') {
      reader.at -= 1
      reader.fail(`Each line of an added file begins with "+", found "${line}".`)
    }
    lines.push(line.slice(1))
  }
  return lines.map((line) => `${line}\n`).join('')
}

function readUpdate(reader: LineReader, path: string): FilePatch {
  const move = /^\*\*\* Move to: (.+?)\s*$/.exec(reader.peek() ?? '')?.[1]
  if (move !== undefined) reader.next()
  const chunks: PatchChunk[] = []
  let chunk = emptyChunk()
  const finish = (): void => {
    if (chunk.lines.length > 0) chunks.push(chunk)
    else if (chunk.headers.length > 0) reader.fail('A "@@" line needs changed lines below it.')
    chunk = emptyChunk()
  }
  while (reader.peek() !== undefined) {
    const line = reader.peek()!
    if (line.startsWith('*** End of File')) {
      chunk.endOfFile = true
      reader.next()
      continue
    }
    if (line.startsWith('*** ')) break
    reader.next()
    if (line.startsWith('@@')) {
      if (chunk.lines.length > 0) finish()
      readHeader(line, chunk)
    } else {
      chunk.lines.push(chunkLine(reader, line))
    }
  }
  finish()
  if (chunks.length === 0 && move === undefined) reader.fail(`The update of ${path} has no changed lines.`)
  return { kind: 'update', path, ...(move === undefined ? {} : { moveTo: move }), chunks }
}

function emptyChunk(): PatchChunk {
  return { headers: [], lines: [], endOfFile: false }
}

function readHeader(line: string, chunk: PatchChunk): void {
  const numbers = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(line)
  if (numbers !== null) {
    // What git prints after the numbers is the enclosing function, cut to fit: no line to look for.
    chunk.hint = Number(numbers[1])
    return
  }
  const header = line.replace(/^@@+ ?/, '').replace(/ ?@@+\s*$/, '')
  if (header.trim() !== '') chunk.headers.push(header)
}

function chunkLine(reader: LineReader, line: string): PatchChunk['lines'][number] {
  if (line === '') return { kind: 'same', text: '' }
  const text = line.slice(1)
  if (line.startsWith('+')) return { kind: 'add', text }
  if (line.startsWith('-')) return { kind: 'remove', text }
  if (line.startsWith(' ')) return { kind: 'same', text }
  reader.at -= 1
  return reader.fail(`A line of a patch begins with " ", "+" or "-", found "${line}".`)
}

function readUnified(reader: LineReader): FilePatch[] {
  const files: FilePatch[] = []
  let renamed: { from?: string; to?: string } = {}
  while (reader.peek() !== undefined) {
    const line = reader.next()
    const rename = /^rename (from|to) (.+)$/.exec(line)
    if (rename !== null) {
      renamed = rename[1] === 'from' ? { from: rename[2]! } : { ...renamed, to: rename[2]! }
      if (renamed.from !== undefined && renamed.to !== undefined && !hasBody(reader)) {
        files.push({ kind: 'update', path: renamed.from, moveTo: renamed.to, chunks: [] })
      }
    } else if (line.startsWith('--- ') && reader.peek()?.startsWith('+++ ') === true) {
      files.push(readUnifiedFile(reader, pathOf(line), pathOf(reader.next())))
      renamed = {}
    } else if (line.startsWith('@@')) {
      reader.at -= 1
      reader.fail('A hunk stands before any file. Put "--- a/PATH" and "+++ b/PATH" above it.')
    }
  }
  return files
}

/** Whether hunks follow for the file whose headers are being read. */
function hasBody(reader: LineReader): boolean {
  for (let ahead = 0; reader.peek(ahead) !== undefined; ahead++) {
    const line = reader.peek(ahead)!
    if (line.startsWith('diff ')) return false
    if (line.startsWith('--- ')) return true
  }
  return false
}

/** The path of a `---` or `+++` line, null for /dev/null; a time stamp after a tab and git's a/ b/ are taken off. */
function pathOf(line: string): string | null {
  const path = line.slice(4).split('\t')[0]!.trim()
  if (path === '/dev/null') return null
  const plain = path.startsWith('"') ? unquote(path) : path
  return plain.replace(/^[ab]\//, '')
}

function unquote(path: string): string {
  const inner = path.slice(1, path.lastIndexOf('"'))
  const bytes = inner.replace(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return Buffer.from(bytes.replace(/\\(["\\])/g, '$1'), 'latin1').toString('utf8')
}

function readUnifiedFile(reader: LineReader, from: string | null, to: string | null): FilePatch {
  const chunks: PatchChunk[] = []
  while (reader.peek() !== undefined) {
    const line = reader.peek()!
    if (line.startsWith('@@')) {
      const chunk = emptyChunk()
      const head = reader.next()
      readHeader(head, chunk)
      readBody(reader, chunk, Number(/^@@ -\d+(?:,(\d+))?/.exec(head)?.[1] ?? 1))
      chunks.push(chunk)
    } else if (line.trim() === '') {
      reader.next()
    } else {
      break
    }
  }
  const path = from ?? to
  if (path === null) return reader.fail('Both sides of the change are /dev/null.')
  if (to === null) return { kind: 'delete', path }
  if (from === null) return { kind: 'add', path, text: addedText(chunks) }
  if (chunks.length === 0 && from === to) reader.fail(`The change of ${path} has no hunks.`)
  return { kind: 'update', path: from, ...(from === to ? {} : { moveTo: to }), chunks }
}

/** Whether the reader stands at the head of another file, and not at a removed line "-- x" above an added "++ y". */
function atNextFile(reader: LineReader, chunk: PatchChunk, statedLines: number): boolean {
  const line = reader.peek()!
  if (!line.startsWith('--- ') || reader.peek(1)?.startsWith('+++ ') !== true) return false
  if (reader.peek(2)?.startsWith('@@') !== true) return false
  const read = chunk.lines.filter(({ kind }) => kind !== 'add').length
  return read >= statedLines || /^--- (?:a\/|\/dev\/null)/.test(line)
}

function readBody(reader: LineReader, chunk: PatchChunk, statedLines: number): void {
  while (reader.peek() !== undefined) {
    const line = reader.peek()!
    if (line.startsWith('@@') || line.startsWith('diff --git ') || line.startsWith('index ')) return
    if (atNextFile(reader, chunk, statedLines)) return
    if (line === '' && /^(?:$|diff |--- |@@)/.test(reader.peek(1) ?? '')) return
    reader.next()
    if (line.startsWith('\\')) {
      const last = chunk.lines.at(-1)?.kind
      const known = chunk.noNewline ?? { old: false, new: false }
      chunk.noNewline = { old: known.old || last !== 'add', new: known.new || last !== 'remove' }
      chunk.endOfFile = true
    } else {
      chunk.lines.push(chunkLine(reader, line))
    }
  }
}

function addedText(chunks: PatchChunk[]): string {
  const lines = chunks.flatMap((chunk) => chunk.lines.filter((line) => line.kind === 'add').map((line) => line.text))
  const ended = chunks.at(-1)?.noNewline?.new !== true
  return lines.join('\n') + (ended && lines.length > 0 ? '\n' : '')
}
