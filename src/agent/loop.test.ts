import { describe, expect, test } from 'vitest'
import { fakeRun } from '../../test/support/loop-fakes.ts'
import { ModelError } from '../model/language-model.ts'
import type { ToolResult } from '../protocol/index.ts'
import { runLoop } from './loop.ts'

const read = { name: 'read', args: '{"path":"a"}' }
const edit = { name: 'edit', args: '{"path":"a"}' }
const failing = () => ({ status: 'failed' as const, code: 'NO_MATCH' as const, text: 'no match' })

describe('a run', () => {
  test('ends with the first answer that has no call', async () => {
    const run = fakeRun([{ calls: [read] }, { text: 'It is 42.' }])
    expect(await runLoop(run.input)).toEqual({ outcome: 'done' })
    expect(run.requests).toHaveLength(2)
    expect(run.requests[1]).toEqual([
      { role: 'user', content: 'do it' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c0', name: 'read', arguments: '{"path":"a"}' }] },
      { role: 'tool', callId: 'c0', name: 'read', content: 'fine' },
    ])
  })

  test('stores the answer with its calls before the calls run', async () => {
    const run = fakeRun([{ calls: [read] }, { text: 'done' }])
    const order: string[] = []
    const { runner } = run.input
    run.input.runner = {
      ...runner,
      run: (...args) => {
        order.push(`ran after ${run.input.log.all().at(-1)?.sender}`)
        return runner.run(...args)
      },
    }
    await runLoop(run.input)
    expect(order).toEqual(['ran after AI'])
  })

  test('takes in what was typed meanwhile and goes on when the last answer came before it', async () => {
    const run = fakeRun([{ text: 'one' }, { text: 'two' }])
    const given = ['and this']
    run.input.takeQueued = () => (run.requests.length === 1 ? given.splice(0).map((text) => ({ text })) : [])
    await runLoop(run.input)
    expect(run.requests[1]?.map((message) => message.content)).toEqual(['do it', 'one', 'and this'])
  })

  test('keeps every request a prefix of the next', async () => {
    const run = fakeRun([{ text: 'let me see', calls: [read] }, { calls: [edit, read] }, { text: 'done' }])
    await runLoop(run.input)
    for (const [i, request] of run.requests.entries()) {
      expect(run.requests[i + 1]?.slice(0, request.length) ?? request).toEqual(request)
    }
  })
})

describe('call ids', () => {
  test('are made when the server gives none, and renamed when it gives one twice', async () => {
    const run = fakeRun([
      {
        calls: [
          { id: '', ...read },
          { id: 'call_0', ...read },
        ],
      },
      { calls: [{ id: 'call_0', ...read }] },
      { text: 'x' },
    ])
    await runLoop(run.input)
    const ids = run.ran.flat().map((call) => call.id)
    expect(new Set(ids).size).toBe(3)
    expect(run.ran[1]?.[0]?.repeatedId).toBeUndefined()
  })

  test('that are unique by design and come again are marked as repeated', async () => {
    const long = { id: 'call_Zx81kQpL0aa', ...edit }
    const run = fakeRun([{ calls: [long] }, { calls: [long] }, { text: 'x' }])
    await runLoop(run.input)
    expect(run.ran[1]?.[0]).toMatchObject({ repeatedId: true })
    expect(run.ran[1]?.[0]?.id).not.toBe(long.id)
  })
})

describe('limits', () => {
  test('totalTurns stops the run and says which setting', async () => {
    const run = fakeRun([{ calls: [read] }], { limits: { totalTurns: 3 } })
    expect(await runLoop(run.input)).toMatchObject({ outcome: 'limit', counter: 'totalTurns' })
    expect(run.requests).toHaveLength(3)
    expect(run.input.log.all().at(-1)?.system?.data).toContain('--max-turns')
  })

  test('reads in a row are counted, and an action starts the count anew', async () => {
    const run = fakeRun(
      [
        { calls: [read] },
        { calls: [read] },
        { calls: [edit] },
        { calls: [read] },
        { calls: [read] },
        { calls: [read] },
      ],
      {
        limits: { consecutiveReads: 3 },
      },
    )
    expect(await runLoop(run.input)).toMatchObject({ outcome: 'limit', counter: 'consecutiveReads' })
    expect(run.requests).toHaveLength(6)
  })

  test('failed actions in a row are counted', async () => {
    const run = fakeRun([{ calls: [edit] }], { limits: { consecutiveActionRetries: 3 }, result: failing })
    expect(await runLoop(run.input)).toMatchObject({ outcome: 'limit', counter: 'consecutiveActionRetries' })
    expect(run.requests).toHaveLength(3)
  })

  test('a refusal by the user counts nowhere', async () => {
    const run = fakeRun([{ calls: [edit] }], {
      limits: { consecutiveActionRetries: 2, totalTurns: 6 },
      result: () => ({ status: 'cancelled', code: 'USER_REJECTED', text: 'no' }),
    })
    expect(await runLoop(run.input)).toMatchObject({ outcome: 'limit', counter: 'totalTurns' })
  })

  test('answers that could not be understood are counted', async () => {
    const run = fakeRun([{ calls: [{ name: 'nonsense', args: '{}' }] }], { limits: { consecutiveFormatErrors: 3 } })
    expect(await runLoop(run.input)).toMatchObject({ outcome: 'limit', counter: 'consecutiveFormatErrors' })
  })

  test('the loop guard stops the run', async () => {
    const run = fakeRun([{ calls: [read] }], { stop: 'the same call 5 times' })
    expect(await runLoop(run.input)).toEqual({ outcome: 'limit', counter: 'loop', text: 'the same call 5 times' })
  })
})

describe('answers that are cut, empty or broken', () => {
  test('one cut by the token limit is kept and the model asked once to go on shorter', async () => {
    const run = fakeRun([{ text: 'part', finish: 'length' }, { text: 'rest' }])
    expect(await runLoop(run.input)).toEqual({ outcome: 'done' })
    expect(run.requests[1]?.map((message) => message.content)).toEqual([
      'do it',
      'part',
      expect.stringContaining('shorter'),
    ])
  })

  test('two in a row end the run with what to change', async () => {
    const run = fakeRun([{ text: 'part', finish: 'length' }])
    expect(await runLoop(run.input)).toMatchObject({
      outcome: 'failed',
      error: { suggestion: expect.stringContaining('max_tokens') },
    })
  })

  test('a call cut in two is left out, named, and never run', async () => {
    const run = fakeRun([
      { calls: [read, { id: 'x', name: 'edit', args: '{"path":"a","new' }], finish: 'length' },
      { text: 'ok' },
    ])
    await runLoop(run.input)
    expect(run.ran.flat().map((call) => call.name)).toEqual(['read'])
    expect(run.requests[1]?.at(-1)?.content).toContain('edit')
  })

  test('an empty one is asked again once', async () => {
    const run = fakeRun([{}, { text: 'here' }])
    expect(await runLoop(run.input)).toEqual({ outcome: 'done' })
    const again = fakeRun([{}])
    expect(await runLoop(again.input)).toMatchObject({ outcome: 'failed', error: { code: 'bad_response' } })
    expect(again.requests).toHaveLength(2)
  })

  test('a stream cut after text was shown keeps the text and goes on from there', async () => {
    const cut = new ModelError('network', 'cut', { retryable: true, afterFirstPart: true })
    const run = fakeRun([{ text: 'first half', error: cut }, { text: 'second half' }])
    expect(await runLoop(run.input)).toEqual({ outcome: 'done' })
    expect(run.requests[1]?.map((message) => message.content)).toEqual([
      'do it',
      'first half',
      expect.stringContaining('Go on from exactly'),
    ])
  })

  test('an error nobody can mend fails the run and is kept for audit, not for the prompt', async () => {
    const down = new ModelError('network', 'refused', { retryable: true })
    const run = fakeRun([{ error: down }])
    expect(await runLoop(run.input)).toMatchObject({ outcome: 'failed', error: { code: 'network' } })
    expect(run.input.log.all().at(-1)).toMatchObject({ system: { type: 'NETWORK_ERROR' }, excludeFromPrompt: true })
  })

  test('a message that a person skips after an error ends the run without one', async () => {
    const run = fakeRun([{ error: new ModelError('network', 'refused', { retryable: true }) }])
    run.input.onModelError = async () => 'skip'
    expect(await runLoop(run.input)).toEqual({ outcome: 'done', skipped: true })
  })

  test('a prompt that is too long is compacted once and tried again', async () => {
    const long = new ModelError('context_too_long', 'too long', { retryable: false })
    const run = fakeRun([{ error: long }, { text: 'fits now' }])
    expect(await runLoop(run.input)).toEqual({ outcome: 'done' })
    const twice = fakeRun([{ error: long }])
    expect(await runLoop(twice.input)).toMatchObject({ outcome: 'failed', error: { code: 'context_too_long' } })
    expect(twice.requests).toHaveLength(2)
  })
})

describe('an interruption', () => {
  test('keeps what had arrived, marks it, and leaves a history every provider takes', async () => {
    const run = fakeRun([{ text: 'half an ans', abort: true }])
    expect(await runLoop(run.input)).toEqual({ outcome: 'interrupted' })
    const [, answer, mark] = run.input.log.all()
    expect(answer?.output).toMatchObject({ text: 'half an ans', finishReason: 'interrupted', toolCalls: [] })
    expect(mark?.system?.type).toBe('INTERRUPTED')
  })

  test('before the first part leaves no empty answer behind', async () => {
    const run = fakeRun([{ abort: true }])
    await runLoop(run.input)
    expect(run.input.log.all().map((message) => message.sender)).toEqual(['USER', 'SYSTEM'])
  })
})

describe('loop.mode: single-batch', () => {
  test('one batch of calls is followed by an answer without calls', async () => {
    const run = fakeRun([{ calls: [read, { ...read, id: 'c9' }] }, { text: 'so it is', calls: [read] }])
    run.input.mode = 'single-batch'
    expect(await runLoop(run.input)).toEqual({ outcome: 'done' })
    expect({ batches: run.ran.length, choices: run.choices }).toEqual({ batches: 1, choices: [undefined, 'none'] })
    expect(run.input.log.all().at(-1)?.output).toMatchObject({ text: 'so it is', toolCalls: [] })
  })

  test('a call that failed keeps the tools for its correction', async () => {
    const results: ToolResult[] = [
      { status: 'failed', code: 'NOT_FOUND', text: 'no such file' },
      { status: 'success', text: 'fine' },
    ]
    const run = fakeRun([{ calls: [read] }, { calls: [read] }, { text: 'done' }], { result: () => results.shift()! })
    run.input.mode = 'single-batch'
    expect(await runLoop(run.input)).toEqual({ outcome: 'done' })
    expect(run.choices).toEqual([undefined, undefined, 'none'])
  })
})

test('where the last turn is an answer, the model is told so and its calls are left out', async () => {
  const run = fakeRun([{ calls: [read] }, { calls: [read] }, { text: 'what I have', calls: [read] }], {
    limits: { totalTurns: 3 },
  })
  run.input.answerAtLimit = true
  expect(await runLoop(run.input)).toEqual({ outcome: 'done' })
  expect(run.requests[2]?.at(-1)?.content).toContain('Answer now')
  expect(run.ran).toHaveLength(2)
})

test('tokens that a call used of models count against the limit', async () => {
  const run = fakeRun([{ calls: [read] }], {
    limits: { tokens: 500 },
    result: () => ({ status: 'success', text: 'answer', data: { inputTokens: 400, outputTokens: 100 } }),
  })
  expect(await runLoop(run.input)).toMatchObject({ outcome: 'limit', counter: 'tokens' })
  expect(run.requests).toHaveLength(1)
})

test('an answer is asked for in what is left of the window', async () => {
  const run = fakeRun([{ text: 'short' }])
  const asked: number[] = []
  const { model, prompt } = run.input
  run.input.request.maxTokens = 800
  run.input.prompt = { ...prompt, build: async (...args) => ({ ...(await prompt.build(...args)), tokens: 700 }) }
  run.input.model = {
    ...model,
    stream: (request, signal) => {
      asked.push(request.maxTokens)
      return model.stream(request, signal)
    },
  }
  await runLoop(run.input)
  expect(asked).toEqual([300])
})

// After an endless answer of 64 MB the session could never be continued.
test('an answer that never ends is cut at its bound, kept, and the model is told', async () => {
  const run = fakeRun([{ text: 'y'.repeat(5_000) }, { reasoning: 'z'.repeat(5_000) }, { text: 'never asked' }])
  run.input.answer = { chars: 1_000, ms: 0 }
  const end = await runLoop(run.input)
  expect(end).toMatchObject({ outcome: 'failed', error: { code: 'bad_response' } })
  const [first, second] = run.input.log.all().flatMap(({ output }) => output ?? [])
  expect([first?.text.length, first?.finishReason, second?.reasoning?.length, second?.finishReason]).toEqual([
    1_000,
    'length',
    1_000,
    'length',
  ])
  expect(run.requests).toHaveLength(2)
  expect(run.requests[1]!.at(-1)?.content).toContain('1000 characters (limits.answerChars)')
  expect(run.events.filter(({ type }) => type === 'notice')).toHaveLength(2)
})
