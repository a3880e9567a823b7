import { describe, expect, test } from 'vitest'
import { memoryLog } from '../../test/support/loop-fakes.ts'
import type { ModelRequest, StreamPart } from '../model/language-model.ts'
import type { EventBody } from '../protocol/index.ts'
import { PromptCheck } from '../model/prompt-check.ts'
import { TokenCounter } from '../model/tokens.ts'
import { SessionWindow } from '../model/window.ts'
import { ContextPrompt } from './prompt.ts'
import type { PromptParts } from './prompt.ts'
import fc from '../../test/support/property.ts'

const signal = new AbortController().signal

function setUp(options: Partial<PromptParts> & { summary?: string } = {}) {
  const events: EventBody[] = []
  const asked: ModelRequest[] = []
  const log = memoryLog()
  const { summary = 'SUMMARY', ...parts } = options
  const counter = new TokenCounter()
  const prompt = new ContextPrompt({
    form: () => ({ rules: 'RULES', images: true }),
    project: () => Promise.resolve('PROJECT'),
    tools: [{ name: 'read_file', description: 'reads', parameters: {} }],
    counter,
    check: new PromptCheck({ backend: 'b', provider: 'openai-compatible', window: 10_000 }, counter),
    window: new SessionWindow({ window: 10_000, most: 10_000 }),
    maxShare: 0.8,
    method: 'llm-summary',
    keep: 2,
    maxUserMessages: 0,
    log,
    asker: {
      request: { model: 'm', stream: true, maxTokens: 100 },
      async *stream(request): AsyncIterable<StreamPart> {
        asked.push(request)
        if (summary === '') throw new Error('down')
        yield { type: 'text', text: summary }
        yield { type: 'finish', reason: 'stop' }
      },
    },
    emit: (event) => void events.push(event),
    ...parts,
  })
  let n = 0
  /** One turn: a read of `path` with a result of so many characters. */
  const read = (path: string, chars: number): void => {
    const id = `c${(n += 1)}`
    log.append({
      sender: 'AI',
      text: '',
      output: {
        text: '',
        toolCalls: [{ id, name: 'read_file', args: { path } }],
        finishReason: 'tool_calls',
        model: 'm',
      },
    })
    const text = `${path}\n${'x'.repeat(chars)}\nend of ${path}`
    log.append({
      sender: 'SYSTEM',
      text: '',
      system: { type: 'DATA_ADDED', callId: id, result: { status: 'success', text } },
    })
  }
  log.append({ sender: 'USER', text: 'the goal: rename everything' })
  return { prompt, log, events, asked, read, build: () => prompt.build(log.all(), signal) }
}

