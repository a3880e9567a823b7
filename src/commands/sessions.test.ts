import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NewSession, SessionStore } from '../session/session-store.ts'
import { globalDatabaseFile, workspaceDatabaseFile } from '../store/data-folder.ts'
import { existingStores } from '../store/open-stores.ts'
import { openGlobalStore } from '../store/sqlite/global-store.ts'
import { openSessionStore } from '../store/sqlite/session-store.ts'
import { addSessionsCommand } from './sessions-program.ts'
import type { Output } from './deps.ts'

const HERE = '/work/here'
const THERE = '/work/there'
const session: NewSession = {
  title: 'explain how login works',
  type: 'CHAT',
  workspaceId: 'w',
  root: HERE,
  model: 'mock/m',
}

let data: string
let now: number
let terminal: Pick<Output, 'isTTY' | 'columns'>
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'codehound-sessions-'))
  now = Date.now()
  terminal = {}
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Runs `codehound sessions …` in HERE and gives what it printed. */
async function sessions(...argv: string[]): Promise<string> {
  let out = ''
  const program = new Command('codehound')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  addSessionsCommand(
    program,
    {
      stdout: { write: (text) => (out += text), ...terminal },
      openStores: () =>
        Promise.resolve(existingStores({ data, root: HERE, location: 'user', onNotice: (line) => (out += line) })),
      now: () => now,
    },
    (code) => expect(code).toBe(0),
  )
  program.commands[0]!.commands.forEach((command) => command.exitOverride().configureOutput({ writeErr: () => {} }))
  await program.parseAsync(['sessions', ...argv], { from: 'user' })
  return out
}

function stored<T>(root: string, work: (store: SessionStore) => T): T {
  const global = openGlobalStore(globalDatabaseFile(data))
  global.touchWorkspace(root, 'git')
  global.close()
  const store = openSessionStore(workspaceDatabaseFile(data, root, 'user'))
  const result = work(store)
  store.close()
  return result
}

/** A session with a question, a call, its result and an answer. */
function talk(root = HERE, title = session.title): string {
  return stored(root, (store) => {
    const { id } = store.create({ ...session, root, title })
    store.append(id, {
      sender: 'USER',
      text: 'explain how login works',
      attachments: [{ kind: 'path', ref: 'a.ts', summary: 'a.ts, 12 lines' }],
    })
    store.append(id, {
      sender: 'AI',
      text: 'I look.',
      output: {
        text: 'I look.',
        toolCalls: [{ id: 'c1', name: 'read_file', args: { path: 'src/`x`.ts' } }],
        finishReason: 'tool_calls',
        model: 'm',
      },
    })
    store.append(id, {
      sender: 'SYSTEM',
      text: '',
      system: {
        type: 'DATA_ADDED',
        callId: 'c1',
        toolName: 'read_file',
        result: { status: 'success', text: '```ts\nlogin()\n```' },
      },
    })
    store.append(id, { sender: 'AI', text: 'Login is built on JWT.' })
    return id
  })
}

test('a list has one line per session and fits a terminal of 60 columns', async () => {
  const id = talk(HERE, 'explain how login works and why it was built in this way')
  const line = await sessions('list')
  expect(line).toMatch(
    new RegExp(`^${id}  \\d\\d:\\d\\d         4 msg  explain how login works and why it was built in this way\n$`),
  )
  terminal = { isTTY: true, columns: 60 }
  expect((await sessions()).trimEnd()).toHaveLength(60)
  now += 40 * 86_400_000
  expect(await sessions()).toMatch(/ {2}\d{4}-\d\d-\d\d {4}4 msg {2}/)
})

test('nothing stored is said, and nothing is created by asking', async () => {
  expect(await sessions()).toBe('no sessions in this workspace; --all lists those of every one\n')
  expect(await sessions('--all')).toBe('no sessions\n')
  expect(await sessions('search', 'x', '--all')).toBe('nothing found\n')
})

test('--all lists every workspace under its path', async () => {
  const here = talk()
  const there = talk(THERE, 'elsewhere')
  const text = await sessions('list', '--all')
  expect(text.split('\n').map((line) => line.split('  ')[0])).toEqual([HERE, here, '', THERE, there, ''])
  expect(JSON.parse(await sessions('list', '--json')) as unknown).toMatchObject([{ id: here, messageCount: 4 }])
  expect(await sessions('list', 'LOGIN', '-n', '1')).toContain(here)
})

