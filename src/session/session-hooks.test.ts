import { expect, test } from 'vitest'
import { hearPrompt, type HookSaid } from './session-hooks.ts'

const hooks = (said: HookSaid) => ({ userPrompt: async () => said, beforeStop: async () => said })

test('what hooks say joins the data of the message, and problems are told', async () => {
  const warnings: string[] = []
  const message = { text: 'hi', data: ['piped'] }
  const said = { context: ['the branch is main'], problems: ['the hook x ended with 1'] }
  await hearPrompt(hooks(said), message, (text) => warnings.push(text))
  expect(message).toEqual({ text: 'hi', data: ['piped', 'the branch is main'] })
  expect(warnings).toEqual(['the hook x ended with 1'])
})

test('a message is heard once, even if it starts a run after it was queued', async () => {
  const message: { text: string; data?: string[] } = { text: 'hi' }
  const said = hooks({ context: ['again'], problems: [] })
  await hearPrompt(said, message, () => {})
  await hearPrompt(said, message, () => {})
  expect(message.data).toEqual(['again'])
})

test('a block is an error that names the reason; without hooks nothing happens', async () => {
  const said = hooks({ block: 'no names', context: [], problems: [] })
  await expect(hearPrompt(said, { text: 'hi' }, () => {})).rejects.toThrow('A hook blocked the message: no names')
  const message = { text: 'hi' }
  await hearPrompt(undefined, message, () => {})
  expect(message).toEqual({ text: 'hi' })
})