describe('a prompt', () => {
  test('has the rules and the project first and is a prefix of the next', async () => {
    const { build, read } = setUp()
    read('a.ts', 50)
    const first = await build()
    read('b.ts', 50)
    const second = await build()
    expect(first.messages.slice(0, 2)).toEqual([
      { role: 'system', content: 'RULES', cache: 'static' },
      { role: 'system', content: 'PROJECT', cache: 'user-data' },
    ])
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages)
  })

  test('shortens old results before it asks for a summary, and says how to see them again', async () => {
    const { build, read, events, asked } = setUp()
    for (let i = 0; i < 8; i++) read(`file${i}.ts`, 3500)
    const built = await build()
    expect(asked).toEqual([])
    expect(events.map((event) => event.type)).toEqual(['compaction'])
    const tools = built.messages.filter((message) => message.role === 'tool')
    expect(tools[0]?.content).toContain('read_file {"path":"file0.ts"}')
    expect(tools.at(-1)?.content).toContain('x'.repeat(3500))
  })

  test('asks for a larger window before it shortens anything, and shortens when there is none', async () => {
    const window = new SessionWindow({ window: 8_192, most: 16_384 })
    const { build, read, events } = setUp({ window })
    for (let i = 0; i < 8; i++) read(`file${i}.ts`, 3500)
    const first = await build()
    expect([first.window, events.map((event) => event.type)]).toEqual([16_384, ['notice']])
    for (let i = 0; i < 8; i++) read(`more${i}.ts`, 3500)
    const second = await build()
    expect([second.window, events.map((event) => event.type)]).toEqual([16_384, ['notice', 'compaction']])
  })

  test('keeps the bytes of a pass afterwards', async () => {
    const { build, read } = setUp()
    for (let i = 0; i < 8; i++) read(`file${i}.ts`, 3500)
    const first = await build()
    read('small.ts', 30)
    const second = await build()
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages)
  })

  test('of a reopened session is the same as before', async () => {
    const { build, read, log } = setUp()
    for (let i = 0; i < 8; i++) read(`file${i}.ts`, 3500)
    const first = await build()
    const again = setUp()
    const reopened = await again.prompt.build(log.all(), signal)
    expect(reopened.messages).toEqual(first.messages)
  })

  test('is summed up when shortening is not enough; goal and newest exchange stay word for word', async () => {
    const { build, log, asked } = setUp()
    for (let i = 0; i < 20; i++) {
      log.append({ sender: 'AI', text: `answer ${i} ${'y'.repeat(1500)}` })
      log.append({ sender: 'USER', text: `question ${i}` })
    }
    const built = await build()
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ toolChoice: 'none', tools: [{ name: 'read_file' }] })
    const chars = asked[0]!.messages.reduce((sum, message) => sum + message.content.length, 0)
    expect(chars / 3 + asked[0]!.maxTokens).toBeLessThanOrEqual(10_000)
    expect(built.messages[2]?.content).toContain('SUMMARY')
    expect(built.messages[2]?.content).toContain('the goal: rename everything')
    expect(built.messages.at(-1)?.content).toBe('question 19')
    expect(built.tokens).toBeLessThan(8000)
  })

  test('is summed up in a request that fits the window with its answer, also when the newest result is large', async () => {
    const { build, read, log, asked, prompt } = setUp()
    for (let i = 0; i < 5; i++) {
      log.append({ sender: 'AI', text: `answer ${i} ${'y'.repeat(2500)}` })
      log.append({ sender: 'USER', text: `question ${i}` })
      read(`file${i}.ts`, 1500)
    }
    read('large.ts', 9000)
    await build()
    expect(asked).toHaveLength(1)
    const chars = asked[0]!.messages.reduce((sum, message) => sum + message.content.length, 0)
    expect(chars / 3 + asked[0]!.maxTokens).toBeLessThanOrEqual(10_000)
    expect(await prompt.aside(log.all(), 'a title?', signal)).toBe('SUMMARY')
  })

  test('whose summary fails is still shortened, and the run goes on', async () => {
    const { build, read, log } = setUp({ summary: '' })
    log.append({ sender: 'AI', text: 'y'.repeat(10_000) })
    log.append({ sender: 'USER', text: 'go on' })
    for (let i = 0; i < 6; i++) read(`file${i}.ts`, 3500)
    const built = await build()
    expect(built.tokens).toBeLessThan(10_000)
  })

  test('with a single message that does not fit is a clear error', async () => {
    const { build, log } = setUp({ summary: '' })
    log.append({ sender: 'USER', text: 'z'.repeat(60_000) })
    await expect(build()).rejects.toMatchObject({ code: 'context_too_long', message: expect.stringContaining('10000') })
  })

  test('keeps the plan through a compaction', async () => {
    const { prompt, log } = setUp()
    const items = [{ text: 'write the parser', state: 'doing' }]
    log.append({
      sender: 'AI',
      text: '',
      output: {
        text: '',
        toolCalls: [{ id: 'p', name: 'plan_update', args: { items } }],
        finishReason: 'tool_calls',
        model: 'm',
      },
    })
    for (let i = 0; i < 6; i++) log.append({ sender: 'USER', text: `q${i} ${'w'.repeat(500)}` })
    expect(await prompt.shrink(log.all(), signal, { keep: 1 })).toBe(true)
    const built = await prompt.build(log.all(), signal)
    expect(built.messages[2]?.content).toContain('[doing] write the parser')
  })

  test('counts with what the server counted', async () => {
    const { build, prompt, read } = setUp()
    read('a.ts', 3000)
    const before = await build()
    prompt.observe(before.tokens * 2)
    const after = await build()
    expect(after.tokens / before.tokens).toBeGreaterThan(1.7)
  })
})

test('trimming never splits a call from its result and never passes the window', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 6000 }), fc.boolean()), { minLength: 1, maxLength: 30 }),
      async (turns) => {
        const { build, read, log } = setUp()
        for (const [i, [chars, user]] of turns.entries()) {
          if (user) log.append({ sender: 'USER', text: `question ${i}` })
          read(`file${i % 7}.ts`, chars)
          const built = await build()
          expect(built.tokens).toBeLessThanOrEqual(10_000)
          let open: string[] = []
          for (const message of built.messages) {
            if (message.role === 'tool') expect(message.callId).toBe(open.shift())
            else expect(open).toEqual([])
            if (message.role === 'assistant') open = (message.toolCalls ?? []).map((call) => call.id)
          }
          expect(open).toEqual([])
        }
      },
    ),
    { numRuns: 50 },
  )
})

