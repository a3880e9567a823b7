// `answers.check: true`: claims of an answer are looked up, and what does not hold is said beside it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configure, makePlace, runCli } from '../support/cli.ts'
import type { Place } from '../support/cli.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'

const RUN = ['run', '--mode', 'auto', '--no-sandbox', 'mend the cart']
const edit = { name: 'edit_file', arguments: { path: 'src/cart.ts', old_text: 'sum = 1', new_text: 'sum = 2' } }
let place: Place
let server: ModelServer | undefined
beforeEach(() => {
  place = makePlace({ 'src/cart.ts': 'export const sum = 1\n', 'src/tax.ts': 'export const taxRate = 7\n' })
})
afterEach(async () => {
  await server?.close()
  server = undefined
  place.remove()
})

const checks = (stderr: string): string[] => stderr.split('\n').filter((line) => line.includes('answer check'))

test('what holds is not spoken of, what does not hold is named with the evidence', async () => {
  const answer = 'I changed src/cart.ts:1 and I updated src/tax.ts; `taxRate` and `grandTotal()` agree. All tests pass.'
  server = await startModelServer([{ calls: [edit] }, { text: answer }])
  configure(place, server.url, { more: 'answers: { check: true }\n' })
  const { code, stdout, stderr } = await runCli(place, RUN)
  expect({ code, stdout, checks: checks(stderr) }).toEqual({
    code: 0,
    stdout: `${answer}\n`,
    checks: [
      'warning: answer check: "`grandTotal()`": grandTotal stands nowhere in the project',
      'warning: answer check: "All tests pass": no tests were run since the change',
      'warning: answer check: "updated … src/tax.ts": no change of src/tax.ts is recorded in this session',
    ],
  })
})

test('nothing is checked unless it is asked for', async () => {
  server = await startModelServer([{ text: 'See src/gone.ts:5. All tests pass.' }])
  configure(place, server.url)
  expect(checks((await runCli(place, RUN)).stderr)).toEqual([])
})
