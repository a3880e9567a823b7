// Every command of the screen does what it says.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandNames } from '../../src/tui/commands.ts'
import type { Controller } from '../../src/tui/controller.ts'
import { keys } from '../support/pty.ts'
import type { PtyScreen } from '../support/pty.ts'
import { edit, fix, read, useScreens } from '../support/screens.ts'

const screens = useScreens()
const { open, file } = screens

/** Commands the tests of this file, of tui.test.ts and of tui-start.test.ts run. */
const tried = `help status questions export changes map config reindex mode auto-apply model undo redo rewind clear new
  sessions context compress eval quit init review refactor test use pull resume
  permissions`

test('every command there is has a test', () => {
  const names = commandNames({ bench: undefined } as Controller).map(({ text }) => text.slice(1))
  expect(names.toSorted()).toEqual(tried.split(/\s+/).toSorted())
})

test('every command there is stands in docs/tui.md', () => {
  const page = readFileSync(new URL('../../docs/tui.md', import.meta.url), 'utf8')
  for (const { text } of commandNames({ bench: undefined } as Controller)) expect(page).toContain(`\`${text}`)
})

/** Types a command and waits for what it shows. */
async function says(screen: PtyScreen, command: string, what: string | RegExp): Promise<void> {
  await screen.send(command)
  await screen.waitFor(what)
}

/** What the model was last asked by the user. */
const asked = (): string =>
  screens.server.requests.at(-1)!.messages.findLast((message) => message.role === 'user')!.text

test('commands that only show', async () => {
  const screen = await open([])
  await says(screen, '/help', /\/rewind +files and conversation back/)
  expect(screen.text()).toMatch(/^Shift\+Tab +mode$/m)
  await says(screen, '/status', /sandbox +\S+/)
  for (const name of ['session', 'model', 'mode', 'context', 'project', 'store', 'index', 'mock', 'so far'])
    expect(screen.text()).toMatch(new RegExp(`^${name} +\\S`, 'm'))
  await says(screen, '/questions', 'Nothing waits for an answer.')
  await says(screen, '/changes', /^> \/changes\nNo changes have been recorded here\.$/m)
  await says(screen, '/map', 'function add(a: number, b: number)')
  await says(screen, '/config', /model = "mock\/some-model" +\S+config\.yaml:\d/)
  await says(screen, '/reindex', /The index knows \d+ files and \d+ symbols; 0 files/)
  await says(screen, '/quesions', 'Did you mean /questions?')
  await says(screen, '/undo x', '/undo takes a number')
  await says(screen, '/refactor', '/refactor takes the name of a symbol')
})

test('what is too long for its column of the help goes on in it', async () => {
  const wide = await open([], { columns: 80 })
  await says(wide, '/help', /^\/context \S.*\n {33}\S/m)
  const narrow = await open([], { columns: 40 })
  await says(narrow, '/help', /^\/context \S+ BLOCK\]\n {4}\S.*\n {4}\S/m)
})

test('commands about mode and model', async () => {
  screens.server.play([{ text: 'The other.' }], { models: ['some-model', 'other-model'] })
  const screen = screens.start()
  await screen.ready()
  await screen.send('/mode plan')
  await screen.waitFor(() => screen.mode() === 'plan')
  await screen.send('/auto-apply on')
  await screen.waitFor(() => screen.mode() === 'auto-edit')
  await screen.send('/auto-apply off')
  await screen.waitFor(() => screen.mode() === 'ask')
  await says(screen, '/mode', 'asks nothing; needs the sandbox')
  screen.type(keys.up)
  screen.type(keys.enter)
  await screen.waitFor(() => screen.mode() === 'plan')
  await says(screen, '/mode fast', '"fast" is no mode')
  await says(screen, '/model', /> mock\/some-model {2}in use|mock\/other-model/)
  await screen.waitFor('mock/other-model')
  screen.type('1')
  await screen.waitFor('model: mock/other-model')
  await says(screen, '/new', 'A new session.')
  // The mode that was set stays.
  await screen.waitFor(() => screen.mode() === 'plan')
  await screen.send('/model mock/other-model')
  await says(screen, 'hello', 'The other.')
  expect(screens.server.requests.at(-1)!.model).toBe('other-model')
})

test('commands about sessions, and the answer that is held against the record', async () => {
  const screen = await open([
    { text: 'I changed `src/math.ts` and all tests pass.' },
    { text: 'A summary.' },
    { text: 'Second.' },
  ])
  await says(screen, 'first message', /tokens/)
  await says(screen, '/eval', /"[^"]*tests pass[^"]*": /)
  await says(screen, '/context', /of 128000/)
  expect(screen.text()).toMatch(/\d+ {2}rules/)
  await says(screen, '/compress', /Nothing to compress|compacted/)
  await says(screen, '/export', /Written: codehound-\w+\.md/)
  await says(screen, '/export', /Written: codehound-\w+-2\.md/)
  expect(readdirSync(screens.place.folder).filter((name) => name.endsWith('.md'))).toHaveLength(2)
  await says(screen, '/new', 'A new session.')
  await says(screen, 'second message', 'Second.')
  await says(screen, '/clear', /A new session\.[\s\S]*A new session\./)
  await says(screen, '/sessions', 'Sessions  arrows, Enter')
  expect(screen.text()).toMatch(/second message {2}\d{4}-\d\d-\d\d \d\d:\d\d · 2 messages/)
  screen.type('2')
  await screen.waitFor('Session: first message')
  await says(screen, '/sessions nothing-like-it', 'No session matches')
  await screen.send('/quit')
  expect(await screen.ended).toBe(0)
})

