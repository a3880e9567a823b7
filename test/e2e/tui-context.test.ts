// `/context pin` and `drop`: on the screen and in the line mode, durable over a restart, with what it costs said.
import { expect, test } from 'vitest'
import { read, useScreens } from '../support/screens.ts'

const screens = useScreens()
const long = `${'a line of some length, so that it is worth leaving out\n'.repeat(60)}the last line\n`

/** What the model last saw as the result of its read. */
const result = (): string =>
  screens.server.requests.at(-1)!.messages.find(({ role, text }) => role === 'tool' && text.includes('long.txt'))!.text

test.each([['the screen', []] as const, ['the line mode', ['--plain']] as const])('%s', async (_, args) => {
  screens.place.write('src/long.txt', long)
  screens.server.play([{ calls: [read('src/long.txt')] }, { text: 'Read it.' }], { by: 'requests' })
  const screen = screens.start([...args], { rows: 60, columns: 200 })
  await screen.waitFor(args.length > 0 ? '> ' : 'some-model')
  await screen.send('read src/long.txt')
  await screen.waitFor('Read it.')
  expect(result()).toContain('the last line')
  await screen.send('/context')
  await screen.waitFor(/#\d+ read_file src\/long\.txt · result, whole/)
  const [, handle] = /(#\d+) read_file src\/long\.txt/.exec(screen.text())!
  await screen.send('/context frob')
  await screen.waitFor('/context takes pin, unpin or drop and a block')
  await screen.send('/context drop nothing')
  await screen.waitFor('No block "nothing" can be pinned or dropped')
  await screen.send(`/context pin ${handle}`)
  await screen.waitFor('It is never shortened or summed up. The prompt is the same as before.')
  await screen.send('/context drop long.txt')
  await screen.waitFor(/Dropped: #\d+ read_file src\/long\.txt, about \d+ tokens\./)
  await screen.waitFor(/reads\s+about\s+\d+\s+tokens\s+anew\s+with\s+the\s+next\s+request/)
  screen.close()

  screens.server.play([{ text: 'Not any more.' }], { by: 'requests' })
  const again = screens.start(['--continue', ...args], { rows: 60, columns: 200 })
  await again.waitFor('Read it.')
  await again.send('do you have it?')
  await again.waitFor('Not any more.')
  const { messages } = screens.server.requests.at(-1)!
  expect(JSON.stringify(messages)).not.toContain('the last line')
  expect(JSON.stringify(messages)).toMatch(/characters left out to save room; to load them again: read_file/)
})