describe('a block', () => {
  const tool = (built: Awaited<ReturnType<ReturnType<typeof setUp>['build']>>, at: number) =>
    built.messages.filter((message) => message.role === 'tool')[at]?.content

  test('that is pinned stays whole through passes, is no change of the prompt, and holds in a reopened session', async () => {
    const { build, read, prompt, log, events } = setUp()
    read('pinned.ts', 3500)
    read('other.ts', 3500)
    const first = await build()
    expect(prompt.edit(log.all(), 'pin', 'pinned.ts')).toEqual({
      ok: true,
      text: 'Pinned: #3 read_file pinned.ts. It is never shortened or summed up. The prompt is the same as before.',
    })
    const second = await build()
    expect(second.messages).toEqual(first.messages)
    for (let i = 0; i < 8; i++) read(`file${i}.ts`, 3500)
    const passed = await build()
    expect(events.map((event) => event.type)).toContain('compaction')
    expect(tool(passed, 0)).toContain('x'.repeat(3500))
    expect(tool(passed, 1)).toContain('left out to save room')
    const again = await setUp().prompt.build(log.all(), signal)
    expect(again.messages).toEqual(passed.messages)
    expect(prompt.describe(log.all()).blocks.find(({ pinned }) => pinned)).toMatchObject({
      id: '#3',
      why: 'result, whole',
    })
  })

  test('that is pinned goes through a summary word for word, and leaves with its pin', async () => {
    const { build, read, prompt, log } = setUp()
    read('pinned.ts', 900)
    log.append({
      sender: 'SYSTEM',
      text: '',
      system: { type: 'DATA_ADDED', data: '<attachment ref="@@a.ts">\nALPHA\n</attachment>' },
    })
    prompt.edit(log.all(), 'pin', '#3')
    prompt.edit(log.all(), 'pin', '@@a.ts')
    for (let i = 0; i < 20; i++) {
      log.append({ sender: 'AI', text: `answer ${i} ${'y'.repeat(1500)}` })
      log.append({ sender: 'USER', text: `question ${i}` })
    }
    const built = await build()
    const summary = built.messages[2]!.content
    expect(summary).toContain(
      `<pinned from="read_file pinned.ts">\npinned.ts\n${'x'.repeat(900)}\nend of pinned.ts\n</pinned>`,
    )
    expect(summary).toContain('ALPHA')
    expect((await build()).messages).toEqual(built.messages)
    expect(prompt.describe(log.all()).blocks.find(({ id }) => id === '#3')?.why).toBe(
      'result, whole, kept through the summary',
    )
    const { text } = prompt.edit(log.all(), 'unpin', '3')
    expect(text).toMatch(
      /^No longer pinned: #3 read_file pinned.ts. The summary stands in its place. The prompt changed/,
    )
    expect((await build()).messages[2]!.content).not.toContain('pinned.ts')
    expect(prompt.edit(log.all(), 'drop', '3').ok).toBe(false)
  })

  test('that is dropped leaves a line that says how to load it again; pinning it brings it back', async () => {
    const { build, read, prompt, log } = setUp()
    read('a.ts', 3000)
    log.append({
      sender: 'SYSTEM',
      text: '',
      system: { type: 'DATA_ADDED', data: `<attachment ref="@@b.ts">\n${'b'.repeat(3000)}\n</attachment>` },
    })
    const first = await build()
    const { text } = prompt.edit(log.all(), 'drop', 'a.ts')
    expect(text).toMatch(/^Dropped: #3 read_file a.ts, about 9\d\d tokens. A line .* reads about 1\d\d\d tokens anew/)
    prompt.edit(log.all(), 'drop', '@@b.ts')
    const second = await build()
    expect(tool(second, 0)).toBe(
      'a.ts\n[3012 characters left out to save room; to load them again: read_file {"path":"a.ts"}]',
    )
    expect(second.messages.at(-1)!.content).toContain(
      '<attachment ref="@@b.ts">\n[3000 characters left out by the user; load them again with a tool if you need them]\n</attachment>',
    )
    expect(second.messages.slice(0, 3)).toEqual(first.messages.slice(0, 3))
    prompt.edit(log.all(), 'pin', 'a.ts')
    prompt.edit(log.all(), 'pin', '@@b.ts')
    expect((await build()).messages).toEqual(first.messages)
  })

  test('that is not there, not clear, or as wanted already is an error that says what to do', () => {
    const { read, prompt, log } = setUp()
    read('a.ts', 10)
    read('b.ts', 1000)
    const edit = (...args: ['pin' | 'unpin' | 'drop', string]): string => {
      const { ok, text } = prompt.edit(log.all(), ...args)
      expect(ok).toBe(false)
      return text
    }
    const before = log.all().length
    expect(edit('drop', 'rules')).toContain('No block "rules" can be pinned or dropped')
    expect(edit('pin', '99')).toContain('/context shows')
    expect(edit('pin', 'read_file')).toBe(
      '"read_file" fits 2 blocks; name one by its number: #3 read_file a.ts, #5 read_file b.ts.',
    )
    expect(edit('unpin', '#3')).toBe('read_file a.ts is not pinned.')
    expect(log.all()).toHaveLength(before)
    expect(edit('drop', '#3')).toBe('read_file a.ts is so short that nothing would be saved.')
    prompt.edit(log.all(), 'drop', '#5')
    expect(edit('drop', '#5')).toBe('read_file b.ts is left out already.')
  })
})
