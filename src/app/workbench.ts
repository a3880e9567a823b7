// The application as a front sees it (client/workbench.ts), over the open stores, workspace, index and backends.
import { existsSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join, relative } from 'node:path'
import type { IndexStep, UserCommand, Workbench } from '../client/workbench.ts'
import type { App } from '../commands/deps.ts'
import { toMarkdown } from '../commands/sessions-markdown.ts'
import { sourceOf, valueAt } from '../config/explain.ts'
import { allKeys } from '../config/key-path.ts'
import type { CodeIndex } from '../index/code-index.ts'
import { rulesText } from '../policy/explain.ts'
import type { FileDiff } from '../protocol/index.ts'
import { UserError } from '../protocol/user-error.ts'
import { changedPaths } from '../workspace/journal/journal-store.ts'
import { isNamedFile } from '../workspace/files/read-named-file.ts'
import type { Opened } from './opened.ts'
import { templatesOf } from './templates.ts'
import { userCommands } from './user-commands.ts'
import { modelAccess } from './model-access.ts'
import { bestPaths } from './path-search.ts'
import { statusLines } from './status-lines.ts'

/** Names offered in place of one that is not there. */
const NEAR_NAMES = 3

/** What `app` opened, for a front; closing it closes the application. */
export async function createWorkbench(opened: Opened, app: App): Promise<Workbench> {
  const { loaded, workspace, store } = opened
  const { display, edit, input, undo, session, compression } = loaded.config
  const branch = await workspace.git.branch()
  let commands: UserCommand[] | undefined
  return {
    settings: {
      display,
      edit,
      input,
      undoStackSize: undo.stackSize,
      saveInputHistory: session.saveInputHistory,
      suggestCompressAt: compression.autoThreshold,
    },
    project: {
      name: basename(workspace.root),
      root: workspace.root,
      branch: branch.ok ? (branch.branch ?? 'detached') : undefined,
    },
    ...modelAccess(opened),
    open: (which) => app.openSession({ interactive: true, which }),
    sessions: (options) => store.list(options),
    inputs: (limit) => store.inputs(limit),
    changes: (limit) =>
      (workspace.journal?.changes({ limit }) ?? []).map(({ time, description, files, state, sessionId }) => ({
        time,
        description,
        paths: changedPaths(files),
        undone: state === 'undone',
        session: sessionId,
      })),
    questions: () =>
      store
        .questions({ open: true })
        .map(({ kind, text, sessionId }) => `${kind}  ${text}  (session ${sessionId.slice(0, 8)})`),
    paths: async (prefix, limit) => bestPaths((await openIndex(opened))?.files() ?? [], prefix, limit),
    isFile: (path) => Promise.resolve(isNamedFile(path)),
    nearSymbols: async (name) => {
      const index = await openIndex(opened)
      if (!index || (await index.definitions({ name })).length > 0) return undefined
      return index.similarNames(name, NEAR_NAMES)
    },
    symbols: async (prefix, limit) => {
      if (prefix === '') return []
      const index = await openIndex(opened)
      return index?.similarNames(prefix, limit) ?? []
    },
    terminalProgram: async (command, asked) => {
      const { terminalProgram } = await import('./terminal-program.ts')
      return terminalProgram(opened, command, asked)
    },
    templates: () => templatesOf(workspace.root).map(({ name, description }) => ({ name, description })),
    commands: () => (commands ??= userCommands(workspace.root)),
    proposedText: async (diff) => {
      if (diff.change === 'created') return applied([], diff)
      const file = await workspace.readText(diff.path)
      return file.ok ? applied(file.text.split('\n'), diff) : undefined
    },
    configText: () => {
      const set = allKeys().flatMap(({ key }) => {
        const path = key.split('.')
        const { layer, file, line } = sourceOf(loaded, path)
        if (layer === 'default') return []
        const place = file === undefined ? layer : `${file}${line === undefined ? '' : `:${line}`}`
        return [`${key} = ${JSON.stringify(shown(path, valueAt(loaded.config, path)))}   ${place}`]
      })
      const rest = set.length === 0 ? 'Everything has its default' : 'Everything else has its default'
      return [...set, `${rest}; codehound config shows all of it.`].join('\n')
    },
    permissions: () => rulesText(opened.policy?.list() ?? []),
    forgetPermission: (rule) => opened.policy?.forget(rule).map(({ text }) => text) ?? [],
    exportSession: (id, path) => {
      const row = store.get(id)
      if (!row) return Promise.reject(new Error(`The session ${id} is not stored.`))
      const file = exportFile(workspace.root, path, id)
      if (existsSync(file))
        return Promise.reject(
          new UserError('usage', `${file} is there already.`, { suggestion: 'Name another file: /export FILE' }),
        )
      try {
        writeFileSync(file, toMarkdown(row, store.messages(id)), { flag: 'wx' })
      } catch (thrown) {
        const why = thrown instanceof Error && 'code' in thrown ? ` (${String(thrown.code)})` : ''
        return Promise.reject(
          new UserError('usage', `${file} cannot be written${why}.`, {
            suggestion: 'Name another place: /export FILE',
          }),
        )
      }
      return Promise.resolve(relative(workspace.root, file).startsWith('..') ? file : relative(workspace.root, file))
    },
    status: () => statusLines(opened),
    map: async () => {
      const [index, { repositoryMap }] = await Promise.all([
        readyIndex(opened),
        import('../index/map/repository-map.ts'),
      ])
      const map = await repositoryMap(index, { tokens: loaded.config.context.mapTokens })
      return map === '' ? undefined : map
    },
    reindex: async (onProgress) => {
      opened.index.retry()
      const index = await readyIndex(opened, onProgress)
      const changed = await index.refresh()
      const { files, symbols } = index.status()
      return { files, symbols, changed }
    },
    watchIndex: (listener) => {
      let progress: IndexStep | undefined
      const tell = (): void => {
        const question = opened.large.current()
        listener({ question, progress: question || opened.large.isCancelled ? undefined : progress })
      }
      const step = (next: IndexStep): void => {
        // A small project is read before anybody could look.
        progress = next.phase === 'ready' || next.total <= loaded.config.limits.maxFilesWarning ? undefined : next
        tell()
      }
      opened.indexSteps.add(step)
      const stop = opened.large.listen(tell)
      return () => {
        stop()
        opened.indexSteps.delete(step)
      }
    },
    answerLarge: async (answer) => opened.large.answer(answer),
    checkAnswer: async (sessionId, answer, report) => {
      const { answerCheck } = await import('./answer-check.ts')
      const findings = await answerCheck(opened, sessionId)(answer, report)
      return findings.map(({ claim, evidence }) => `"${claim}": ${evidence}`)
    },
    close: () => app.close(),
  }
}

