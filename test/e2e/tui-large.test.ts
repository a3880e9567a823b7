// A workspace with more files than `limits.maxFilesWarning`: whoever sits there is asked, on the screen, in lines and by the
// index commands; the prompt works meanwhile, and the answer holds.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { configure, runCli } from '../support/cli.ts'
import { keys } from '../support/pty.ts'
import type { PtyScreen } from '../support/pty.ts'
import { useScreens } from '../support/screens.ts'

const screens = useScreens()
const QUESTION = 'More than 20 files are here'
const find = { calls: [{ name: 'find_definition', arguments: { symbol: 'near7' } }] }

beforeEach(() => {
  for (let i = 0; i < 30; i++) {
    screens.place.write(`near/f${i}.ts`, `export const near${i} = ${i}\n`)
    screens.place.write(`far/g${i}.ts`, `export const far${i} = ${i}\n`)
  }
  configure(screens.place, screens.server.url, { more: 'limits: { maxFilesWarning: 20 }\n' })
})

/** What the model was told of its last call. */
const lastResult = (): string => screens.server.requests.at(-1)!.messages.at(-1)!.text

test('the screen asks, takes a message meanwhile, and keeps to the folder that is chosen', async () => {
  const screen = await screens.open([find, { text: 'Not yet.' }, find, { text: 'Found.' }])
  await screen.send('where is near7?')
  await screen.waitFor(QUESTION)
  await screen.waitFor('Not yet.')
  expect(lastResult()).toContain('the user is being asked whether to read them')
  screen.type('is 2 a letter?')
  await screen.waitFor(() => screen.prompt() === '> is 2 a letter?')
  screen.type(keys.ctrlU)
  await screen.waitFor(() => screen.prompt() === '>')
  screen.type('2')
  await screen.waitFor(/1 src\/ {2}1 file\n +2 far\/ {2}30 files\n +3 near\/ {2}30 files/)
  await screen.send('nowhere')
  await screen.waitFor('which is not there')
  screen.type(keys.esc)
  await screen.waitFor(/> 2 choose a folder/)
  screen.type('2')
  await screen.waitFor('a path of your own')
  await screen.send('near')
  await screen.waitFor('The code index keeps to near/. Kept as project.scope in .codehound/config.yaml')
  expect(screens.file('.codehound/config.yaml')).toBe('project:\n  scope: near\n')
  await screen.send('where is it now?')
  await screen.waitFor('Found.')
  expect(lastResult()).toContain('near/f7.ts:1')
  await screen.send('/status')
  await screen.waitFor('near/ alone')
  expect(screen.rows().join('\n')).not.toContain(QUESTION)
  screen.type(keys.ctrlD)
  expect(await screen.ended).toBe(0)

  const { stdout } = await runCli(screens.place, ['index'])
  expect(stdout).toContain('30 files, 30 parsed')
})

test('a cancel holds for the session, /reindex asks again, and what waits for the index goes on', async () => {
  const screen = await screens.open([find, { text: 'Without.' }])
  await screen.send('/map')
  await screen.waitFor(QUESTION)
  screen.type('3')
  await screen.waitFor('No code index in this session')
  await screen.waitFor('error: No code index was made')
  await screen.send('where is near7?')
  await screen.waitFor('Without.')
  expect(lastResult()).toContain('the user does not want them read')
  await screen.send('/reindex')
  await screen.waitFor(() => screen.rows().some((row) => row.includes(QUESTION)))
  screen.type(keys.enter)
  await screen.waitFor('The index knows 62 files')
  expect(existsSync(join(screens.place.folder, '.codehound'))).toBe(false)
  screen.type(keys.ctrlD)
  expect(await screen.ended).toBe(0)
  // The answer is remembered, also where no snapshot was kept.
  rmSync(join(screens.place.home, '.local/share/codehound/workspaces'), { recursive: true })
  const { stderr } = await runCli(screens.place, ['index'])
  expect(stderr).toBe('')
})

