import { expect, test, vi } from 'vitest'
import type { CallFacts } from '../tools/run-tool.ts'
import { toolHooks } from './tool-hooks.ts'

const call = { id: '1', name: 'shell_exec', args: {} }
const about = { batchId: 'b', tool: 'shell_exec', title: 'run it', effect: 'execute' } as unknown as CallFacts

test('while a call runs the map does not wait for the model; after it, it does', async () => {
  // Symptom: with a long command the index was built beside it, because nobody told the map that a call runs.
  const said: string[] = []
  const map = {
    busy: () => said.push('busy'),
    waiting: () => said.push('waiting'),
    forResult: () => Promise.resolve('the map'),
  }
  const own = { host: {}, map, instructions: { forPaths: vi.fn() }, emit: vi.fn() }
  const hooks = toolHooks(undefined, own as unknown as Parameters<typeof toolHooks>[1])
  await hooks.beforeTool?.(call, about)
  expect(said).toEqual(['busy'])
  expect(await hooks.afterTool?.(call, { status: 'success', text: '' }, about)).toBe('the map')
  expect(said).toEqual(['busy', 'waiting'])
})
