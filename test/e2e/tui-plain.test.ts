// The line mode: the same session, commands and answers, one line after another, for logs and screen readers.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../support/cli.ts'
import { keys } from '../support/pty.ts'
import type { PtyScreen } from '../support/pty.ts'
import { edit, fix, read, shell, useScreens } from '../support/screens.ts'
import type { ServerScript } from '../support/model-server.ts'

const screens = useScreens()
const ESC = '\u001B'

async function openPlain(script: ServerScript, env: Record<string, string> = {}): Promise<PtyScreen> {
  screens.server.play(script, { by: 'requests' })
  const screen = screens.start(['--plain'], { env })
  await screen.waitFor('> ')
  return screen
}

test('a question, an edit with a reason, a command, and nothing but lines', async () => {
  const screen = await openPlain([
    { text: 'I look.', calls: [read('src/math.ts')] },
    { calls: [fix] },
    { calls: [shell('deploy test')] },
    { calls: [edit('a - b', 'a + b')] },
    { text: 'Done.' },
  ])
  await screen.send('fix add')
  await screen.waitFor('y apply, n REASON reject')
  expect(screen.text()).toContain('-   return a - b')
  await screen.send('n run the tests first')
  await screen.waitFor('y yes, n REASON no')
  expect(screen.text()).toMatch(/rejected .*run the tests first/)
  await screen.send('n')
  await screen.waitFor((text) => text.split('y apply').length === 3)
  await screen.send('y')
  await screen.waitFor('Done.')
  await screen.waitFor(/tokens/)
  expect(screens.file('src/math.ts')).toContain('a + b')
  expect(screen.bytes()).not.toContain(ESC)
  screen.type(keys.ctrlD)
  expect(await screen.ended).toBe(0)
  expect(screen.text()).not.toContain('error:')
})

test('an edit is changed in $EDITOR, and a message of several lines is one', async () => {
  screens.place.write('../editor.sh', '#!/bin/sh\nsed -i s/a\\ +\\ b/b\\ +\\ a/ "$1"\n')
  const screen = await openPlain([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Done.' }], {
    EDITOR: `sh ${join(screens.place.folder, '../editor.sh')}`,
  })
  await screen.send('fix add \\')
  await screen.send('please')
  await screen.waitFor('e edit')
  expect(screens.server.requests[0]!.messages.findLast(({ role }) => role === 'user')!.text).toContain(
    'fix add \nplease',
  )
  await screen.send('e')
  await screen.waitFor('Done.')
  expect(screens.file('src/math.ts')).toContain('return b + a')
})

test('lists, questions, commands of the shell and undo', async () => {
  const screen = await openPlain([
    { calls: [{ name: 'ask_user', arguments: { question: 'Which one?', options: ['left', 'right'] } }] },
    { text: 'Right it is.' },
  ])
  await screen.send('/mode')
  await screen.waitFor('Type a number')
  await screen.send('1')
  await screen.send('/status')
  await screen.waitFor(/^mode +plan/m)
  await screen.send('!echo from the shell')
  await screen.waitFor('  from the shell')
  await screen.send('/undo')
  await screen.waitFor(/nothing|Nothing|No change/)
  await screen.send('ask me')
  await screen.waitFor('? Which one?')
  await screen.send('2')
  await screen.waitFor('Right it is.')
  expect(screen.text()).toContain('  right')
})

test('a busy server is told once, and Ctrl+C interrupts before it leaves', async () => {
  const screen = await openPlain([
    { faults: [{ type: 'status', status: 429, retryAfter: 1 }] },
    { text: 'word '.repeat(500), faults: [{ type: 'slow', ms: 20 }] },
  ])
  await screen.send('hello')
  await screen.waitFor(/retry 1\/\d+ in 1 s \(429\)/)
  await screen.waitFor('hound')
  screen.type(keys.ctrlC)
  await screen.waitFor('interrupted')
  expect(screen.text().match(/retry 1\//g)).toHaveLength(1)
  screen.type(keys.ctrlC)
  expect(await screen.ended).toBe(130)
})

test('a line that only begins like an answer is none, commands work meanwhile, and an unknown hunk applies nothing', async () => {
  const screen = await openPlain([
    { calls: [read('src/math.ts')] },
    { calls: [fix] },
    { calls: [{ name: 'ask_user', arguments: { question: 'Which file?', options: ['one', 'two'] } }] },
    { text: 'Done.' },
  ])
  await screen.send('fix add')
  await screen.waitFor('y apply, n REASON reject')
  await screen.send('a helper would be better')
  await screen.waitFor('Kept for the next turn')
  await screen.send('/mode plan')
  await screen.send('/status')
  await screen.waitFor(/^mode +plan/m)
  await screen.send('d 9')
  await screen.waitFor('There is no hunk 9')
  await screen.send('s')
  await screen.waitFor('"s" is no answer here')
  expect(screens.file('src/math.ts')).toContain('a - b')
  await screen.send('YES')
  await screen.waitFor('? Which file?')
  expect(screens.file('src/math.ts')).toContain('a + b')
  await screen.send('')
  await screen.send('/etc/hosts')
  await screen.waitFor('Done.')
  const said = screens.server.requests.at(-1)!.messages
  expect(said.find(({ role, text }) => role === 'user' && text === 'a helper would be better')).toBeDefined()
  expect(said.findLast(({ role }) => role === 'tool')!.text).toContain('/etc/hosts')
})

test('a pipe answers what waits; where it ends before, nothing is done and the exit code says so', async () => {
  const run = async (input: string) => {
    screens.server.play([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Done.' }, { text: 'And on.' }], {
      by: 'requests',
    })
    return runCli(screens.place, ['--plain'], { input })
  }
  const open = await run('fix add\n')
  expect(open.code).toBe(5)
  expect(open.stdout).toContain('nobody can answer')
  expect(screens.file('src/math.ts')).toContain('a - b')
  const answered = await run('fix add\ny\nand now\n')
  expect(answered.code).toBe(0)
  expect(answered.stdout).toMatch(/Done\.[^]*you {4}and now[^]*And on\./)
  expect(screens.file('src/math.ts')).toContain('a + b')
})

test('a command that wants a terminal is told at once that there is none', async () => {
  const { code, stdout } = await runCli(screens.place, ['--plain'], { input: '!vim a.txt\n!echo next\n' })
  expect(code).toBe(0)
  expect(stdout).toMatch(/vim wants a terminal, and there is none here\.\n {2}next\n/)
})