test('a session is read whole or in its last part', async () => {
  const id = talk()
  const text = await sessions('show', id.slice(0, 6))
  expect(text).toContain(`id         ${id}\nworkspace  ${HERE}\nmodel      mock/m\n`)
  expect(text.slice(text.indexOf('#1'))).toBe(`#1 you
explain how login works

#2 hound
I look.
▸ read_file {"path":"src/\`x\`.ts"}

#3 read_file success
\`\`\`ts
login()
\`\`\`

#4 hound
Login is built on JWT.
`)
  expect(await sessions('show', id, '--last', '1')).not.toContain('#3')
  expect(JSON.parse(await sessions('show', id, '--json')) as unknown).toMatchObject({
    session: { id },
    messages: [{ seq: 1 }, { seq: 2 }, { seq: 3 }, { seq: 4 }],
  })
})

test('what was said cannot steer the terminal', async () => {
  const id = stored(HERE, (store) => {
    const created = store.create(session)
    store.append(created.id, { sender: 'AI', text: 'a\u001b[2Jb\u009bc\td' })
    return created.id
  })
  terminal = { isTTY: true, columns: 80 }
  expect(await sessions('show', id)).toContain('#1 hound\na\\x1b[2Jb\\u009bc    d\n')
})

test('an export is Markdown that no content can break out of, or everything as JSON', async () => {
  const id = talk()
  const page = await sessions('export', id)
  expect(page.slice(page.indexOf('## You'))).toBe(`## You

explain how login works

- attached: a.ts, 12 lines

## Hound

I look.

- \`read_file\` \`\` {"path":"src/\`x\`.ts"} \`\`

### read_file: success

\`\`\`\`
\`\`\`ts
login()
\`\`\`
\`\`\`\`

## Hound

Login is built on JWT.
`)
  expect(page).toContain(`# explain how login works\n\n- session: ${id}\n`)
  const json = JSON.parse(await sessions('export', id, '--format', 'json')) as { messages: unknown[] }
  expect(json.messages).toHaveLength(4)
})

test('search finds words here, or everywhere', async () => {
  const here = talk()
  const there = talk(THERE, 'elsewhere')
  expect(await sessions('search', 'built', 'JWT')).toBe(
    `${here} #4  explain how login works\n  Login is built on JWT.\n`,
  )
  expect(await sessions('search', 'jwt', '--all')).toContain(`${there} #4  elsewhere`)
  expect(await sessions('search', 'nowhere')).toBe('nothing found in this workspace; --all searches every one\n')
  expect(JSON.parse(await sessions('search', 'jwt', '--all', '--json', '-n', '1')) as unknown[]).toHaveLength(1)
})

test('rename, fork and delete reach a session of any workspace', async () => {
  const there = talk(THERE, 'elsewhere')
  expect(await sessions('rename', there, 'the', 'new title')).toBe(`${there} is now called: the new title\n`)
  const text = await sessions('fork', there, '--at', '2')
  const copy = text.split(' ')[0]!
  expect(text).toBe(
    `${copy} holds the first 2 messages of ${there}.\nGo on with it in ${THERE}: codehound run --resume ${copy} "…"\n`,
  )
  expect(await sessions('delete', there, copy)).toBe(
    `deleted ${there}  the new title\ndeleted ${copy}  the new title\n`,
  )
  expect(await sessions('--all')).toBe('no sessions\n')
})

test('purge deletes by age and can say so before', async () => {
  talk()
  talk(THERE)
  now += 91 * 86_400_000
  expect(await sessions('purge', '--older', '90d', '--dry-run')).toBe(
    '1 session without activity for 90d would be deleted\n',
  )
  expect(await sessions('purge', '--older', '92d')).toBe('0 sessions without activity for 92d deleted\n')
  expect(await sessions('purge', '--older', '90d', '--all')).toBe('2 sessions without activity for 90d deleted\n')
  expect(await sessions('--all')).toBe('no sessions\n')
})

describe('wrong input', () => {
  test('an unknown id says where to look, and deletes nothing else', async () => {
    const id = talk()
    await expect(sessions('delete', id, 'nosuch')).rejects.toMatchObject({
      code: 'session_not_found',
      exitCode: 2,
      message: 'there is no session nosuch',
    })
    expect(await sessions()).toContain(id)
  })

  test('an id that fits several lists them', async () => {
    const ids = [talk(), talk()]
    const common = ids[0]!.slice(0, 4)
    await expect(sessions('show', common)).rejects.toThrow(
      `${common} fits several sessions: ${ids.toReversed().join(', ')}`,
    )
  })

  test('an age without a unit, an empty title and a message that is not there are usage errors', async () => {
    const id = talk()
    const error = { code: 'usage', exitCode: 2 }
    await expect(sessions('purge', '--older', '90')).rejects.toMatchObject(error)
    await expect(sessions('rename', id, ' ')).rejects.toMatchObject(error)
    await expect(sessions('fork', id, '--at', '5')).rejects.toMatchObject({
      ...error,
      suggestion: 'Give a number from 1 to 4.',
    })
    await expect(sessions('list', '-n', '0')).rejects.toThrow('Give a whole number from 1.')
  })
})