/** The index with something in it: the first one of a project is waited for. Undefined where there is none. */
async function openIndex({ index }: Opened): Promise<CodeIndex | undefined> {
  try {
    const opened = await index.open()
    return opened.status().symbols === 0 ? await index.unlessAsked() : opened
  } catch {
    return undefined
  }
}

/** The whole index; rejects with why there is none. */
async function readyIndex({ index }: Opened, onProgress?: (step: IndexStep) => void): Promise<CodeIndex> {
  const opened = await index.open(onProgress)
  await opened.ready()
  return opened
}

/** The file named, or one after the session that is not there yet. */
function exportFile(root: string, path: string | undefined, id: string): string {
  if (path !== undefined) return isAbsolute(path) ? path : join(root, path)
  let file = join(root, `codehound-${id.slice(0, 8)}.md`)
  for (let n = 2; existsSync(file); n++) file = join(root, `codehound-${id.slice(0, 8)}-${n}.md`)
  return file
}

/** Keys are not shown. */
function shown(path: readonly string[], value: unknown): unknown {
  return /apiKey|headers/.test(path.join('.')) ? '(set)' : value
}

/** The lines with the hunks applied; undefined when they do not fit. */
function applied(lines: string[], { hunks }: FileDiff): string | undefined {
  const out: string[] = []
  let at = 0
  for (const hunk of hunks) {
    const start = Math.max(0, hunk.oldStart - (hunk.oldLines === 0 ? 0 : 1))
    if (start < at) return undefined
    out.push(...lines.slice(at, start))
    at = start
    for (const { kind, text } of hunk.lines) {
      if (kind === 'add') out.push(text)
      else {
        if (lines[at] !== text) return undefined
        at += 1
        if (kind === 'same') out.push(text)
      }
    }
  }
  out.push(...lines.slice(at))
  const ends = hunks.at(-1)?.lines.at(-1)?.noNewline === true
  return lines.length === 0 && !ends ? `${out.join('\n')}\n` : out.join('\n')
}
