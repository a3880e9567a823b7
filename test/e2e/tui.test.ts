// The screen in a real pseudo-terminal: what a user types, and what he sees.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configure, runCli } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ServerScript } from '../support/model-server.ts'
import { keys } from '../support/pty.ts'
import { fix, read, shell, useScreens } from '../support/screens.ts'

const screens = useScreens()
const { open, file } = screens

/** The control sequences these tests look for. */
const ESC = '\u001B'
const FULL_CLEAR = new RegExp(`${ESC}\\[[23]J`)
const TO_TOP = new RegExp(`${ESC}\\[H`)
const ROWS_UP = new RegExp(`${ESC}\\[(\\d*)A`, 'g')
const ANY_STYLE = new RegExp(`${ESC}\\[[\\d;]*[1-9]\\d*m`)

test('a question is answered in the scrollback, with statistics under it', async () => {
  const screen = await open([{ text: 'The **sum** is `3`.\n\n- one\n- two\n' }])
  await screen.send('what is it')
  await screen.waitFor(/tokens/)
  expect(screen.text()).toMatch(/you {4}what is it\n\nhound\nThe sum is 3\.\n\n• one\n• two\n\d.*tokens/)
  expect(screen.rows().at(-1) === '' || screen.prompt().startsWith('>')).toBe(true)
})

test('letters typed before the screen is there reach the prompt', async () => {
  const screen = screens.start()
  for (const letter of 'abcdefghij') screen.type(letter)
  await screen.waitFor(() => screen.prompt().includes('> abcdefghij'))
})

test('lines that come in one read, before the screen is there too, are typed lines', async () => {
  screens.server.play([{ text: 'First.' }, { text: 'Second.' }], { by: 'requests' })
  const screen = screens.start()
  screen.type('!echo from-the-shell\rone\rand')
  await screen.waitFor('First.')
  await screen.waitFor(() => screen.prompt() === '> and')
  expect(screen.text()).toMatch(/^ {2}from-the-shell$/m)
  screen.type(' two\r')
  await screen.waitFor('Second.')
  expect(screens.server.requests.at(-1)!.messages.findLast(({ role }) => role === 'user')!.text).toBe('and two')
})

test('where the locale has no UTF-8 the screen is ASCII', async () => {
  const screen = await open(
    [{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: '- one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n' }],
    {
      env: { LANG: 'C' },
    },
  )
  await screen.send('fix add')
  await screen.waitFor('[Y] apply')
  screen.type('y')
  await screen.waitFor('tokens')
  await screen.send('/help')
  await screen.waitFor('/refactor symbol')
  expect(screen.text()).not.toMatch(/[^\n -~]/)
})

