import { expect, test } from 'vitest'
import type { Event, EventBody } from '../protocol/index.ts'
import type { Item } from './item.ts'
import { reduce } from './view-state.ts'
import { emptyView } from './view.ts'
import type { View } from './view.ts'

function play(bodies: EventBody[], { stream = true, from = emptyView }: { stream?: boolean; from?: View } = {}) {
  let view = from
  const items: Item[] = []
  for (const [i, body] of bodies.entries()) {
    const event = { ...body, seq: i + 1, time: 1000 + i, sessionId: 's' } as Event
    const step = reduce(view, event, { stream })
    view = step.view
    items.push(...step.items)
  }
  return { view, items }
}

const callEvent = (id: string): EventBody => ({
  type: 'tool-call',
  call: { id, name: 'shell_exec', args: {} },
  title: 'run make',
  batchId: 'b',
})
const resultEvent = (callId: string, code?: 'USER_REJECTED'): EventBody => ({
  type: 'tool-result',
  callId,
  tool: 'shell_exec',
  result: code ? { status: 'cancelled', code, text: 'refused' } : { status: 'success', text: 'ok' },
  durationMs: 5,
})
const approvalEvent: EventBody = {
  type: 'approval-request',
  id: 'a',
  actions: [
    {
      callId: 'c1',
      tool: 'shell_exec',
      effect: 'execute',
      title: 'run make',
      reason: 'No rule allows "make".',
      level: 'app',
      remember: [],
    },
  ],
}

test('text goes on as it comes, or as a whole where streaming is off', () => {
  const events: EventBody[] = [
    { type: 'text-delta', text: 'a' },
    { type: 'text-delta', text: 'b' },
    { type: 'text-end' },
  ]
  expect(play(events).items).toEqual([{ kind: 'text', text: 'a' }, { kind: 'text', text: 'b' }, { kind: 'text-end' }])
  expect(play(events, { stream: false }).items).toEqual([{ kind: 'text', text: 'ab' }, { kind: 'text-end' }])
})

test('what is done follows the calls: tool while one runs, waiting while one is asked about, thinking after', () => {
  expect(play([callEvent('c1')]).view.activity).toBe('tool')
  const waits: EventBody[] = [callEvent('c1'), { type: 'status', state: 'waiting' }, approvalEvent]
  expect(play(waits).view.activity).toBe('waiting')
  const answered: EventBody[] = [...waits, { type: 'approval-answer', id: 'a', answer: 'yes' }]
  expect(play(answered).view.activity).toBe('tool')
  expect(play([...answered, resultEvent('c1')]).view.activity).toBe('thinking')
})

test('a refusal is told once, with its reason', () => {
  const { items, view } = play([
    callEvent('c1'),
    approvalEvent,
    { type: 'approval-answer', id: 'a', answer: 'no', reason: 'too slow' },
    resultEvent('c1', 'USER_REJECTED'),
  ])
  expect(items).toEqual([{ kind: 'approval', titles: ['run make'], answer: 'no', reason: 'too slow' }])
  expect(view.running).toEqual([])
})

test('one fault is told once, and again after a retry', () => {
  const error = { code: 'network' as const, message: 'Nothing answers', recoverable: true }
  const asked: EventBody[] = [
    { type: 'error', error },
    { type: 'error-request', id: 'e', error, choices: ['retry', 'abort'] },
  ]
  expect(play(asked).items).toEqual([{ kind: 'error', error }])
  const retried: EventBody[] = [...asked, { type: 'error-answer', id: 'e', choice: 'retry' }, ...asked]
  expect(play(retried).items).toHaveLength(2)
  const aborted: EventBody[] = [...asked, { type: 'error-answer', id: 'e', choice: 'abort' }, { type: 'error', error }]
  expect(play(aborted).items).toHaveLength(1)
})

test('a retry is over when the model speaks', () => {
  const error = { code: 'rate_limit' as const, message: 'busy', recoverable: true, status: 429 }
  const retried: EventBody[] = [{ type: 'retry', attempt: 1, of: 5, delayMs: 2000, error }]
  expect(play(retried).view).toMatchObject({
    activity: 'retry',
    retry: { attempt: 1, of: 5, until: 3000, why: '429' },
  })
  const spoken = play([...retried, { type: 'text-delta', text: 'a' }])
  expect(spoken.view).toMatchObject({ activity: 'thinking', retry: undefined })
  const thought = play([
    { type: 'status', state: 'reading-prompt' },
    { type: 'reasoning-delta', text: 'hm' },
  ])
  expect(thought.view.activity).toBe('thinking')
})

test('a message typed during a run leaves the queue when it joins', () => {
  const from = { ...emptyView, queue: ['first', 'second'] }
  const message = { id: 'm', sessionId: 's', seq: 1, time: 0, sender: 'USER' as const, text: 'first' }
  const { view, items } = play([{ type: 'message', message }], { from })
  expect(view.queue).toEqual(['second'])
  expect(items).toEqual([{ kind: 'user', text: 'first', attachments: [] }])
})

test('a call that was still open when the run was stopped leaves its line', () => {
  const report = { outcome: 'interrupted', elapsedMs: 1 } as never
  const { items, view } = play([callEvent('c1'), { type: 'run-end', report }])
  expect(items.map(({ kind }) => kind)).toEqual(['text-end', 'call', 'interrupted', 'stats'])
  expect(view).toMatchObject({ running: [], activity: 'ready', runSince: undefined })
})

test('after a compaction the status row shows what is left', () => {
  expect(play([{ type: 'compaction', before: 9000, after: 5000 } as EventBody]).view.contextTokens).toBe(5000)
})

test('a prompt that is larger than the window says what will happen', () => {
  const block = { id: 'answers', title: 'answers and calls', why: 'conversation', tokens: 9000, pinned: false }
  const said = (window: number) =>
    play([{ type: 'context', blocks: [block], window } as EventBody]).items.map((item) =>
      item.kind === 'note' ? item.text : '',
    )
  expect(said(10_000).at(-1)).toBe('   9000  of a window of 10000')
  expect(said(8000).at(-1)).toBe('   9000  of a window of 8000, so older parts are shortened before the next request')
})
