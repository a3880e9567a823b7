// An image dropped on the terminal arrives as a pasted path: it becomes a mention, goes with the message, and is there again
// in a session that is gone on with.
import { expect, test } from 'vitest'
import { tinyPng } from '../support/images.ts'
import { useScreens } from '../support/screens.ts'

const screens = useScreens()

test('a pasted path of an image anywhere on the machine is an attachment; any other path stays text', async () => {
  const png = tinyPng(640, 480)
  screens.place.write('../home/my shot.png', png)
  screens.place.write('../home/notes.txt', 'x')
  const screen = await screens.open([{ text: 'A blue button.' }])
  screen.type('what is on ')
  screen.paste(`'${screens.place.home}/my shot.png'`)
  await screen.waitFor(`what is on @"${screens.place.home}/my shot.png"`)
  screen.type('and ')
  screen.paste(`${screens.place.home}/notes.txt`)
  await screen.send(' ?')
  await screen.waitFor('A blue button.')
  expect(screen.text()).toContain('PNG image, 640 × 480, 1 kB')
  const body = JSON.stringify(screens.server.requests[0]!.body)
  expect(body).toContain(png.toString('base64'))
  expect(body).toContain(`and ${screens.place.home}/notes.txt ?`)
  screen.close()

  screens.server.play([{ text: 'Yes, blue.' }], { by: 'requests' })
  const again = screens.start(['--continue'])
  await again.ready()
  await again.waitFor('PNG image, 640 × 480, 1 kB')
  await again.send('sure?')
  await again.waitFor('Yes, blue.')
  expect(JSON.stringify(screens.server.requests[1]!.body)).toContain(png.toString('base64'))
})
