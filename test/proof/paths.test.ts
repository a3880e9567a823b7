import { expect, test } from 'vitest'
import { provePaths } from './paths.ts'

test('no command that was judged free reads or writes outside of the workspace, whatever links there are', async () => {
  const { commands, asked, failures } = await provePaths({ count: 200, seed: 7 })
  expect(failures).toEqual([])
  // Both ways are taken: most commands stay inside, and many do not.
  expect([commands, asked > 50, asked < 150]).toEqual([200, true, true])
})