test('commands that are a prompt, those of the project among them', async () => {
  mkdirSync(join(screens.place.folder, '.codehound/commands'), { recursive: true })
  writeFileSync(
    join(screens.place.folder, '.codehound/commands/greet.md'),
    '---\ndescription: says hello\n---\nGreet $ARGUMENTS twice.\n',
  )
  const screen = await open(Array.from({ length: 6 }, (_, n) => ({ text: `answer ${n}` })))
  await says(screen, '/init', 'answer 0')
  expect(asked()).toContain('Write AGENTS.md')
  await says(screen, '/review src/math.ts', 'answer 1')
  expect(asked()).toContain('@src/math.ts')
  await says(screen, '/refactor add', 'answer 2')
  expect(asked()).toContain('@symbol:add')
  await says(screen, '/test add', 'answer 3')
  expect(asked()).toContain('Write tests for @symbol:add')
  const before = screens.server.requests.length
  await says(screen, '/refactor ad', 'No symbol of this project is "ad". Nearest: add.')
  await says(screen, '/test nothing.likeThis with edges', 'No symbol of this project is "nothing.likeThis".')
  expect(screens.server.requests).toHaveLength(before)
  await says(screen, '/test src/math.ts, and its edges', 'answer 4')
  expect(asked()).toContain('Write tests for @src/math.ts and its edges')
  await says(screen, '/help', '/greet')
  await says(screen, '/greet Ada', 'answer 5')
  expect(asked()).toContain('Greet Ada twice.')
})

test('undo of several changes, what was changed, and a rewind that gives the message back', async () => {
  const screen = await open(
    [{ calls: [read('src/math.ts')] }, { calls: [fix] }, { calls: [edit('add(a', 'sum(a')] }, { text: 'Twice.' }],
    { args: ['--mode', 'auto-edit'] },
  )
  await says(screen, 'change it twice', 'Twice.')
  await screen.ready()
  await says(screen, '/changes', /\d\d:\d\d {2}edit src\/math\.ts[^\n]*\n\d\d:\d\d {2}edit src\/math\.ts/)
  await says(screen, '/undo 2', 'Undone')
  expect(file('src/math.ts')).toContain('add(a: number, b: number) {\n  return a - b')
  await says(screen, '/redo 2', 'Redone')
  expect(file('src/math.ts')).toContain('sum(a: number, b: number) {\n  return a + b')
  await says(screen, '/undo 11', 'More than 10 are asked about')
  screen.type(keys.enter)
  await screen.waitFor(() => !screen.rows().some((row) => row.startsWith('Undo 11')))
  await says(screen, '/rewind', 'Back to before which message?')
  screen.type(keys.enter)
  await screen.waitFor(() => screen.prompt() === '> change it twice')
  expect(file('src/math.ts')).toContain('add(a: number, b: number) {\n  return a - b')
})

test('/new with a template has that made; Tab completes its name, and an unknown one says what there is', async () => {
  screens.place.write(
    '.codehound/templates/adr.md',
    '---\ndescription: a decision\npath: docs/adr/N.md\n---\n# Decision\n',
  )
  const own = join(screens.place.env['HOME']!, '.config/codehound/templates')
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'adr.md'), '# Hidden by the one of the project\n')
  writeFileSync(join(own, 'letter.md'), '# A letter\n')
  const screen = await open([{ text: 'Written.' }, { text: 'Again.' }])
  await says(screen, '/new nope of mine', 'There is no template "nope".')
  await screen.waitFor('/new takes adr, agents, command, letter, rule, skill,')
  screen.type('/new ad')
  await screen.waitFor('adr  a decision')
  screen.type(keys.tab)
  await screen.waitFor(() => screen.prompt() === '> /new adr')
  await screen.send('on caching')
  await screen.waitFor('Written.')
  const { messages } = screens.server.requests.at(-1)!
  const at = messages.findLastIndex(({ role }) => role === 'user')
  expect(messages[at]!.text).toContain('New from @template:adr: on caching')
  expect(
    messages
      .slice(at)
      .map(({ text }) => text)
      .join('\n'),
  ).toMatch(/<attachment[^>]*@template:adr[^>]*>\nWhere the file goes: docs\/adr\/N\.md\.\nThe template:\n\n# Decision/)
  // Alone it is a new session.
  await says(screen, '/new', 'A new session.')
})
