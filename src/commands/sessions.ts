// `codehound sessions`: what is stored, looked at and tidied up. Runs no model and creates no store.
// Text for people fits 60 columns; `--json` gives the stored rows.
import type { Session } from '../protocol/index.ts'
import { EXIT, UserError } from '../protocol/user-error.ts'
import type { SearchHit } from '../session/session-store.ts'
import type { ExistingStores, WorkspaceStore } from '../store/open-stores.ts'
import type { Output } from './deps.ts'
import { parseDuration } from './duration.ts'
import { messageText, sessionHead, toMarkdown } from './sessions-markdown.ts'
import { sessionLine } from './sessions-text.ts'
import { plural } from '../lib/plural.ts'
import { visible } from '../lib/visible.ts'

/** What the command line asks for. `all` reaches every workspace instead of this one. */
export type SessionsRequest =
  | { action: 'list'; all?: boolean; limit?: number; json?: boolean; query?: string }
  | { action: 'show'; id: string; last?: number; json?: boolean }
  | { action: 'rename'; id: string; title: string }
  | { action: 'delete'; ids: string[] }
  | { action: 'export'; id: string; format?: 'markdown' | 'json' }
  | { action: 'search'; query: string; all?: boolean; limit?: number; json?: boolean }
  | { action: 'fork'; id: string; at?: number; json?: boolean }
  | { action: 'purge'; older: string; all?: boolean; dryRun?: boolean }

export interface SessionsDeps {
  stdout: Output
  openStores(): Promise<ExistingStores>
  now: () => number
}

/** Does one action and returns the exit code. Throws UserError with what to do. */
export async function run(request: SessionsRequest, deps: SessionsDeps): Promise<number> {
  const stores = await deps.openStores()
  try {
    act(request, stores, deps)
    return EXIT.done
  } finally {
    stores.close()
  }
}

function act(request: SessionsRequest, stores: ExistingStores, deps: SessionsDeps): void {
  const { stdout } = deps
  const print = (text: string): void => void stdout.write(`${stdout.isTTY === true ? visible(text) : text}\n`)
  const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))
  switch (request.action) {
    case 'list': {
      const { all = false, query, limit = DEFAULT_LIST } = request
      const found = reach(stores, all).map(({ root, store }) => ({
        root,
        sessions: store.list({ limit, ...(query === undefined ? {} : { query }) }),
      }))
      if (request.json === true) return printJson(found.flatMap((each) => each.sessions))
      return print(listText(found, all, deps))
    }
    case 'show': {
      const { store, session } = find(stores, request.id)
      const messages = store.messages(session.id, request.last === undefined ? {} : { last: request.last })
      if (request.json === true) return printJson({ session, messages })
      return print([sessionHead(session), ...messages.map(messageText).filter((text) => text !== '')].join('\n\n'))
    }
    case 'rename': {
      const { store, session } = find(stores, request.id)
      const title = request.title.trim()
      if (title === '') throw usage('the new title is empty', 'Give a title: codehound sessions rename ID "new title"')
      store.rename(session.id, title)
      return print(`${session.id} is now called: ${title}`)
    }
    case 'delete': {
      // All are found before one is deleted: a mistyped id deletes nothing.
      const found = request.ids.map((id) => find(stores, id))
      for (const { store, session } of found) {
        store.delete(session.id)
        print(`deleted ${session.id}  ${session.title}`)
      }
      return
    }
    case 'export': {
      const { store, session } = find(stores, request.id)
      const messages = store.messages(session.id)
      return request.format === 'json' ? printJson({ session, messages }) : print(toMarkdown(session, messages))
    }
    case 'search': {
      const { all = false, query, limit = DEFAULT_HITS } = request
      const hits = reach(stores, all)
        .flatMap(({ root, store }) => store.search(query, { limit }).map((hit) => Object.assign(hit, { root })))
        .toSorted((a, b) => b.time - a.time)
        .slice(0, limit)
      if (request.json === true) return printJson(hits)
      if (hits.length === 0) return print(`nothing found${all ? '' : ' in this workspace; --all searches every one'}`)
      return print(hitsText(hits))
    }
    case 'fork': {
      const { root, store, session } = find(stores, request.id)
      const { at } = request
      if (at !== undefined && (at < 1 || at > session.messageCount))
        throw usage(`${session.id} has no message ${at}`, `Give a number from 1 to ${session.messageCount}.`)
      const copy = store.fork(session.id, at)
      if (request.json === true) return printJson(copy)
      return print(
        `${copy.id} holds the first ${copy.messageCount} messages of ${session.id}.\nGo on with it${root === stores.here()?.root ? '' : ` in ${root}`}: codehound run --resume ${copy.id} "…"`,
      )
    }
    case 'purge': {
      const age = /^\d/.test(request.older) && /[a-z]$/.test(request.older) ? parseDuration(request.older) : undefined
      if (age === undefined)
        throw usage(`--older ${request.older} is no age`, 'Give a number with a unit, such as 90d or 12h.')
      const before = deps.now() - age
      let count = 0
      for (const { store } of reach(stores, request.all === true))
        count +=
          request.dryRun === true
            ? store.list().filter((session) => session.updatedAt < before).length
            : store.purge(before)
      return print(
        `${plural(count, 'session')} without activity for ${request.older} ${request.dryRun === true ? 'would be deleted' : 'deleted'}`,
      )
    }
  }
}

/** Sessions and hits that are shown when nobody says how many. */
const DEFAULT_LIST = 20
const DEFAULT_HITS = 20

function reach(stores: ExistingStores, all: boolean): WorkspaceStore[] {
  if (all) return stores.everywhere()
  const here = stores.here()
  return here === undefined ? [] : [here]
}

/** Finds a session in this workspace, else in any: an id is unique among all of them. */
function find(stores: ExistingStores, id: string): WorkspaceStore & { session: Session } {
  const here = stores.here()
  const near = here?.store.get(id)
  if (here !== undefined && near !== undefined) return { ...here, session: near }
  const candidates: string[] = []
  for (const place of stores.everywhere()) {
    const session = place.store.get(id)
    if (session !== undefined) return { ...place, session }
    candidates.push(
      ...place.store
        .list({ query: id })
        .map((each) => each.id)
        .filter((each) => each.startsWith(id) || each.endsWith(id)),
    )
  }
  throw new UserError(
    'session_not_found',
    candidates.length > 1 ? `${id} fits several sessions: ${candidates.join(', ')}` : `there is no session ${id}`,
    {
      exitCode: EXIT.usage,
      suggestion:
        candidates.length > 1
          ? 'Give more of the id.'
          : 'See `codehound sessions list`, with --all for every workspace.',
    },
  )
}

function usage(message: string, suggestion: string): UserError {
  return new UserError('usage', message, { exitCode: EXIT.usage, suggestion })
}

function listText(found: { root: string; sessions: Session[] }[], all: boolean, deps: SessionsDeps): string {
  const filled = found.filter((each) => each.sessions.length > 0)
  if (filled.length === 0) return `no sessions${all ? '' : ' in this workspace; --all lists those of every one'}`
  const width = deps.stdout.isTTY === true ? deps.stdout.columns : undefined
  return filled
    .map(({ root, sessions }) =>
      [...(all ? [root] : []), ...sessions.map((session) => sessionLine(session, deps.now(), width))].join('\n'),
    )
    .join('\n\n')
}

function hitsText(hits: (SearchHit & { root: string })[]): string {
  return hits.map((hit) => `${hit.sessionId} #${hit.seq}  ${hit.title}\n  ${hit.excerpt}`).join('\n')
}
