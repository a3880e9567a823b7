// The prompt in a real pseudo-terminal: several lines, history, search, completion, attachments, the shell, the editor.
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { configure } from '../support/cli.ts'
import { keys } from '../support/pty.ts'
import type { PtyScreen } from '../support/pty.ts'
import { fix, read, useScreens } from '../support/screens.ts'

const screens = useScreens()
const { open } = screens
const BELL = '\u0007'
const ESC = '\u001B'

const lastMessage = (): string =>
  screens.server.requests.at(-1)!.messages.findLast((message) => message.role === 'user')!.text

/** Types pieces, each once the one before is on the screen. */
async function typed(screen: PtyScreen, text: string, shown = text): Promise<void> {
  screen.type(text)
  await screen.waitFor(() => screen.rows().some((row) => row.endsWith(shown)))
}

test('a new line comes with Alt+Enter and with a backslash, and Enter sends all of them', async () => {
  const screen = await open([{ text: 'Three lines.' }])
  await typed(screen, 'one')
  screen.type(keys.altEnter)
  await typed(screen, 'two\\')
  screen.type(keys.enter)
  await typed(screen, 'three')
  screen.type(keys.enter)
  await screen.waitFor('Three lines.')
  expect(lastMessage()).toContain('one\ntwo\nthree')
})

test('Ctrl+L draws the screen again where something else wrote into it', async () => {
  const screen = await open([])
  screen.type('a draft')
  await screen.waitFor('> a draft')
  screen.terminal.write('\u001B7\u001B[1A\rgarbage in the status row\u001B8')
  await screen.waitFor('garbage')
  screen.type(keys.ctrlL)
  await screen.waitFor((text) => !text.includes('garbage'))
  await screen.waitFor('> a draft')
  await screen.ready()
})

test('arrows and Ctrl+R bring back what was typed, in the next start too', async () => {
  const first = await open([{ text: 'a1' }, { text: 'a2' }])
  await first.send('alpha question')
  await first.waitFor('a1')
  await first.ready()
  await first.send('beta question')
  await first.waitFor('a2')
  await first.ready()
  first.type(keys.ctrlD)
  await first.ended
  const second = await open([])
  second.type(keys.up)
  await second.waitFor(() => second.prompt() === '> beta question')
  second.type(keys.up)
  await second.waitFor(() => second.prompt() === '> alpha question')
  second.type(keys.down)
  await second.waitFor(() => second.prompt() === '> beta question')
  second.type(keys.ctrlU)
  await second.waitFor(() => second.prompt() === '>')
  second.type(keys.ctrlR)
  await second.waitFor(() => second.prompt().startsWith('search:'))
  second.type('alp')
  await second.waitFor(() => second.prompt().includes('alpha question'))
  second.type(keys.tab)
  await second.waitFor(() => second.prompt() === '> alpha question')
})

test('Tab completes commands, paths, attachments and symbols', async () => {
  const screen = await open([{ text: 'Attached.' }])
  screen.type('/exp')
  await screen.waitFor(/ {2}\/export {2}write this session/)
  screen.type(keys.tab)
  await screen.waitFor(() => screen.prompt() === '> /export')
  screen.type(keys.ctrlU)
  await screen.waitFor(() => screen.prompt() === '>')
  screen.type('src/ma')
  screen.type(keys.tab)
  await screen.waitFor(() => screen.prompt() === '> src/math.ts')
  screen.type(keys.ctrlU)
  await screen.waitFor(() => screen.prompt() === '>')
  screen.type('@symbol:ad')
  await screen.waitFor(/ {2}@symbol:add/)
  screen.type(keys.tab)
  await screen.waitFor(() => screen.prompt() === '> @symbol:add')
  screen.type(keys.ctrlU)
  await screen.waitFor(() => screen.prompt() === '>')
  screen.type('@sr')
  await screen.waitFor(/^ {2}@src\/$/m)
  screen.type(keys.tab)
  // The folder's entries are the next choice.
  await screen.waitFor(/^ {2}@src\/math\.ts$/m)
  screen.type(keys.ctrlU)
  await screen.waitFor(() => screen.prompt() === '>')
  screen.type('look at @@src/m')
  await screen.waitFor(/ {2}@@src\/math\.ts/)
  screen.type(keys.tab)
  await screen.waitFor(() => screen.prompt() === '> look at @@src/math.ts')
  screen.type(keys.enter)
  await screen.waitFor('Attached.')
  expect(screen.text()).toMatch(/@@src\/math\.ts · /)
  expect(JSON.stringify(screens.server.requests[0]!.messages)).toContain('return a - b')
})

