// Loads what a user's message mentions, before the first turn. Attachments only ever read, go through the path guard like a
// tool does, and never fail a message: what cannot be loaded is said in its place.
import { fence } from '../../lib/fence.ts'
import type { CodeIndex } from '../../index/code-index.ts'
import type { Outline, OutlineEntry } from '../../index/answers.ts'
import type { AttachedImage, Attachment } from '../../protocol/index.ts'
import type { Fault } from '../../workspace/fault.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { IMAGE_NAME, takeImage } from './load-image.ts'
import { parseMentions } from './parse.ts'
import type { Mention } from './parse.ts'
import { templateText, unknownTemplate } from './templates.ts'
import type { Template } from './templates.ts'
import { plural } from '../../lib/plural.ts'

/** Content of one attachment; a larger file is pointed at, with how to read it. Characters. */
const MAX_CHARS = 40_000
const MAX_ENTRIES = 200
/** Images of one message. */
const MAX_IMAGES = 10

export interface AttachmentSources {
  workspace: Workspace
  /** The index when it answers; undefined when there is none. */
  index(): Promise<CodeIndex | undefined>
  /** Bytes of a file that may be an image. */
  readImage(path: string): Promise<{ ok: true; bytes: Uint8Array } | Fault>
  diff: () => Promise<string>
  /** Page as Markdown, or why not. Judges the host. */
  fetch(url: string): Promise<{ ok: boolean; text: string }>
  /** A project note by its title, or why not. */
  note(title: string): Promise<{ ok: boolean; text: string }>
  /** Templates of things to be made. */
  templates(): Template[]
  /** Schema and present values of the configuration, as text. */
  config(): Promise<string>
}

export interface Loaded {
  attachments: Attachment[]
  data: string[]
  /** Bytes of the images among them, by their hash. */
  images: Map<string, Uint8Array>
}

interface One {
  summary: string
  body: string
  image?: { facts: AttachedImage; bytes: Uint8Array }
}

const counted = (lines: number): string => plural(lines, 'line')
const said = (text: string): One => ({ summary: text, body: text })

const fenced = (ref: string, body: string): string => fence('attachment', { ref }, body)

function numbered(text: string, from: number): string {
  return text
    .split('\n')
    .map((line, i) => `${from + i}| ${line}`)
    .join('\n')
}

function outlineText(outline: Outline): string {
  const line = ({ symbol, children }: OutlineEntry, depth: number): string =>
    [
      `${'  '.repeat(depth)}${symbol.startLine}-${symbol.endLine} ${symbol.signature}`,
      ...children.map((child) => line(child, depth + 1)),
    ].join('\n')
  const imports = outline.imports.length === 0 ? '' : `imports: ${outline.imports.join(', ')}\n`
  return `${outline.path} · ${outline.language} · ${outline.lines} lines\n${imports}${outline.symbols.map((entry) => line(entry, 0)).join('\n')}`
}

/** A text within its bounds; what is left out is said, and how to read it. */
function bounded(text: string, how: string): string {
  if (text.length <= MAX_CHARS) return text
  return `${text.slice(0, MAX_CHARS)}\n[… ${text.length - MAX_CHARS} more characters; ${how}]`
}

async function loadFolder(path: string, sources: AttachmentSources): Promise<One> {
  const listing = await sources.workspace.list(path === '' ? '.' : path)
  if (!listing.ok) return said(listing.message)
  const tree = await (await sources.index())?.structure(path, 1)
  const outlines = new Map(tree?.children?.map((entry) => [entry.path, entry.outline]))
  const names = listing.entries.slice(0, MAX_ENTRIES).map((entry) => {
    const outline = outlines.get(entry.path)
    return `${entry.path}${entry.kind === 'folder' ? '/' : ''}${outline === undefined ? '' : `: ${outline}`}`
  })
  const more = listing.entries.length > MAX_ENTRIES ? `\n… ${listing.entries.length - MAX_ENTRIES} more` : ''
  return { summary: `${listing.entries.length} entries`, body: `${names.join('\n')}${more}` }
}

async function loadImage(path: string, sources: AttachmentSources): Promise<One> {
  const file = await sources.readImage(path)
  if (!file.ok) return said(file.message)
  const taken = takeImage(path, file.bytes)
  if (!taken.ok) return said(taken.message)
  return { summary: taken.summary, body: taken.summary, image: { facts: taken.facts, bytes: file.bytes } }
}

