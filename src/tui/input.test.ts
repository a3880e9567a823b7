import { expect, test } from 'vitest'
import type { Client } from '../client/client.ts'
import type { Workbench } from '../client/workbench.ts'
import type { Operation } from '../protocol/index.ts'
import { runCommand } from './commands.ts'
import { Controller } from './controller.ts'
import { Input } from './input.ts'

function opened(columns = 80): { controller: Controller; input: Input; type: (text: string) => void } {
  const env = { NO_COLOR: '1', LANG: 'C.UTF-8' }
  const controller = new Controller({ columns, rows: 24, env, project: 'p', now: () => 0 })
  controller.setUi({ opening: false })
  const input = new Input(controller)
  const type = (text: string): void => {
    for (const letter of text) input.key({ name: 'text', text: letter })
  }
  return { controller, input, type }
}

test('who types on or pastes while a list is open wants none of it', () => {
  const { controller, input, type } = opened()
  const chosen: number[] = []
  const open = (): void =>
    controller.setUi({
      picker: { title: 'Sessions', items: [{ text: 'one', note: '' }], at: 0, choose: (at) => chosen.push(at) },
    })
  open()
  type('fix')
  expect(controller.ui.picker).toBeUndefined()
  expect(controller.ui.editor.text).toBe('fix')
  open()
  input.paste(' it')
  expect(controller.ui.picker).toBeUndefined()
  expect(controller.ui.editor.text).toBe('fix it')
  expect(chosen).toEqual([])
  controller.end()
})

test('a paste while the history is searched is what is searched for', () => {
  const { controller, input, type } = opened()
  input.key({ name: 'ctrl-r', text: '' })
  type('a')
  input.paste('lpha\nbeta')
  expect(controller.ui.search?.query).toBe('alpha')
  expect(controller.ui.editor.text).toBe('')
  controller.end()
})

test('a list that is longer than its rows says so', () => {
  const { controller } = opened()
  const items = Array.from({ length: 20 }, (_, i) => ({ text: `/command${i}`, note: '' }))
  controller.setUi({ menu: { items, at: 0, from: 0, to: 0, passive: true } })
  expect(controller.live().rows.slice(-2)).toEqual(['  /command5', '  … 14 more, with the arrows'])
  controller.end()
})

test.each([
  [100, /^\/export \[file\] +write this session as Markdown$/m],
  [40, /^\/export \[file\]\n {4}write this session as Markdown$/m],
])('help of %i columns', async (columns, row) => {
  const { controller } = opened(columns)
  await runCommand(controller, '/help')
  expect(controller.takePrinted().join('\n')).toMatch(row)
  controller.end()
})

test('a command says what of its line it does not take', async () => {
  const { controller } = opened()
  for (const line of ['/changes 5', '/compress --keep many', '/compress --kep 3', '/mode fast'])
    await runCommand(controller, line)
  expect(controller.takePrinted()).toEqual([
    '/changes takes nothing; "5" is left out.',
    'No changes have been recorded here.',
    '/compress takes --keep N, with the number of exchanges that stay, and a focus.',
    '/compress takes --keep N, with the number of exchanges that stay, and a focus.',
    '"fast" is no mode. Modes: plan, ask, auto-edit, auto.',
  ])
  controller.end()
})

test('a path that is not there is told before a model is asked', async () => {
  const { controller } = opened()
  const sent: string[] = []
  controller.client = {
    submit: (operation: Operation) => {
      if (operation.type === 'send-message') sent.push(operation.text.split('\n')[0]!)
      return Promise.resolve()
    },
    waitForRun: () => undefined,
  } as Partial<Client> as Client
  controller.bench = {
    commands: () => [],
    paths: (prefix: string) => Promise.resolve(['src/', 'src/a.ts'].filter((path) => path.startsWith(prefix))),
  } as Partial<Workbench> as Workbench
  for (const line of [
    '/review',
    '/review ./src/a.ts:3-9',
    '/review src for races',
    '/review the login flow',
    '/review nope.ts',
  ])
    await runCommand(controller, line)
  expect(sent).toEqual([
    'Review the uncommitted changes: @diff',
    'Review @src/a.ts:3-9',
    'Review @src for races',
    'Review the login flow',
  ])
  expect(controller.takePrinted()[0]).toBe(
    'No path of this project is "nope.ts". /review takes a file, a folder or what to',
  )
  controller.end()
})
