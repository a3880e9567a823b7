// Queries of the index from the command line. Each prints what a person reads, or JSON; the exit code says whether anything
// was found. Long answers go through a pager on a terminal.
import { existsSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import type { GraphReport, TextQuery, TextResult } from '../index/answers.ts'
import type { CodeIndex } from '../index/code-index.ts'
import type { churnSince, lineAuthors } from '../workspace/git/authors.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { LargeQuestion } from './ask-large.ts'
import type { Output } from './deps.ts'
import { graphText } from './graph-text.ts'
import * as text from './index-text.ts'
import type { Paint } from './index-text.ts'

interface Asked {
  json?: boolean
  /** `--yes`. */
  yes?: boolean
}

export type IndexRequest = Asked &
  (
    | { action: 'index'; watch?: boolean; ask?: boolean }
    | { action: 'map'; words: string[]; tokens: number; since?: string }
    | { action: 'outline' | 'deps' | 'dependents'; path: string }
    | { action: 'def' | 'refs'; name: string; path?: string }
    | {
        action: 'search'
        query: string
        path?: string
        glob?: string
        regex?: boolean
        case?: boolean
        context?: number
        semantic?: boolean
        limit: number
      }
    | { action: 'complexity'; path?: string; limit: number }
    | { action: 'todos'; path?: string }
    | { action: 'graph'; path?: string; format: 'mermaid' | 'dot' | 'json'; open?: boolean }
  )

/** What git adds to the answers. */
export interface IndexGit {
  authors(places: { path: string; line: number }[]): ReturnType<typeof lineAuthors>
  churnSince(revision: string): ReturnType<typeof churnSince>
}

/** What the opening of the index tells and asks. */
export interface IndexFront {
  onProgress: (done: number, total: number, phase: string) => void
  /** `--yes`: a large workspace is read whole, without a question or a warning. */
  yes: boolean
  /** `--ask`: what was answered before is forgotten. */
  anew?: boolean
  /** Changes are to be seen as they come. */
  watch?: boolean
  warn: (text: string) => void
  /** Told once that a question about a large workspace waits. Absent: it is read with a warning. */
  ask?: (question: LargeQuestion) => void
}

export interface IndexDeps {
  stdout: Output
  stderr: Output
  /**
   * The answer to a text search without the index, from what is kept on disk, and from files changed since; undefined where the
   * index is to be opened. `query` is given the root.
   */
  searchSaved?(front: IndexFront, query: (root: string) => TextQuery): Promise<TextResult | undefined>
  /** The index, whole. */
  openIndex(front: IndexFront): Promise<{ index: CodeIndex; git: IndexGit; close: () => Promise<void> }>
  /** A person's terminal, who can be asked; undefined where nobody is. */
  terminal: NodeJS.ReadableStream | undefined
  /** Folder the command was called in: paths are relative to it, or to the root. */
  cwd: string
  /** Writes a page to a file and opens it; `shown` is false where no browser could be started. */
  openPage(html: string): Promise<{ file: string; shown: boolean }>
  /** Shows a long text; resolves when the reader has left. */
  page(text: string): Promise<void>
}

/** How often the disk is looked at where the system cannot watch it. Milliseconds. */
const POLL_MS = 1_000
/** More hits than this are noise. */
const MOST_SEMANTIC = 20

/** What is to be printed; undefined when nothing was found and `message` says why. */
interface Answer {
  data: unknown
  text: string
  /** Nothing was found: what, and what is near. */
  nothing?: string
}

/** Answers one request. Exit code 0 found, 1 nothing, 6 index fault. */
export async function run(asked: IndexRequest, deps: IndexDeps): Promise<number> {
  const request = { ...asked }
  const { stdout, stderr } = deps
  const show = progressLine(stderr)
  const { terminal } = deps
  const isWatch = request.action === 'index' && request.watch === true
  let isAsking = false
  const front: IndexFront = {
    onProgress: (...step) => {
      if (!isAsking) show(...step)
    },
    yes: asked.yes === true,
    anew: asked.action === 'index' && asked.ask === true,
    watch: isWatch,
    warn: (text) => {
      show(0, 0, 'ready')
      stderr.write(`warning: ${text}\n`)
    },
    ...(terminal && {
      ask: (question) => {
        show(0, 0, 'ready')
        isAsking = true
        void import('./ask-large.ts')
          .then(({ askLarge }) => askLarge(question, { stdin: terminal, stderr }))
          .then((goesOn) => (isAsking = !goesOn))
      },
    }),
  }
  const paint = text.paint(stdout.isTTY === true && !process.env['NO_COLOR'])
  if (request.action === 'search' && !request.semantic) {
    const found = await deps.searchSaved?.(front, (root) =>
      textQuery(
        request.path === undefined ? request : { ...request, path: workspacePath(request.path, root, deps.cwd) },
      ),
    )
    if (found) return print(textAnswer(request, found, paint), request, deps)
  }
  const { index, git, close } = await deps.openIndex(front).catch((error: unknown) => {
    if (error instanceof UserError) throw error
    throw new UserError('index', `The index could not be made: ${(error as Error).message}`, {
      exitCode: EXIT.index,
      cause: error,
    })
  })
  show(0, 0, 'ready')
  if ('path' in request && request.path !== undefined) request.path = workspacePath(request.path, index.root, deps.cwd)
  try {
    if (isWatch) return await watch(index, { stdout, stderr, json: request.json === true })
    const answer = await answerTo(request, index, git, paint)
    if (answer.nothing === undefined && request.action === 'graph' && request.open && !request.json)
      return await openGraph(answer.data as GraphReport, index, deps)
    return await print(answer, request, deps)
  } finally {
    await close()
  }
}

async function print(answer: Answer, { json }: { json?: boolean }, deps: IndexDeps): Promise<number> {
  const { stdout, stderr } = deps
  if (answer.nothing !== undefined) {
    if (json) stdout.write('null\n')
    stderr.write(`${answer.nothing}\n`)
    return EXIT.failed
  }
  const out = json ? JSON.stringify(answer.data, null, 2) : answer.text
  const tall = out.split('\n').length > (process.stdout.rows ?? Number.POSITIVE_INFINITY)
  if (stdout.isTTY === true && tall) await deps.page(out)
  else stdout.write(`${out}\n`)
  return EXIT.done
}

async function openGraph(
  graph: GraphReport,
  index: CodeIndex,
  { stdout, stderr, ...deps }: IndexDeps,
): Promise<number> {
  const { graphPage, pageGraph } = await import('./graph-page.ts')
  const { file, shown } = await deps.openPage(graphPage(basename(index.root), pageGraph(graph)))
  stdout.write(`${file}\n`)
  if (!shown) stderr.write('No browser could be started; open the file yourself.\n')
  return EXIT.done
}

/** A path as the index has it: what was given is absolute, relative to the folder one is in, or relative to the root. */
function workspacePath(given: string, root: string, cwd: string): string {
  const here = relative(root, resolve(cwd, given))
  const isInside = !isAbsolute(here) && here !== '..' && !here.startsWith(`..${sep}`)
  const isMeant = isAbsolute(given) || !existsSync(resolve(root, given)) || existsSync(resolve(cwd, given))
  return isInside && isMeant ? here.split(sep).join('/') || '.' : given
}

/** A bar on a terminal while the first index is made; erased when it is ready. */
function progressLine(stderr: Output): (done: number, total: number, phase: string) => void {
  let shown = false
  return (done, total, phase) => {
    if (stderr.isTTY !== true) return
    if (phase === 'ready') {
      if (shown) stderr.write('\r\u001B[K')
      shown = false
      return
    }
    const width = 24
    const filled = total === 0 ? 0 : Math.round((width * done) / total)
    stderr.write(`\r${phase.padEnd(5)} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total} files`)
    shown = true
  }
}

/** Says what changes until it is interrupted; where the system does not watch, the disk is looked at every now and then. */
async function watch(
  index: CodeIndex,
  { stdout, stderr, json }: { stdout: Output; stderr: Output; json: boolean },
): Promise<number> {
  const ended = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  const stop = index.onChange((paths, generation) => {
    stdout.write(json ? `${JSON.stringify({ generation, paths })}\n` : `${generation}: ${text.pathsText(paths)}\n`)
  })
  await index.watching()
  const status = index.status()
  stdout.write(json ? `${JSON.stringify(status)}\n` : `${text.statusText(status)}\n`)
  if (!json) stderr.write('Watching; Ctrl+C ends.\n')
  const poll = setInterval(() => void (index.status().watcher === 'watching' || index.refresh()), POLL_MS)
  await ended
  clearInterval(poll)
  stop()
  return EXIT.done
}

async function answerTo(request: IndexRequest, index: CodeIndex, git: IndexGit, paint: Paint): Promise<Answer> {
  switch (request.action) {
    case 'index':
      return { data: index.status(), text: text.statusText(index.status()) }
    case 'map':
      return mapAnswer(request, index, git)
    case 'outline': {
      const outline = await index.outline(request.path)
      return outline ? { data: outline, text: text.outlineText(outline, paint) } : noFile(request.path, index)
    }
    case 'def': {
      const found = await index.definitions(request)
      return found.length === 0
        ? noSymbol(request.name, index)
        : { data: found, text: text.definitionsText(found, paint) }
    }
    case 'refs': {
      const found = await index.references(request)
      return found.definitions.length === 0 && found.references.length === 0
        ? noSymbol(request.name, index)
        : { data: found, text: text.referencesText(found, paint) }
    }
    case 'deps': {
      const found = await index.dependencies(request.path)
      if (!found) return noFile(request.path, index)
      return found.length === 0
        ? nothing(`${request.path} imports nothing.`)
        : { data: found, text: text.dependenciesText(found, paint) }
    }
    case 'dependents': {
      const found = await index.dependents(request.path)
      if (!found) return noFile(request.path, index)
      return found.length === 0
        ? nothing(`Nothing imports ${request.path}.`)
        : { data: found, text: text.dependentsText(found, paint) }
    }
    case 'search':
      return request.semantic
        ? semanticAnswer(request, index, paint)
        : textAnswer(request, await index.searchText(textQuery(request)), paint)
    case 'complexity': {
      const { files, functions } = await index.complexity(request.path)
      if (files.length === 0)
        return request.path === undefined || isKnown(request.path, index)
          ? nothing(`There is no code ${request.path === undefined ? 'here' : `in ${request.path}`} to measure.`)
          : noFile(request.path, index)
      const data = { files: files.slice(0, request.limit), functions: functions.slice(0, request.limit) }
      return { data, text: text.complexityText(data, paint) }
    }
    case 'todos': {
      const found = await index.todos(request.path)
      if (found.length === 0) return nothing('No TODO, FIXME, HACK or XXX.')
      const authors = await git.authors(found.map(({ path, line }) => ({ path, line })))
      const data = found.map((todo, i) => Object.assign(todo, authors[i] === undefined ? {} : { author: authors[i] }))
      return { data, text: text.todosText(data, paint) }
    }
    case 'graph': {
      const graph = await index.graph(request.path)
      if (graph.files.length === 0) {
        const here = request.path === undefined || isKnown(request.path, index)
        const what = request.path === undefined ? 'file here' : `file of ${request.path}`
        return here ? nothing(`No ${what} imports another, or is imported.`) : noFile(request.path!, index)
      }
      return {
        data: graph,
        text: request.format === 'json' ? JSON.stringify(graph, null, 2) : graphText(graph, request.format),
      }
    }
  }
}

async function mapAnswer(
  { words, tokens, since }: Extract<IndexRequest, { action: 'map' }>,
  index: CodeIndex,
  git: IndexGit,
): Promise<Answer> {
  const { repositoryMap } = await import('../index/map/repository-map.ts')
  if (since !== undefined) {
    const churn = await git.churnSince(since)
    if (!churn.ok) throw new UserError('workspace', churn.message, { exitCode: EXIT.usage })
    const { files } = await index.complexity()
    const data = files.flatMap((file) => {
      const commits = churn.commits.get(file.path) ?? 0
      return commits === 0 ? [] : [{ path: file.path, commits, score: file.score, risk: commits * file.score }]
    })
    const changed = data.toSorted((a, b) => b.risk - a.risk)
    if (changed.length === 0) return nothing(`No file of the index changed since ${since}.`)
    const { orphans } = await index.graph()
    return { data: { changed, orphans }, text: text.churnText(changed, orphans) }
  }
  const map = await repositoryMap(index, { tokens, mentioned: words })
  return map === ''
    ? { data: null, text: '', nothing: 'There is nothing to map here: no source files.' }
    : { data: { map }, text: map }
}

type SearchRequest = Extract<IndexRequest, { action: 'search' }>

function textQuery(request: SearchRequest): TextQuery {
  const { query, path, glob, regex, context, limit } = request
  return {
    query,
    limit,
    ...(path === undefined ? {} : { path }),
    ...(glob === undefined ? {} : { glob }),
    ...(regex ? { regex } : {}),
    ...(request.case ? { caseSensitive: true } : {}),
    ...(context === undefined ? {} : { context }),
  }
}

function textAnswer({ query }: SearchRequest, found: TextResult, paint: Paint): Answer {
  if (found.error !== undefined) throw new UserError('usage', found.error, { exitCode: EXIT.usage })
  return found.total === 0
    ? { data: found, text: '', nothing: `Nothing matches "${query}".` }
    : { data: found, text: text.searchText(found, paint) }
}

async function semanticAnswer(
  { query, limit, path, glob }: SearchRequest,
  index: CodeIndex,
  paint: Paint,
): Promise<Answer> {
  const { SemanticSearch } = await import('../index/search/semantic.ts')
  const { pathFilter } = await import('../index/search/candidates.ts')
  const scope = { ...(path === undefined ? {} : { path }), ...(glob === undefined ? {} : { glob }) }
  const search = new SemanticSearch(index)
  const found = await search.search(query, Math.min(limit, MOST_SEMANTIC), undefined, await pathFilter(scope))
  return found.length === 0
    ? nothing(`Nothing is about "${query}".`)
    : { data: found, text: text.semanticText(found, paint) }
}

const nothing = (words: string): Answer => ({ data: [], text: '', nothing: words })

/** Whether the index has a file of that path, or files under it. */
function isKnown(path: string, index: CodeIndex): boolean {
  const clean = path.replace(/^(?:\.?\/)+|\/+$/g, '')
  return clean === '.' || clean === '' || index.files().some((file) => file === clean || file.startsWith(`${clean}/`))
}

function noSymbol(name: string, index: CodeIndex): Answer {
  const near = index.similarNames(name, 3)
  return {
    data: null,
    text: '',
    nothing: `There is no symbol ${name}.${scopeHint(index)}${near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''}`,
  }
}

function noFile(path: string, index: CodeIndex): Answer {
  const near = index.similarPaths(path, 3)
  return {
    data: null,
    text: '',
    nothing: `The index has no file ${path}.${scopeHint(index)}${near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''}`,
  }
}

/** What is outside of the scope may be there all the same. */
function scopeHint(index: CodeIndex): string {
  const { scope } = index.status()
  return scope === undefined ? '' : ` The index covers ${scope}/ alone.`
}