test('a command of the shell is shown, told to the model, and ended with Esc', async () => {
  const screen = await open([{ text: 'I saw it.' }])
  await screen.send('!echo shared-with-you')
  await screen.waitFor('  shared-with-you')
  await screen.ready()
  await screen.send('!echo begun; sleep 60; echo never')
  await screen.waitFor('  begun')
  await screen.waitFor(() => screen.rows().some((row) => row.includes('· tool')))
  screen.type(keys.esc)
  await screen.ready()
  expect(screen.text()).not.toContain('  never')
  await screen.send('what did I run')
  await screen.waitFor('I saw it.')
  expect(JSON.stringify(screens.server.requests[0]!.messages)).toContain('shared-with-you')
})

test('Esc ends every command of the shell that runs, a flood of output too, and leaving does', async () => {
  const screen = await open([])
  const alive = (): boolean => {
    const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    return all.includes(`sleep 61.${screen.pid}`) || all.includes(`yes ${screen.pid}`)
  }
  await screen.send('!sleep 0.5')
  await screen.send(`!sleep 61.${screen.pid}`)
  await screen.send(`!yes ${screen.pid}`)
  await vi.waitFor(() => expect(alive()).toBe(true), { timeout: 30_000 })
  // The first has ended; the others have not.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  screen.type(keys.esc)
  await vi.waitFor(() => expect(alive()).toBe(false), { timeout: 30_000 })
  await screen.ready()
  await screen.send(`!sleep 61.${screen.pid}`)
  await vi.waitFor(() => expect(alive()).toBe(true), { timeout: 30_000 })
  screen.type(keys.ctrlD)
  await screen.ended
  expect(alive()).toBe(false)
})

test('a command that wants the terminal has it, keys and all, and the model is told that it ran', async () => {
  screens.place.write(
    '../bin/vim',
    '#!/bin/sh\ntest -t 0 && test -t 1 && echo "the terminal is mine, $1"\nread line\necho "$line" > "$1"\nexit 3\n',
  )
  chmodSync(join(screens.place.folder, '../bin/vim'), 0o755)
  const path = `${join(screens.place.folder, '../bin')}:${screens.place.env['PATH']}`
  const screen = await open([{ text: 'I know.' }], { env: { PATH: path } })
  await screen.send('!vim note.txt')
  await screen.waitFor('the terminal is mine, note.txt')
  await screen.send('written by hand')
  await screen.waitFor(/^exit 3$/m)
  await screen.ready()
  expect(screens.file('note.txt')).toBe('written by hand\n')
  await typed(screen, 'what did I do')
  screen.type(keys.enter)
  await screen.waitFor('I know.')
  expect(JSON.stringify(screens.server.requests[0]!.messages)).toContain('The user ran `vim note.txt` (exit 3)')
})

test('two exclamation marks give any command the terminal; how a command ended is told', async () => {
  const screen = await open([])
  await screen.send('!!test -t 0 && echo it has $((40 + 2))')
  await screen.waitFor('it has 42')
  await screen.ready()
  await screen.send('!exit 7')
  await screen.waitFor(/^exit 7$/m)
  await screen.send('!echo "the input is not a terminal"; exit 9')
  await screen.waitFor(/^exit 9\. !!echo .* gives it the terminal\.$/m)
  await screen.send('!')
  await screen.waitFor('!command runs a command of the shell')
})

test('Ctrl+G writes the message in $EDITOR', async () => {
  screens.place.write('../editor.sh', '#!/bin/sh\necho "second line" >> "$1"\n')
  const screen = await open([{ text: 'Read.' }], {
    env: { EDITOR: `sh ${join(screens.place.folder, '../editor.sh')}` },
  })
  await typed(screen, 'first line')
  screen.type(keys.ctrlG)
  await screen.waitFor(() => screen.rows().some((row) => row.trim() === 'second line'))
  screen.type(keys.enter)
  await screen.waitFor('Read.')
  expect(lastMessage()).toContain('first line')
  expect(lastMessage()).toContain('second line')
})

