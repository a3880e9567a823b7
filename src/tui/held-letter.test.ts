import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Client } from '../client/client.ts'
import type { ApprovalAction, Operation } from '../protocol/index.ts'
import { Controller } from './controller.ts'
import { Input } from './input.ts'

let controller: Controller
let input: Input
let said: Operation[]

const edit: ApprovalAction = {
  callId: 'c',
  tool: 'edit_file',
  effect: 'write',
  level: 'app',
  title: 'edit a.ts',
  reason: 'edit_file changes files.',
  remember: [],
  diff: {
    path: 'a.ts',
    change: 'modified',
    added: 1,
    removed: 0,
    hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: [{ kind: 'add', text: 'a' }] }],
  },
}

beforeEach(() => {
  vi.useFakeTimers()
  controller = new Controller({ columns: 80, rows: 24, env: { NO_COLOR: '1' }, project: 'p', now: () => 0 })
  said = []
  controller.client = {
    submit: (operation: Operation) => {
      said.push(operation)
      return Promise.resolve()
    },
    waitForRun: () => new Promise(() => {}),
  } as Partial<Client> as Client
  controller.setUi({ opening: false })
  input = new Input(controller)
})

afterEach(() => {
  controller.end()
  vi.useRealTimers()
})

const type = (text: string): void => {
  for (const letter of text) input.key({ name: 'text', text: letter })
}
const failed = (): void => {
  const error = { code: 'network' as const, message: 'down', recoverable: true }
  controller.view = { ...controller.view, errorRequest: { id: 'e', error, choices: ['retry', 'skip', 'abort'] } }
}
const asked = (): void => {
  controller.view = { ...controller.view, approval: { id: 'a', actions: [edit] } }
}
const pause = (): void => void vi.advanceTimersByTime(1000)

test.each(['retry with another file', 'stop that', 'and then?', 'start over'])(
  'after an error "%s" is a message',
  (text) => {
    failed()
    type(text)
    pause()
    expect(said).toEqual([])
    input.key({ name: 'enter', text: '' })
    expect(said).toEqual([{ type: 'send-message', text }])
  },
)

test('after an error a letter alone is the answer, as are the letter and Enter, and the word', () => {
  failed()
  type('R')
  expect(controller.ui.editor.text).toBe('R')
  pause()
  failed()
  type('s')
  input.key({ name: 'enter', text: '' })
  failed()
  type('Abort')
  input.key({ name: 'enter', text: '' })
  expect(said).toEqual(['retry', 'skip', 'abort'].map((choice) => ({ type: 'answer-error', id: 'e', choice })))
  expect(controller.ui.editor.text).toBe('')
})

test('while a change waits a sentence applies nothing, and a key pressed twice answers once', () => {
  asked()
  type('a helper would be better')
  pause()
  expect(said).toEqual([])
  expect(controller.ui.editor.text).toBe('a helper would be better')
  input.key({ name: 'ctrl-u', text: '' })
  type('constructor')
  input.key({ name: 'ctrl-u', text: '' })
  type('yy')
  pause()
  expect(said).toEqual([{ type: 'answer-approval', id: 'a', answer: 'yes', scope: 'once' }])
})

test('a letter is taken back with Backspace; Esc interrupts and answers nothing; a paste makes it text', () => {
  asked()
  type('y')
  input.key({ name: 'backspace', text: '' })
  pause()
  expect(controller.ui.editor.text).toBe('')
  type('y')
  input.paste('es, but')
  pause()
  expect(controller.ui.editor.text).toBe('yes, but')
  input.key({ name: 'ctrl-u', text: '' })
  expect(said).toEqual([])
  type('a')
  input.key({ name: 'esc', text: '' })
  pause()
  expect(said).toEqual([{ type: 'interrupt-run' }])
  expect(controller.ui.editor.text).toBe('')
})

const question = (options: string[]): void => {
  controller.view = {
    ...controller.view,
    question: { id: 'q', callId: 'c', kind: 'choice', question: 'Which?', options },
  }
}
const answers = (): unknown[] => said.map((each) => ('answer' in each ? each.answer : each))

test('a number answers a question; words that begin with one, and paths, are own words', () => {
  question(['one', 'two'])
  type('2')
  pause()
  type('2 of them')
  pause()
  input.key({ name: 'enter', text: '' })
  type('/etc/hosts')
  input.key({ name: 'enter', text: '' })
  expect(answers()).toEqual(['two', '2 of them', '/etc/hosts'])
})

test('of many options the number is typed whole', () => {
  question(Array.from({ length: 12 }, (_, i) => `option ${i + 1}`))
  type('12')
  pause()
  input.key({ name: 'enter', text: '' })
  expect(answers()).toEqual(['option 12'])
})
