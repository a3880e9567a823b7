import { expect, test } from 'vitest'
import { memoryLog } from '../../test/support/loop-fakes.ts'
import type { NewMessage, ToolCall } from '../protocol/index.ts'
import { toRequestMessages } from './to-request.ts'
import fc from '../../test/support/property.ts'

const call = (id: string) => ({ id, name: 'read', args: { path: id } })
const result = (callId: string): NewMessage => ({
  sender: 'SYSTEM',
  text: '',
  system: { type: 'DATA_ADDED', callId, result: { status: 'success', text: `result of ${callId}` } },
})
const answer = (ids: string[]): NewMessage => ({
  sender: 'AI',
  text: 't',
  output: { text: 't', toolCalls: ids.map(call), finishReason: 'tool_calls', model: 'm' },
})

/** Random histories: answers with calls, of which any may be without a result, results in any order, notes between. */
const history = fc
  .array(
    fc.record({
      calls: fc.nat(3),
      answered: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      note: fc.boolean(),
      user: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((turns) => {
    const messages: NewMessage[] = [{ sender: 'USER', text: 'start' }]
    for (const [t, turn] of turns.entries()) {
      if (turn.user) messages.push({ sender: 'USER', text: `user ${t}` })
      const ids = Array.from({ length: turn.calls }, (_, i) => `c${t}.${i}`)
      messages.push(answer(ids))
      for (const id of ids.filter((_, i) => turn.answered[i]).reverse()) messages.push(result(id))
      if (turn.note) messages.push({ sender: 'SYSTEM', text: '', system: { type: 'FORMAT_ERROR', data: 'note' } })
    }
    return messages
  })

test('every call has exactly one result right behind its message, whatever was lost or out of order', () => {
  fc.assert(
    fc.property(history, (messages) => {
      const log = memoryLog()
      for (const message of messages) log.append(message)
      const sent = toRequestMessages(log.all())
      let open: string[] = []
      for (const message of sent) {
        if (message.role === 'tool') expect(message.callId).toBe(open.shift())
        else expect(open).toEqual([])
        if (message.role === 'assistant') open = (message.toolCalls ?? []).map((each) => each.id)
      }
      expect(open).toEqual([])
    }),
  )
})

test('arguments that are no JSON object are sent as they were understood', () => {
  const log = memoryLog()
  log.append({
    sender: 'AI',
    text: '',
    output: { text: '', toolCalls: [{ ...call('a'), rawArgs: "{path: 'a'" }], finishReason: 'stop', model: 'm' },
  })
  log.append(result('a'))
  expect(toRequestMessages(log.all())[0]).toMatchObject({ toolCalls: [{ arguments: '{"path":"a"}' }] })
})

test('a failed result leads with its code and a placeholder gives way to the result that replaced it', () => {
  const log = memoryLog()
  log.append(answer(['a']))
  log.append({
    sender: 'SYSTEM',
    text: '',
    system: {
      type: 'ACTIONS_EXECUTED',
      callId: 'a',
      result: { status: 'failed', code: 'NO_MATCH', text: 'not there' },
    },
  })
  expect(toRequestMessages(log.all())[1]).toEqual({
    role: 'tool',
    callId: 'a',
    name: 'read',
    content: '[NO_MATCH] not there',
  })
})

test('what was attached to a user message joins it; messages for audit stay out', () => {
  const log = memoryLog()
  log.append({ sender: 'USER', text: 'look' })
  log.append({ sender: 'SYSTEM', text: '', system: { type: 'DATA_ADDED', data: 'the file' } })
  log.append({ sender: 'SYSTEM', text: '', system: { type: 'NETWORK_ERROR', data: 'down' }, excludeFromPrompt: true })
  expect(toRequestMessages(log.all())).toEqual([{ role: 'user', content: 'look\n\nthe file' }])
})

test('an image goes with its message, and words stand for one that cannot be shown', () => {
  const log = memoryLog()
  const image = { hash: 'h', mediaType: 'image/png' as const, bytes: 3 }
  const attachments = [
    { kind: 'path' as const, ref: '@a.ts', summary: 'outline' },
    { kind: 'image' as const, ref: '@a.png', summary: 'PNG image', image },
  ]
  log.append({ sender: 'USER', text: 'look', attachments })
  const shown = { hash: 'h', mediaType: 'image/png' as const, base64: 'AAAA' }
  const content = (options: Parameters<typeof toRequestMessages>[1]) => toRequestMessages(log.all(), options)
  expect(content({ image: () => shown })).toEqual([{ role: 'user', content: 'look', images: [shown] }])
  expect(content({})).toEqual([
    { role: 'user', content: 'look\n\n[codehound] @a.png is an image, which you cannot see.' },
  ])
  expect(content({ image: () => undefined })).toEqual([
    { role: 'user', content: 'look\n\n[codehound] @a.png is an image, which is no longer stored.' },
  ])
})

// Four of a hundred damaged sessions could not go on, one sent a call without an id.
test('calls without an id, with the id of another call, without a name or with odd arguments are sent as a server takes them', () => {
  const log = memoryLog()
  const odd = [
    { name: 'read', args: { a: 1 } },
    { id: '', name: 'read', args: null },
    call('c1'),
    { id: 'c2', args: {} },
  ]
  log.append({ sender: 'USER', text: 'start' })
  log.append({ ...answer([]), output: { ...answer([]).output!, toolCalls: odd as ToolCall[] } })
  log.append(result('c1'))
  log.append(answer(['c1']))
  const sent = toRequestMessages(log.all())
  const ids = sent.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
  expect(ids.map(({ id, name }) => [id, name])).toEqual([
    ['call_2_1', 'read'],
    ['call_2_2', 'read'],
    ['c1', 'read'],
    ['call_4_1', 'read'],
  ])
  expect(ids.map((each) => each.arguments)).toEqual(['{"a":1}', '{}', '{"path":"c1"}', '{"path":"c1"}'])
  expect(sent.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))).toEqual(ids.map(({ id }) => id))
})

test('of an answer that would fill the window, head and tail are sent', () => {
  const log = memoryLog()
  log.append({ sender: 'USER', text: 'start' })
  const text = `head ${'y'.repeat(9_000)} tail`
  log.append({ ...answer([]), text, output: { ...answer([]).output!, text, reasoning: 'z'.repeat(9_000) } })
  const [, sent] = toRequestMessages(log.all(), { mostAnswerChars: 1_000 })
  expect(sent).not.toHaveProperty('reasoning')
  expect(sent!.content).toMatch(
    /^head y{495}\n\n\[codehound\] 8010 characters of this answer are left out\.\n\ny{495} tail$/,
  )
})
