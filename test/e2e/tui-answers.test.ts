// What waits for the user on the screen: all of a run, commands, questions, conflicts, errors with a choice.
import { expect, test } from 'vitest'
import { startModelServer } from '../support/model-server.ts'
import { keys } from '../support/pty.ts'
import { edit, fix, read, shell, useScreens } from '../support/screens.ts'

const screens = useScreens()
const { open, file } = screens

test('A applies this and every further edit of the run, and the next run asks again', async () => {
  const screen = await open([
    { calls: [read('src/math.ts')] },
    { calls: [fix] },
    { calls: [edit('add(a', 'sum(a')] },
    { text: 'Both.' },
    { calls: [edit('sum(a', 'plus(a')] },
    { text: 'Third.' },
  ])
  await screen.send('twice')
  await screen.waitFor('[A] all')
  screen.type('a')
  await screen.waitFor('Both.')
  await screen.ready()
  expect(file('src/math.ts')).toContain('sum(a: number, b: number) {\n  return a + b')
  await screen.send('once more')
  await screen.waitFor('[A] all')
  screen.type('y')
  await screen.waitFor('Third.')
})

test('S keeps a command allowed for this session, and what is asked names the rule', async () => {
  const call = shell('deploy --version && deploy -n')
  const screen = await open([{ calls: [call] }, { text: 'First.' }, { calls: [call] }, { text: 'Second.' }])
  await screen.send('run it')
  await screen.waitFor(/\[W\] always: .*deploy/)
  expect(screen.text()).toContain('No rule allows')
  screen.type('s')
  await screen.waitFor('First.')
  await screen.ready()
  await screen.send('again')
  await screen.waitFor('Second.')
  expect(screen.text()).not.toContain('[Y] yes')
})

test('a slash begins a command while an approval waits, and the approval stays', async () => {
  const screen = await open([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Done.' }])
  await screen.send('fix')
  await screen.waitFor('[Y] apply')
  screen.type('/')
  await screen.waitFor('empty the line (Ctrl+U) or send it, then answer')
  await screen.send('questions')
  await screen.waitFor(/approval {2}edit src\/math\.ts/)
  await screen.waitFor('[Y] apply')
  screen.type('y')
  await screen.waitFor('Done.')
})

test('a question is answered with arrows, with a number and with own words', async () => {
  const ask = (question: string) => ({
    calls: [{ name: 'ask_user', arguments: { question, options: ['left', 'right'] } }],
  })
  const screen = await open([ask('First?'), ask('Second?'), ask('Third?'), { text: 'Thanks.' }])
  await screen.send('ask me')
  await screen.waitFor('? First?')
  screen.type(keys.down)
  await screen.waitFor('  > 2 right')
  screen.type(keys.enter)
  await screen.waitFor('? Second?')
  screen.type('1')
  await screen.waitFor('? Third?')
  await screen.send('straight on')
  await screen.waitFor('Thanks.')
  const results = screens.server.requests.at(-1)!.messages.filter((message) => message.role === 'tool')
  expect(results.map(({ text }) => /right|left|straight on/.exec(text)?.[0])).toEqual(['right', 'left', 'straight on'])
})

test('a file that somebody changed while the change waited asks what to do', async () => {
  const screen = await open([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Both are in.' }])
  await screen.send('fix add')
  await screen.waitFor('[Y] apply')
  screens.place.write('src/math.ts', `// by hand\n${file('src/math.ts')}`)
  screen.type('y')
  await screen.waitFor('[A] apply  [S] skip  [R] regenerate')
  screen.type('a')
  await screen.waitFor('Both are in.')
  expect(file('src/math.ts')).toBe('// by hand\nexport function add(a: number, b: number) {\n  return a + b\n}\n')
})

test('a dead server: skip leaves the message, abort ends the run, and the next message works', async () => {
  const screen = await open([])
  const { port } = screens.server
  await screens.server.close()
  await screen.send('first')
  await screen.waitFor('[R] retry  [S] skip  [A] abort')
  screen.type('s')
  await screen.waitFor(() => screen.rows().some((row) => /· ready/.test(row)))
  await screen.send('second')
  await screen.waitFor('[R] retry  [S] skip  [A] abort')
  screen.type('a')
  await screen.waitFor((text) => !text.includes('[R] retry'))
  await screen.ready()
  screens.server = await startModelServer([{ text: 'I am back.' }], { port, by: 'requests' })
  await screen.send('third')
  await screen.waitFor('I am back.')
  const said = screens.server.requests[0]!.messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  expect(said.join(' ')).toMatch(/first.*second.*third/s)
})

test('Esc while an approval waits interrupts, and nothing was changed', async () => {
  const screen = await open([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Later.' }])
  await screen.send('fix add')
  await screen.waitFor('[Y] apply')
  screen.type(keys.esc)
  await screen.waitFor('interrupted')
  await screen.ready()
  expect(file('src/math.ts')).toContain('a - b')
  await screen.send('go on')
  await screen.waitFor('Later.')
  screens.server.assertSound()
})
