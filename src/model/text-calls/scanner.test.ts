import { describe, expect, test } from 'vitest'
import { cases } from '../../../test/corpora/text-calls/cases.ts'
import { forms } from '../../../test/corpora/text-calls/forms.ts'
import { negatives } from '../../../test/corpora/text-calls/negatives.ts'
import { tools } from '../../../test/corpora/text-calls/tools.ts'
import { callsIn, wrongInCase, wrongInNegative, wrongInWild } from '../../../test/corpora/text-calls/verify.ts'
import { wild } from '../../../test/corpora/text-calls/wild.ts'
import { STRICT } from '../../../test/corpora/text-calls/write-json.ts'
import { createTextCallScanner, joinParts, scanText } from './scanner.ts'
import type { ScannerOptions, TextPart } from './types.ts'
import fc from '../../../test/support/property.ts'

const wrong = <T extends { id: string; text: string }>(
  list: readonly T[],
  check: (each: T) => string | undefined,
): string[] =>
  list.flatMap((each) => {
    const fault = check(each)
    return fault ? [`${each.id}: ${fault}\n${each.text}`] : []
  })

const inChunks = (chunks: readonly string[], options: ScannerOptions): TextPart[] => {
  const scanner = createTextCallScanner(options)
  return joinParts([...chunks.flatMap((chunk) => scanner.feed(chunk)), ...scanner.end()])
}

/** The session in which a text of the corpus says most. */
const optionsOf = (each: { session?: object; dialect?: string }): ScannerOptions => ({
  tools,
  ...(each.session ?? (each.dialect ? { dialect: each.dialect } : {})),
})
const corpus = [...cases, ...wild, ...negatives] as readonly { text: string; session?: object; dialect?: string }[]

describe('the corpus', () => {
  test('is as large as it says', () => {
    expect(cases.length + wild.length).toBeGreaterThanOrEqual(400)
    expect(negatives.length).toBeGreaterThanOrEqual(200)
    expect(new Set(cases.map((each) => each.text)).size).toBeGreaterThanOrEqual(400)
  })

  test('gives the expected calls for every form, fault and position', () => {
    expect(wrong(cases, wrongInCase)).toEqual([])
  })

  test('gives the expected calls for the habits of particular models', () => {
    expect(wrong(wild, wrongInWild)).toEqual([])
  })

  test('invents no call in texts that show one or look like one', () => {
    expect(wrong(negatives, wrongInNegative)).toEqual([])
  })
})

describe('position', () => {
  const runs = (text: string, options: ScannerOptions): boolean =>
    callsIn(scanText(text, options)).some((call) => call.verdict === 'call')
  const read = { name: 'read_file', args: { path: 'src/app.ts' } }
  const run = { name: 'shell_exec', args: { command: 'npm test' } }

  test('a call in special tokens counts after prose, before it and between, in a session that knows nothing', () => {
    const around: [string, string][] = [
      ['The output shows a failing test, so use the contents instead of the log.\n\n', ''],
      ['', '\n\nThat is what I will do next.'],
      ['Now the contents of the file. ', '\nThen we will see what to do.'],
    ]
    const special = forms.filter((form) => form.strong && !form.id.startsWith('fenced') && form.id !== 'tool-code')
    const calls = special.flatMap((form) => [form.write([read], STRICT), form.write([run], STRICT)])
    const lost = calls
      .flatMap((call) => around.map(([before, after]) => before + call + after))
      .filter((text) => !runs(text, { tools }))
    expect(lost).toEqual([])
  })

  test('what a sentence shows, says or refuses is asked about when it changes something, and runs when it comes again', () => {
    const call = '<tool_call>\n{"name": "shell_exec", "arguments": {"command": "ls"}}\n</tool_call>'
    const sentences = ['A call looks like this:', 'For example:', 'The file says:', 'The log shows what went wrong:']
    for (const sentence of sentences) {
      const text = `${sentence}\n\n${call}`
      expect(callsIn(scanText(text, { tools, dialect: 'tagged-json' })).map((each) => each.verdict)).toEqual(['doubt'])
      expect(callsIn(scanText(text, { tools, asked: 'tagged-json' })).map((each) => each.verdict)).toEqual(['call'])
    }
  })

  test('prose before or after a text without a call makes no call of it', () => {
    const around = [
      ['Some text first.\n\n', ''],
      ['', '\n\nSome text after.'],
      ['Some text.\n\n', '\n\nMore text.'],
    ]
    const run = negatives.flatMap((each) =>
      around.map(([before, after]) => before + each.text + after).filter((text) => runs(text, optionsOf(each))),
    )
    expect(run).toEqual([])
  })
})

