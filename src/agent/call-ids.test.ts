import { expect, test } from 'vitest'
import { CallIds } from './call-ids.ts'

const make = (): CallIds => {
  let n = 0
  return new CallIds([], () => `n${++n}`)
}
const call = (id: string | undefined, argumentsText = '{}') => ({ id, name: 'read_file', argumentsText })

test('an id that is new and unique is kept', () => {
  expect(make().forResponse([call('call_a8f3d2'), call('call_b7')])).toEqual([
    { id: 'call_a8f3d2', repeated: false },
    { id: 'call_b7', repeated: false },
  ])
})

test('the very call of an earlier response under the same id is a repeat', () => {
  const ids = make()
  ids.forResponse([call('call_a8f3d2')])
  expect(ids.forResponse([call('call_a8f3d2')])).toEqual([{ id: 'call_n1', repeated: true }])
})

test('a server that gives one id to different calls is not believed: no call is mixed up and none is refused', () => {
  const ids = make()
  ids.forResponse([call('call_a8f3d2', '{"path":"a"}')])
  expect(ids.forResponse([call('call_a8f3d2', '{"path":"b"}')])).toEqual([{ id: 'call_n1', repeated: false }])
  expect(ids.forResponse([call('call_a8f3d2', '{"path":"b"}')])).toEqual([{ id: 'call_n2', repeated: false }])
})

test('two calls of one response with the same id both get one of their own', () => {
  expect(make().forResponse([call('call_a8f3d2'), call('call_a8f3d2')])).toEqual([
    { id: 'call_a8f3d2', repeated: false },
    { id: 'call_n1', repeated: false },
  ])
})

test('ids that count within a response repeat by design', () => {
  const ids = make()
  ids.forResponse([call('call_0')])
  expect(ids.forResponse([call('call_0')])).toEqual([{ id: 'call_n1', repeated: false }])
})

test('a call without an id gets one', () => {
  expect(make().forResponse([call(undefined), call('')])).toEqual([
    { id: 'call_n1', repeated: false },
    { id: 'call_n2', repeated: false },
  ])
})