async function loadPath(mention: Extract<Mention, { kind: 'path' }>, sources: AttachmentSources): Promise<One> {
  const { workspace } = sources
  if (mention.path.endsWith('/')) return loadFolder(mention.path.slice(0, -1), sources)
  if (IMAGE_NAME.test(mention.path)) return loadImage(mention.path, sources)
  const file = await workspace.readText(mention.path)
  if (!file.ok) {
    if (file.code === 'IS_DIRECTORY') return loadFolder(mention.path, sources)
    return file.code === 'NOT_TEXT' ? loadImage(mention.path, sources) : said(file.message)
  }
  const lines = file.text.replace(/\n$/, '').split('\n')
  if (mention.lines) {
    const [start, end] = [Math.max(1, mention.lines.start), Math.min(mention.lines.end, lines.length)]
    if (start > end) return said(`${mention.path} has ${counted(lines.length)}, so none of those.`)
    const body = numbered(lines.slice(start - 1, end).join('\n'), start)
    return { summary: `lines ${start}-${end} of ${lines.length}`, body: bounded(body, 'read_file shows the rest') }
  }
  if (mention.whole && file.text.length <= MAX_CHARS)
    return { summary: counted(lines.length), body: numbered(lines.join('\n'), 1) }
  const outline = await (await sources.index())?.outline(mention.path)
  const large = mention.whole
    ? `Too large to be sent whole (${file.text.length} characters); read_file shows parts.\n`
    : ''
  if (outline && outline.symbols.length > 0)
    return { summary: `outline, ${counted(lines.length)}`, body: `${large}${outlineText(outline)}` }
  return { summary: counted(lines.length), body: `${mention.path} has ${lines.length} lines; read_file shows them.` }
}

async function loadSymbol(name: string, index: CodeIndex | undefined): Promise<One> {
  if (!index) return { summary: 'no index', body: 'The index is off, so symbols cannot be looked up.' }
  const [first, ...others] = await index.definitions({ name })
  if (!first) {
    const near = index.similarNames(name, 3)
    const text = `No symbol ${name}.${near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''}`
    return said(text)
  }
  const [source] = await index.symbolSource(first.path, first.qualifiedName)
  const also = others.length === 0 ? '' : `\nalso: ${others.map((each) => `${each.path}:${each.line}`).join(', ')}`
  const place = `${first.path}:${first.line}`
  return {
    summary: place,
    body: `${place}\n${source ? numbered(source.text, first.startLine) : first.signature}${also}`,
  }
}

async function loadDiff({ diff }: AttachmentSources): Promise<One> {
  const text = await diff()
  if (text === '') return { summary: 'no changes', body: 'The work tree has no changes.' }
  return { summary: counted(text.split('\n').length), body: bounded(text, 'git_diff with a path shows the rest') }
}

async function loadTodos(index: CodeIndex | undefined): Promise<One> {
  if (!index) return { summary: 'no index', body: 'The index is off, so TODOs cannot be looked up.' }
  const todos = await index.todos()
  const lines = todos.map((todo) => `${todo.path}:${todo.line}: ${todo.text}`)
  const body = lines.length === 0 ? 'There is no TODO, FIXME, HACK or XXX.' : lines.join('\n')
  return { summary: `${todos.length} found`, body: bounded(body, 'get_todos with a folder shows the rest') }
}

async function loadUrl(url: string, sources: AttachmentSources): Promise<One> {
  const { ok, text } = await sources.fetch(url)
  return { summary: ok ? `${text.length} characters` : text, body: bounded(text, 'web_fetch shows the page') }
}

async function loadNote(title: string, sources: AttachmentSources): Promise<One> {
  const { ok, text } = await sources.note(title)
  return { summary: ok ? counted(text.split('\n').length) : text, body: bounded(text, 'note_read shows it') }
}

function loadTemplate(name: string, templates: Template[]): One {
  const template = templates.find((each) => each.name === name)
  if (!template) return said(unknownTemplate(name, templates))
  return { summary: `template: ${template.description}`, body: templateText(template) }
}

async function load(mention: Mention, sources: AttachmentSources): Promise<One> {
  switch (mention.kind) {
    case 'path':
      return loadPath(mention, sources)
    case 'symbol':
      return loadSymbol(mention.name, await sources.index())
    case 'diff':
      return loadDiff(sources)
    case 'todo':
      return loadTodos(await sources.index())
    case 'config':
      return sources.config().then((body) => ({ summary: 'configuration', body }))
    case 'url':
      return loadUrl(mention.url, sources)
    case 'note':
      return loadNote(mention.title, sources)
    case 'template':
      return loadTemplate(mention.name, sources.templates())
  }
}

const kinds: Record<Mention['kind'], Attachment['kind']> = {
  path: 'path',
  symbol: 'symbol',
  diff: 'diff',
  todo: 'todo',
  config: 'content',
  url: 'url',
  note: 'note',
  template: 'content',
}

/** Loads everything a text mentions; `data` goes into the prompt, `attachments` to screens, one line each, images with them. */
export async function loadAttachments(text: string, sources: AttachmentSources): Promise<Loaded> {
  const loaded: Loaded = { attachments: [], data: [], images: new Map() }
  let images = 0
  for (const mention of parseMentions(text)) {
    const found = await load(mention, sources)
    if (found.image) images += 1
    const tooMany = `Not sent: a message takes ${MAX_IMAGES} images.`
    const { summary, body, image } = images > MAX_IMAGES && found.image ? said(tooMany) : found
    loaded.attachments.push({
      kind: image ? 'image' : kinds[mention.kind],
      ref: mention.ref,
      summary,
      ...(image ? { image: image.facts } : {}),
    })
    loaded.data.push(fenced(mention.ref, body))
    if (image) loaded.images.set(image.facts.hash, image.bytes)
  }
  return loaded
}