describe('chunks', () => {
  test('of one character change nothing on the whole corpus', () => {
    const different = corpus.filter((each) => {
      const options = optionsOf(each)
      const whole = JSON.stringify(scanText(each.text, options))
      return JSON.stringify(inChunks(Array.from(each.text), options)) !== whole
    })
    expect(different.map((each) => each.text)).toEqual([])
  })

  test('split at any byte change nothing for the forms and the habits', () => {
    const texts = [...forms.map((form) => cases.find((each) => each.id.startsWith(`${form.id} /`))!), ...wild]
    for (const each of texts) {
      const options = optionsOf(each)
      const whole = scanText(each.text, options)
      const bytes = new TextEncoder().encode(each.text)
      for (let at = 0; at <= bytes.length; at++) {
        const decoder = new TextDecoder()
        const chunks = [decoder.decode(bytes.subarray(0, at), { stream: true }), decoder.decode(bytes.subarray(at))]
        expect(inChunks(chunks, options), `${each.text} split at ${at}`).toEqual(whole)
      }
    }
  })

  test('of any lengths change nothing', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.constantFrom(...corpus), lengths, (each, sizes) => {
        const chunks: string[] = []
        let at = 0
        for (let turn = 0; at < each.text.length; turn++) {
          const size = turn < sizes.length ? sizes[turn]! : each.text.length
          chunks.push(each.text.slice(at, at + size))
          at += size
        }
        const options = optionsOf(each)
        expect(inChunks(chunks, options)).toEqual(scanText(each.text, options))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('what comes out', () => {
  const call = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>'

  test('text and calls together are the message', () => {
    const text = `I read it.\n\n${call}\n`
    const parts = scanText(text, { tools, dialect: 'tagged-json' })
    expect(parts).toEqual([
      { type: 'text', text: 'I read it.\n\n' },
      {
        type: 'call',
        verdict: 'call',
        id: 'text-1',
        dialect: 'tagged-json',
        name: 'read_file',
        tool: 'read_file',
        args: { path: 'a.ts' },
        repairs: [],
        truncated: false,
        group: 0,
        raw: call,
      },
      { type: 'text', text: '\n' },
    ])
  })

  test('prose goes through before the message ends', () => {
    const scanner = createTextCallScanner({ tools })
    expect(scanner.feed('Let me look at ')).toEqual([{ type: 'text', text: 'Let me look at ' }])
    expect(scanner.feed('x <')).toEqual([{ type: 'text', text: 'x ' }])
    expect(scanner.feed('b and')).toEqual([{ type: 'text', text: '<b and' }])
    expect(scanner.end()).toEqual([])
  })

  test('every call has an id of its own though the model gives one twice', () => {
    const one = (path: string): string =>
      `<tool_call>{"id": "c1", "name": "read_file", "arguments": {"path": "${path}"}}</tool_call>`
    const calls = callsIn(scanText(one('a') + one('b'), { tools, idPrefix: 'r7-' }))
    expect(calls.map(({ id, givenId, args }) => ({ id, givenId, args }))).toEqual([
      { id: 'r7-1', givenId: 'c1', args: { path: 'a' } },
      { id: 'r7-2', givenId: 'c1', args: { path: 'b' } },
    ])
  })

  test('calls of one block have its text once', () => {
    const text =
      '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a"}}, {"name": "git_status", "arguments": {}}]'
    expect(callsIn(scanText(text, { tools })).map(({ group, raw }) => ({ group, raw }))).toEqual([
      { group: 0, raw: text },
      { group: 0, raw: '' },
    ])
  })

  test('repairs are said in whole sentences', () => {
    const text = "<tool_call>{'name': 'readFile', 'arguments': {'path': 'a.ts', 'start_line': '3',}}</tool_call>"
    expect(callsIn(scanText(text, { tools })).map((each) => each.repairs.map((repair) => repair.text))).toEqual([
      [
        'The tool "readFile" was read as "read_file".',
        'Strings were in single quotes.',
        'A comma stood before a closing bracket.',
        'start_line: "3" was read as integer.',
      ],
    ])
  })

  test('a fault says the field, what is expected, what stands there, and a right call', () => {
    const text = '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts", "start_line": "first"}}</tool_call>'
    expect(callsIn(scanText(text, { tools })).map((each) => each.fault)).toEqual([
      {
        field: 'start_line',
        expected: 'integer',
        found: '"first"',
        example: '{"name":"read_file","arguments":{"path":"a.ts"}}',
      },
    ])
  })

  test('thinking is reasoning, marks left out', () => {
    expect(scanText(`<think>Read ${call}?</think>\n${call}`, { tools })).toMatchObject([
      { type: 'reasoning', text: `Read ${call}?` },
      { type: 'text', text: '\n' },
      { type: 'call', verdict: 'call' },
    ])
  })

  test('an end of thinking that nothing opened makes the text before it reasoning', () => {
    expect(scanText(`I call it.\n</think>\n${call}`, { tools })).toMatchObject([
      { type: 'text', text: 'I call it.\n' },
      { type: 'reasoning-before' },
      { type: 'text', text: '\n' },
      { type: 'call', verdict: 'call' },
    ])
  })

  test('a harmony preamble is shown and is no prose before the call', () => {
    const text =
      '<|channel|>commentary<|message|>I read it.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file<|message|>{"path":"a.ts"}<|call|>'
    expect(scanText(text, { tools })).toMatchObject([
      { type: 'text', text: 'I read it.' },
      { type: 'call', verdict: 'call', tool: 'read_file', args: { path: 'a.ts' } },
    ])
  })

  test('the marks between messages of harmony are not shown', () => {
    const text = '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>'
    expect(scanText(text, { tools })).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Done.' },
    ])
  })

  test('end-of-turn tokens and closing tags that nothing opened are not shown', () => {
    expect(scanText('Done.</tool_call><|im_end|>\n', { tools })).toEqual([{ type: 'text', text: 'Done.\n' }])
    expect(scanText('The token <|im_end|> ends a turn.', { tools })).toEqual([
      { type: 'text', text: 'The token <|im_end|> ends a turn.' },
    ])
  })
})