test('Ctrl+C in an editor that leaves it to the terminal ends the editor, not codehound, and keeps the text', async () => {
  screens.place.write('../editor.sh', '#!/bin/sh\necho the editor waits\nsleep 60\n')
  const screen = await open([{ text: 'Read.' }], {
    env: { EDITOR: `sh ${join(screens.place.folder, '../editor.sh')}` },
  })
  await typed(screen, 'a draft')
  screen.type(keys.ctrlG)
  await screen.waitFor('the editor waits')
  screen.type(keys.ctrlC)
  await screen.waitFor('did not end well')
  await screen.waitFor(() => screen.prompt() === '> a draft')
  screen.type(keys.enter)
  await screen.waitFor('Read.')
  expect(lastMessage()).toBe('a draft')
})

test('a run goes on while the editor is open, and a paste that was not edited stays a chip', async () => {
  screens.place.write('../editor.sh', '#!/bin/sh\nuntil test -e "$0.go"; do sleep 0.05; done\n')
  const editor = join(screens.place.folder, '../editor.sh')
  const slow = { text: 'word '.repeat(60), faults: [{ type: 'slow' as const, ms: 20 }] }
  const screen = await open([{ ...slow, calls: [read('package.json')] }, { text: 'Answered meanwhile.' }], {
    env: { EDITOR: `sh ${editor}` },
  })
  await screen.send('go')
  await screen.waitFor('word word')
  screen.paste('row\n'.repeat(100))
  await screen.waitFor(() => screen.prompt() === '> [pasted #1: 101 lines]')
  expect(screens.server.requests).toHaveLength(1)
  screen.type(keys.ctrlG)
  await vi.waitFor(() => expect(screens.server.requests).toHaveLength(2), { timeout: 30_000 })
  expect(screen.text()).not.toContain('Answered meanwhile.')
  screens.place.write('../editor.sh.go', '')
  await screen.waitFor('Answered meanwhile.')
  await screen.waitFor(() => screen.prompt() === '> [pasted #1: 101 lines]')
})

test('Ctrl+Z takes typing back while something is typed; Ctrl+O shows what calls gave', async () => {
  const screen = await open([{ calls: [read('package.json')] }, { text: 'Done.' }])
  await typed(screen, 'a')
  await typed(screen, 'b', 'ab')
  screen.type(keys.ctrlZ)
  await screen.waitFor(() => screen.prompt() === '> a')
  screen.type(keys.enter)
  await screen.waitFor('Done.')
  await screen.ready()
  expect(screen.text()).not.toContain('{"name":"demo"}')
  screen.type(keys.ctrlO)
  await screen.waitFor('{"name":"demo"}')
})

test('the settings of display, input and edit hold', async () => {
  configure(screens.place, screens.server.url, {
    more: [
      'display: { show_stats: false, show_tool_calls: false, stream: false, theme: high-contrast }',
      'edit: { alwaysConfirm: false, showDiff: false }',
      'input: { multiline: "on" }\n',
    ].join('\n'),
  })
  const screen = await open(
    [
      { calls: [read('src/math.ts')] },
      { calls: [fix] },
      { text: 'word '.repeat(80), faults: [{ type: 'slow', ms: 5 }] },
    ],
    { env: { NO_COLOR: '' } },
  )
  expect(screen.mode()).toBe('auto-edit')
  await typed(screen, 'fix')
  screen.type(keys.enter)
  await typed(screen, 'add')
  const before = screen.bytes().length
  screen.type(keys.altEnter)
  await screen.waitFor('word word')
  await screen.ready()
  expect(lastMessage()).toContain('fix\nadd')
  expect(screen.text()).toContain('src/math.ts  lines 1–3  +1 −1')
  expect(screen.text()).not.toContain('return a + b')
  expect(screen.text()).not.toContain('read_file')
  expect(screen.text()).not.toContain('tokens')
  // The answer came as a whole: never a part of it was drawn.
  expect(screen.bytes().slice(before).split('word word').length).toBeGreaterThan(1)
  // A colour of high contrast.
  expect(screen.bytes()).toContain(`${ESC}[1;96mhound`)
})

test('the terminal rings when a run ends behind another window, and not in front', async () => {
  const screen = await open([{ text: 'One.' }, { text: 'word '.repeat(60), faults: [{ type: 'slow', ms: 20 }] }])
  const focus = { in: `${ESC}[I`, out: `${ESC}[O` }
  screen.type(focus.in)
  await screen.send('one')
  await screen.waitFor('One.')
  await screen.ready()
  expect(screen.bytes()).not.toContain(BELL)
  await screen.send('two')
  screen.type(focus.out)
  await screen.waitFor(() => screen.bytes().includes(`${BELL}${ESC}]9;codehound: ready`))
})
