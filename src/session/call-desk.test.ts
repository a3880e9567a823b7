import { expect, test } from 'vitest'
import type { EventBody } from '../protocol/index.ts'
import { CallDesk } from './call-desk.ts'
import { PendingAnswers } from './pending.ts'

function openDesk(interactive = true) {
  const events: EventBody[] = []
  const pending = new PendingAnswers()
  const unused = {} as never
  const desk = new CallDesk({
    store: unused,
    sessionId: 's',
    log: unused,
    emit: (event) => events.push(event),
    pending,
    parts: { interactive, policy: unused },
  })
  const request = () => {
    const found = events.find((event) => event.type === 'error-request')
    if (found?.type !== 'error-request') throw new Error('nobody was asked')
    return found
  }
  return { desk, events, pending, request }
}

const { signal } = new AbortController()

test('an edit conflict is a request with the choices there are, and its answer decides', async () => {
  const { desk, events, pending, request } = openDesk()
  const choice = desk.chooseInConflict('a.ts changed since', ['apply', 'skip', 'regenerate'], signal)
  expect(request()).toMatchObject({
    error: { message: 'a.ts changed since', recoverable: true },
    choices: ['apply', 'skip', 'regenerate'],
  })
  pending.answer('error', request().id, 'apply')
  expect(await choice).toBe('apply')
  expect(events.at(-1)).toEqual({ type: 'error-answer', id: request().id, choice: 'apply' })
})

test('what was not offered changes nothing', async () => {
  const { desk, pending, request } = openDesk()
  const choice = desk.chooseInConflict('a.ts changed since', ['skip', 'regenerate'], signal)
  pending.answer('error', request().id, 'apply')
  expect(await choice).toBe('skip')
})

test('an interrupted wait, and a run nobody sits at, choose nothing', async () => {
  const stop = new AbortController()
  const waiting = openDesk().desk.chooseInConflict('m', ['skip'], stop.signal)
  stop.abort()
  expect(await waiting).toBeUndefined()
  const headless = openDesk(false)
  expect(await headless.desk.chooseInConflict('m', ['skip'], signal)).toBeUndefined()
  expect(headless.events).toEqual([])
})