test('an edit is approved with Y', async () => {
  const screen = await open([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Done.' }])
  await screen.send('fix add')
  await screen.waitFor('[Y] apply')
  expect(screen.text()).toContain('+   return a + b')
  screen.type('y')
  await screen.waitFor('Done.')
  expect(file('src/math.ts')).toContain('a + b')
})

test('an edit is rejected with a reason that the model is told', async () => {
  const screen = await open([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'As you wish.' }])
  await screen.send('fix add')
  await screen.waitFor('[Y] apply')
  screen.type('n')
  await screen.waitFor('reason>')
  await screen.send('use a helper')
  await screen.waitFor('As you wish.')
  expect(screen.text()).toContain('use a helper')
  expect(JSON.stringify(screens.server.requests.at(-1)!.messages)).toContain('use a helper')
  expect(file('src/math.ts')).toContain('a - b')
})

test('an edit is changed in $EDITOR before it is applied', async () => {
  const { place } = screens
  place.write('../editor.sh', '#!/bin/sh\nsed -i s/a\\ +\\ b/b\\ +\\ a/ "$1"\n')
  const screen = await open([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Done.' }], {
    env: { EDITOR: `sh ${join(place.folder, '../editor.sh')}` },
  })
  await screen.send('fix add')
  await screen.waitFor('[Y] apply')
  screen.type('e')
  await screen.waitFor('Done.')
  expect(file('src/math.ts')).toContain('return b + a')
})

test('one hunk of an edit is dropped with space', async () => {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`)
  screens.place.write('list.txt', `${lines.join('\n')}\n`)
  const change = {
    name: 'edit_file',
    arguments: {
      path: 'list.txt',
      edits: [
        { old_text: 'line 2\n', new_text: 'LINE 2\n' },
        { old_text: 'line 38\n', new_text: 'LINE 38\n' },
      ],
    },
  }
  const screen = await open([{ calls: [read('list.txt')] }, { calls: [change] }, { text: 'Done.' }])
  await screen.send('upper case')
  await screen.waitFor('hunk 1/2')
  screen.type(keys.down)
  await screen.waitFor('hunk 2/2')
  screen.type(' ')
  await screen.waitFor('apply the rest')
  screen.type('y')
  await screen.waitFor('Done.')
  expect(file('list.txt')).toContain('LINE 2\n')
  expect(file('list.txt')).toContain('line 38\n')
})

test('a change that is longer than the screen is scrolled through before it is answered', async () => {
  const content = Array.from({ length: 90 }, (_, i) => `line ${i + 1} of it`).join('\n')
  const write = { name: 'write_file', arguments: { path: 'long.txt', content } }
  const screen = await open([{ calls: [write] }, { text: 'Done.' }], { columns: 60, rows: 20 })
  const shows = (n: number) => screen.rows().some((row) => row.endsWith(`line ${n} of it`))
  await screen.send('write it')
  await screen.waitFor(/rows 1–\d+ of 92 · PgUp/)
  expect([shows(1), shows(40)]).toEqual([true, false])
  for (let n = 0; n < 30 && !shows(40); n++) {
    const before = screen.rows().join('\n')
    screen.type(keys.pageDown)
    await screen.waitFor(() => screen.rows().join('\n') !== before)
  }
  expect([shows(1), shows(40)]).toEqual([false, true])
  screen.type(keys.end)
  await screen.waitFor(/–92 of 92/)
  expect(shows(90)).toBe(true)
  screen.type(keys.up)
  await screen.waitFor(/–91 of 92/)
  screen.type(keys.pageUp.repeat(30))
  await screen.waitFor(() => shows(1))
  screen.type('y')
  await screen.waitFor('Done.')
  expect(file('long.txt')).toBe(content)
})

test('a command that is longer than the screen is scrolled through, too', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `echo step ${i + 1}`).join('\n')
  const screen = await open([{ calls: [shell(`deploy\n${lines}`)] }, { text: 'Done.' }], { columns: 60, rows: 20 })
  await screen.send('run it')
  await screen.waitFor(/rows 1–\d+ of \d+/)
  expect(screen.text()).not.toContain('echo step 60')
  screen.type(keys.end)
  await screen.waitFor('echo step 60')
  screen.type('n')
  await screen.waitFor('reason>')
})

test('undo, redo and rewind take files back and forth', async () => {
  const screen = await open([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Done.' }], {
    args: ['--mode', 'auto-edit'],
  })
  await screen.send('fix add')
  await screen.waitFor('Done.')
  await screen.ready()
  screen.type(keys.ctrlZ)
  await screen.waitFor('Undone')
  expect(file('src/math.ts')).toContain('a - b')
  await screen.send('/redo')
  await screen.waitFor('Redone')
  expect(file('src/math.ts')).toContain('a + b')
  await screen.send('/rewind')
  await screen.waitFor('Back to before which message?')
  screen.type(keys.enter)
  await screen.waitFor('Back to before: fix add')
  expect(file('src/math.ts')).toContain('a - b')
})

test('Esc interrupts a stream once and what has come stays', async () => {
  const screen = await open([{ text: 'word '.repeat(400), faults: [{ type: 'slow', ms: 20 }] }])
  await screen.send('talk')
  await screen.waitFor('word word')
  screen.type(keys.esc)
  await screen.waitFor('interrupted')
  await screen.ready()
  expect(screen.text()).toContain('word word')
})

test('Ctrl+C interrupts a running tool, a second one leaves', async () => {
  const screen = await open([{ calls: [shell('sleep 30')] }])
  await screen.send('wait')
  // A pause harms nothing, so it runs unasked.
  await screen.waitFor(/shell_exec run sleep 30 {2}\d+s/)
  screen.type(keys.ctrlC)
  await screen.waitFor('interrupted')
  screen.type(keys.ctrlC)
  expect(await screen.ended).toBe(0)
})

test('Ctrl+D leaves, and the session is gone on with', async () => {
  const first = await open([{ text: 'The answer is 42.' }])
  await first.send('remember')
  await first.waitFor('42')
  await first.ready()
  first.type(keys.ctrlD)
  expect(await first.ended).toBe(0)
  expect(first.text()).toMatch(/codehound --resume \w+/)
  const second = await open([{ text: 'Again.' }], { args: ['--continue'] })
  await second.waitFor('The answer is 42.')
  await second.send('again')
  await second.waitFor('Again.')
  expect(
    screens.server.requests
      .at(-1)!
      .messages.map((message) => message.text)
      .join(' '),
  ).toContain('42')
})

test('a paste of 500 lines is one chip and is sent whole', async () => {
  const screen = await open([{ text: 'Read.' }])
  screen.paste(Array.from({ length: 500 }, (_, i) => `row ${i}`).join('\n'))
  await screen.waitFor(/\[pasted #1: 500 lines\]/)
  screen.type(keys.enter)
  await screen.waitFor('Read.')
  const said = screens.server.requests[0]!.messages.findLast((message) => message.role === 'user')!.text
  expect(said).toContain('row 0\nrow 1\n')
  expect(said).toContain('row 499')
})

test('a resize to 60 and to 200 columns during a stream loses no word', async () => {
  const words = Array.from({ length: 300 }, (_, i) => `w${i}`)
  const screen = await open([{ text: words.join(' '), faults: [{ type: 'slow', ms: 8 }] }])
  await screen.send('talk')
  await screen.waitFor('w60 ')
  screen.resize(60, 30)
  await screen.waitFor('w150')
  screen.resize(200, 30)
  await screen.waitFor('tokens')
  const shown = screen.joined().match(/w\d+/g) ?? []
  expect([...new Set(shown)]).toEqual(words)
})

test('wide and combining characters keep the cursor and the rows right', async () => {
  const screen = await open([{ text: '日本語のテスト と é と 👩‍👩‍👧‍👦.' }])
  screen.type('日本e\u0301x')
  await screen.waitFor(() => screen.prompt().includes('日本e\u0301x'))
  screen.type('\u007F\u007F')
  await screen.waitFor(() => screen.prompt() === '> 日本')
  screen.type(keys.enter)
  await screen.waitFor('日本語のテスト')
})

test('a busy server is waited for with a countdown', async () => {
  const screen = await open([{ faults: [{ type: 'status', status: 429, retryAfter: 3 }] }, { text: 'At last.' }])
  await screen.send('hello')
  await screen.waitFor(/retry 1\/\d+ in [1-3] s \(429\)/)
  await screen.waitFor('At last.')
})

test('a dead server asks Retry, Skip or Abort', async () => {
  const screen = await open([{ text: 'Back.' }])
  const { port } = screens.server
  await screens.server.close()
  await screen.send('hello')
  await screen.waitFor('[R] retry')
  screens.server = await startModelServer([{ text: 'Back.' }], { port, by: 'requests' })
  screen.type('r')
  await screen.waitFor('Back.')
})

test('what is typed during a run is queued, shown, and joins', async () => {
  const screen = await open([
    { text: 'thinking '.repeat(60), faults: [{ type: 'slow', ms: 20 }], calls: [read('package.json')] },
    { text: 'Both done.' },
  ])
  await screen.send('first')
  await screen.waitFor('thinking thinking')
  await screen.send('second')
  await screen.waitFor('queued: second')
  await screen.waitFor('Both done.')
  expect(screen.text()).toMatch(/you {4}second/)
  expect(screen.text()).not.toContain('queued: second')
})

test('what was queued when the run is stopped stands at the prompt again, before what is typed', async () => {
  const slow = { text: 'thinking '.repeat(200), faults: [{ type: 'slow' as const, ms: 20 }] }
  const screen = await open([slow, { text: 'In order.' }])
  await screen.send('first')
  await screen.waitFor('thinking thinking')
  await screen.send('second')
  await screen.waitFor('queued: second')
  await screen.send('third')
  await screen.waitFor('queued: third')
  screen.type('fourth')
  await screen.waitFor(() => screen.prompt() === '> fourth')
  screen.type(keys.esc)
  await screen.waitFor('interrupted')
  await screen.waitFor(() => screen.rows().includes('  third') && screen.rows().includes('> second'))
  expect(screen.rows().some((row) => row.startsWith('queued:'))).toBe(false)
  screen.type(keys.enter)
  await screen.waitFor('In order.')
  const said = screens.server.requests.at(-1)!.messages.filter(({ role }) => role === 'user')
  expect(said.at(-1)!.text).toContain('second\nthird\nfourth')
})

test('what is typed when the last answer is there is the next run', async () => {
  configure(screens.place, screens.server.url, { more: 'session: { titles: model }\n' })
  const gate = Promise.withResolvers<void>()
  const script: ServerScript = async ({ messages }) => {
    const asked = messages.findLast(({ role }) => role === 'user')!.text
    if (asked === 'first') return { text: 'First answer.' }
    if (asked.includes('second')) return { text: 'Second answer.' }
    // The title is asked for when the answer is there.
    await gate.promise
    return { text: 'A title' }
  }
  const screen = await open(script)
  await screen.send('first')
  await screen.waitFor('First answer.')
  await screen.send('second')
  await screen.waitFor('queued: second')
  gate.resolve()
  await screen.waitFor('Second answer.')
  await screen.ready()
})

test('Shift+Tab goes through the modes', async () => {
  const screen = await open([])
  const seen: string[] = []
  while (seen.length === 0 || seen.at(-1) !== 'ask') {
    const before = screen.mode()
    screen.type(keys.shiftTab)
    await screen.waitFor(() => screen.mode() !== before)
    seen.push(screen.mode())
  }
  // Mode auto is left out where no sandbox is.
  expect(seen.filter((mode) => mode !== 'auto')).toEqual(['auto-edit', 'plan', 'ask'])
})

test('no full clear, and nothing above the live part is written again', async () => {
  const screen = await open(
    [{ text: 'A paragraph of some words that goes on.\n\n```ts\nconst a = 1\n```\n\n'.repeat(60) }],
    {
      deltaChars: 8,
    },
  )
  const before = screen.bytes().length
  await screen.send('talk')
  await screen.waitFor('tokens')
  const written = screen.bytes().slice(before)
  expect(written).not.toMatch(FULL_CLEAR)
  expect(written).not.toMatch(TO_TOP)
  for (const frame of written.split(`${ESC}[?2026l`)) {
    const ups = [...frame.matchAll(ROWS_UP)].reduce((sum, [, n]) => sum + Number(n || 1), 0)
    expect(ups).toBeLessThanOrEqual(12)
  }
})

test('a kill while an approval is open leaves a true history that goes on', async () => {
  const first = await open([{ calls: [read('src/math.ts')] }, { calls: [fix] }, { text: 'Never.' }])
  await first.send('fix add')
  await first.waitFor('[Y] apply')
  process.kill(first.pid, 'SIGKILL')
  await first.ended
  const second = await open([{ text: 'Nothing was changed.' }], { args: ['--continue'] })
  await second.waitFor('VALIDATION_CANCELLED')
  await second.send('go on')
  await second.waitFor('Nothing was changed.')
  expect(file('src/math.ts')).toContain('a - b')
  screens.server.assertSound()
})

test.each(['SIGKILL', 'SIGHUP'] as const)(
  'what is queued outlives %s and stands at the prompt of the resumed session',
  async (signal) => {
    const slow = { text: 'thinking '.repeat(400), faults: [{ type: 'slow' as const, ms: 20 }] }
    const first = await open([slow])
    await first.send('first')
    await first.waitFor('thinking thinking')
    await first.send('second')
    await first.waitFor('queued: second')
    await first.send('third')
    await first.waitFor('queued: third')
    process.kill(first.pid, signal)
    await first.ended
    // It is lost by no number of starts, and a run without a person neither sends nor forgets it.
    const looked = await open([], { args: ['--continue'] })
    await looked.waitFor('it stands at the prompt again')
    process.kill(looked.pid, signal)
    await looked.ended
    screens.server.play([{ text: 'Alone.' }], { by: 'requests' })
    expect(await runCli(screens.place, ['run', '--continue', 'go on'])).toMatchObject({ stdout: 'Alone.\n' })
    expect(screens.server.requests.at(-1)!.messages.map(({ text }) => text)).not.toContain('second')

    const sent = screens.server.requests.length
    const second = await open([{ text: 'Both done.' }], { args: ['--continue'] })
    await second.waitFor(() => second.rows().includes('> second') && second.rows().includes('  third'))
    expect(screens.server.requests).toHaveLength(sent)
    second.type(keys.enter)
    await second.waitFor('Both done.')
    expect(screens.server.requests.at(-1)!.messages.at(-1)!.text).toContain('second\nthird')
    await second.ready()
    second.type(keys.ctrlD)
    await second.ended
    // Sent once, it is not offered again.
    const third = await open([], { args: ['--continue'] })
    await third.ready()
    expect(third.text()).not.toContain('it stands at the prompt again')
    expect(third.prompt()).toBe('>')
  },
)

test('without colour nothing is coloured; otherwise the answer is', async () => {
  const plain = await open([{ text: '**bold**' }])
  await plain.send('hi')
  await plain.waitFor('bold')
  expect(plain.bytes()).not.toMatch(ANY_STYLE)
  const coloured = await open([{ text: '**bold**' }], { env: { NO_COLOR: '' } })
  await coloured.send('hi')
  await coloured.waitFor('bold')
  expect(coloured.bytes()).toContain(`${ESC}[1mbold`)
})
