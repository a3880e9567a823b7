import { describe, expect, test } from 'vitest'
import { CallReader } from './resolve-calls.ts'
import { readStructured, structuredCalls } from './structured.ts'
import { ToolFormat } from '../model/tool-format.ts'
import { createToolRegistry } from '../tools/registry.ts'
import fc from '../../test/support/property.ts'

const registry = createToolRegistry({ index: true })
const format = new ToolFormat({ setting: 'native', model: 'b/m', url: undefined })
const calls = new CallReader(registry, format)
const read = (value: unknown, cut = false) =>
  readStructured(typeof value === 'string' ? value : JSON.stringify(value), calls, { cut })
const faultOf = (value: unknown): string => {
  const found = read(value)
  return 'fault' in found ? found.fault : 'no fault'
}
const query = { tool: 'read_file', args: { path: 'a.ts' } }
const action = { tool: 'shell_exec', args: { command: 'make' } }

describe('a structured answer', () => {
  test('of text alone is final', () => {
    expect(read({ preText: 'It is 42.' })).toEqual({ preText: 'It is 42.', calls: [], acts: false, keepControl: false })
  })

  test('brings queries, with names and arguments mended like those of any call', () => {
    const found = read(
      'Sure:\n```json\n{"preText": "look", "queries": [{"name": "cat", "arguments": {"file": "a.ts",}}]}\n```',
    )
    expect(found).toMatchObject({
      preText: 'look',
      acts: false,
      calls: [{ name: 'read_file', args: { path: 'a.ts' } }],
    })
  })

  test('brings actions with what to say after them, and the wish for a confirmation', () => {
    expect(
      read({
        preText: 'build',
        actions: [action],
        postText: 'Built.',
        keepControl: true,
        validationRequest: 'it is slow',
      }),
    ).toMatchObject({
      acts: true,
      keepControl: true,
      postText: 'Built.',
      calls: [{ name: 'shell_exec', args: { command: 'make' }, validationRequest: 'it is slow' }],
    })
  })

  test('asks the user', () => {
    const communication = { kind: 'choice', question: 'which?', options: ['a', 'b'] }
    expect(read({ preText: 'hm', communication })).toMatchObject({ calls: [{ name: 'ask_user', args: communication }] })
  })

  test('that does not parse says what was expected and shows a right form', () => {
    expect(faultOf('It is 42.')).toContain('expected one JSON object')
    expect(faultOf({ queries: [query] })).toContain('preText: expected')
    expect(faultOf({ preText: 'x', queries: [query], actions: [action] })).toContain('queries and actions')
    expect(faultOf({ preText: 'x', communication: { kind: 'poem', question: 'y' } })).toContain('communication')
    expect(faultOf({ preText: 'x', communication: { kind: 'choice', question: 'y', options: ['one'] } })).toContain(
      '2 or more',
    )
    expect(faultOf('no')).toContain('A right answer: {')
  })

  test('runs no action as a query', () => {
    expect(read({ preText: 'x', queries: [action] })).toMatchObject({
      calls: [{ name: 'shell_exec', fault: expect.stringContaining('Put it under "actions"') }],
    })
  })

  test('that was cut off at the limit marks its actions as cut', () => {
    const text = JSON.stringify({ preText: 'x', actions: [action] }).slice(0, -2)
    expect(read(text, true)).toMatchObject({ calls: [{ cutOff: true }] })
  })

  test('of any text is read without a throw, and gives only what was written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.boolean(), (text, cut) => {
        const found = readStructured(text, calls, { cut })
        if ('fault' in found) return true
        return text.includes('preText') && (found.calls.length === 0 || text.includes('tool'))
      }),
      { seed: 20261122 },
    )
  })

  test('stands in the conversation as it was written, also when another model reads it', () => {
    const made = [{ id: 'c', name: 'read_file', args: { path: 'a.ts' } }]
    expect(structuredCalls.answer?.('look', made, '{"preText":"as written"}')).toBe('{"preText":"as written"}')
    const again = structuredCalls.answer?.('look', made, undefined) ?? ''
    expect(read(again)).toMatchObject({ preText: 'look', calls: [{ name: 'read_file', args: { path: 'a.ts' } }] })
  })
})
