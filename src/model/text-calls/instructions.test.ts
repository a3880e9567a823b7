import { describe, expect, test } from 'vitest'
import { tools } from '../../../test/corpora/text-calls/tools.ts'
import { textToolInstructions } from './instructions.ts'
import { scanText } from './scanner.ts'

/** A prompt of 8k has 2,500 tokens for everything; tools get a tenth. Characters, four to a token. */
const SMALL_LIMIT = 250 * 4
const BIG_LIMIT = 500 * 4

describe('textToolInstructions', () => {
  test('describes a tool in one line for a small window', () => {
    expect(textToolInstructions([tools[0]!, tools[4]!], 'small')).toMatchInlineSnapshot(`
      "Tools (? = optional):
      - read_file(path, start_line?: integer, end_line?: integer) Read a file, or some of its lines.
      - write_file(path, content, mode?: create|overwrite|append) Write a whole file.

      To use a tool, write this and nothing after it:
      <tool_call>
      {"name": "NAME", "arguments": {"KEY": VALUE}}
      </tool_call>
      One object in each pair of tags; escape quotes and line breaks in JSON. The result comes in the next message. Without a tool call your answer is final."
    `)
  })

  test('says every type for a medium window, nested ones too', () => {
    const plan = tools.find((tool) => tool.name === 'plan_update')!
    const search = tools.find((tool) => tool.name === 'search_text')!
    const lines = textToolInstructions([plan, search], 'medium').split('\n').slice(1, 3)
    expect(lines).toEqual([
      '- plan_update(items: [{text, state: open|doing|done}]) Replace the plan.',
      '- search_text(query: string, path?: string, regex?: boolean, context?: integer) Search the files for a text or a regular expression.',
    ])
  })

  test('says what arguments mean for a large window', () => {
    const tool = {
      name: 'look',
      description: 'Look.',
      aliases: [],
      effect: 'read' as const,
      schema: { type: 'object', properties: { at: { type: 'string', description: 'Where.' } }, required: ['at'] },
    }
    expect(textToolInstructions([tool], 'large').split('\n').slice(1, 3)).toEqual([
      '- look(at: string) Look.',
      '  at: Where.',
    ])
  })

  test('is small: five tools of a small window, and all of the corpus for a large one', () => {
    expect(textToolInstructions(tools.slice(0, 5), 'small').length).toBeLessThan(SMALL_LIMIT)
    expect(textToolInstructions(tools, 'large').length).toBeLessThan(BIG_LIMIT)
  })

  test('shows a form that the scanner reads', () => {
    const text = textToolInstructions(tools, 'small')
    const form = text.slice(text.indexOf('<tool_call>'), text.indexOf('</tool_call>') + '</tool_call>'.length)
    const call = form.replace('NAME', 'read_file').replace('"KEY": VALUE', '"path": "a.ts"')
    expect(scanText(call, { tools })).toMatchObject([
      { type: 'call', verdict: 'call', tool: 'read_file', args: { path: 'a.ts' }, repairs: [], dialect: 'tagged-json' },
    ])
  })

  test('is empty without tools', () => {
    expect(textToolInstructions([], 'large')).toBe('')
  })
})