test.each([
  ['at the question', [], 'cancel'],
  ['at the folders', ['2'], 'a path of your own'],
])('Ctrl+C twice %s leaves at once, and the next start asks again', async (_where, typed, shown) => {
  for (let start = 0; start < 2; start++) {
    const screen = await screens.open([])
    await screen.send('/map')
    await screen.waitFor(QUESTION)
    for (const key of typed) screen.type(key)
    await screen.waitFor(shown)
    screen.type(keys.ctrlC)
    await screen.waitFor('Ctrl+C again leaves')
    screen.type(keys.ctrlC)
    expect(await screen.ended).toBe(0)
  }
})

test('a folder that goes while it is asked about leaves a screen that works', async () => {
  const screen = await screens.open([{ text: 'Still here.' }])
  await screen.send('/map')
  await screen.waitFor(QUESTION)
  rmSync(screens.place.folder, { recursive: true })
  screen.type('2')
  await screen.waitFor('a path of your own')
  screen.type('1')
  await screen.waitFor('which is not there')
  screen.type(keys.esc)
  await screen.waitFor(/> 2 choose a folder/)
  screen.type('1')
  await screen.waitFor('The code index reads all files')
  await screen.send('hello')
  await screen.waitFor('Still here.')
  screen.type(keys.ctrlD)
  expect(await screen.ended).toBe(0)
  mkdirSync(screens.place.folder)
})

test('in lines the same is asked; a message is a message, and a command that waits holds nobody up', async () => {
  screens.server.play([{ text: 'Heard you.' }], { by: 'requests' })
  const screen = screens.start(['--plain'])
  await screen.waitFor(/^>/m)
  await screen.send('/map')
  await screen.waitFor('1 continue')
  await screen.send('hello')
  await screen.waitFor('Heard you.')
  await screen.send('2')
  await screen.waitFor('3 near/  30 files')
  await screen.send('')
  await screen.waitFor((text) => text.split('1 continue').length === 3)
  await screen.send('choose a folder')
  await screen.waitFor((text) => text.split('3 near/  30 files').length === 3)
  await screen.send('3')
  await screen.waitFor('The code index keeps to near/')
  await screen.waitFor('near/f29.ts')
  expect(screen.text()).not.toContain('far/g')
  screen.type(keys.ctrlD)
  expect(await screen.ended).toBe(0)
})

const askedBy = async (screen: PtyScreen, line: string): Promise<void> => {
  await screen.waitFor('1, 2 or 3: ')
  await screen.send(line)
}

test('an index command asks on a terminal: cancelled, narrowed, asked anew', async () => {
  const cancelled = screens.start(['def', 'near7'])
  await askedBy(cancelled, '3')
  expect(await cancelled.ended).toBe(130)
  expect(cancelled.text()).toContain('No code index was made')

  const interrupted = screens.start(['index'])
  await askedBy(interrupted, '2')
  await interrupted.waitFor('an empty line goes back: ')
  interrupted.type(keys.ctrlC)
  await interrupted.ended
  expect(interrupted.text()).not.toContain('No code index was made')

  const narrowed = screens.start(['def', 'near7'])
  await askedBy(narrowed, '2')
  await narrowed.waitFor('3 near/  30 files')
  await narrowed.send('3')
  await narrowed.waitFor('near/f7.ts:1')
  expect(await narrowed.ended).toBe(0)

  const anew = screens.start(['index', '--ask'])
  await askedBy(anew, 'continue')
  expect(await anew.ended).toBe(0)
  // With the configuration that the folder was kept in.
  expect(anew.text()).toContain('63 files')
})

test('where nobody sits a run goes on with a warning, and with --yes without', async () => {
  screens.server.play([find, { text: 'Found.' }, find, { text: 'Found.' }], { by: 'requests' })
  const warned = await runCli(screens.place, ['run', '--ephemeral', 'where is near7?'])
  expect(warned).toMatchObject({ code: 0, stdout: 'Found.\n' })
  expect(warned.stderr).toContain('warning: More than 20 files are here')
  const silent = await runCli(screens.place, ['run', '--ephemeral', '--yes', 'where is near7?'])
  expect(silent).toMatchObject({ code: 0, stdout: 'Found.\n' })
  expect(silent.stderr).not.toContain('files are here')
  expect(lastResult()).toContain('near/f7.ts:1')
})
