import { expect, test } from 'vitest'
import { prose } from '../../../test/corpora/text-calls/prose.ts'
import { tools } from '../../../test/corpora/text-calls/tools.ts'
import { callsIn } from '../../../test/corpora/text-calls/verify.ts'
import { createTextCallScanner, scanText } from './scanner.ts'
import { unreadCall } from './unread-call.ts'

/** Forms that no model writes today. */
const UNKNOWN = [
  '<|do_it|>read_file<|with|>{"path": "src/app.ts"}<|done|>',
  'Let me look.\n\n<|exec:begin|>shell_exec(command: "ls")<|exec:end|>',
  '[INVOKE_FUNCTION] read_file {"path": "a"} [END_FUNCTION]',
  '<run_tool_now><id>read_file</id><with>path=a.ts</with></run_tool_now>',
  '<tool_call>read_file path=a.ts</tool_call>',
  '<fn_call|>read_file:path=a.ts<|fn_call>',
]

test.each(UNKNOWN)('%j is not run, and is seen', (text) => {
  expect(callsIn(scanText(text, { tools })).filter((call) => call.verdict === 'call')).toEqual([])
  const tool = text.includes('shell_exec') ? 'shell_exec' : 'read_file'
  const shown = scanText(text, { tools })
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
  expect(unreadCall(shown, tools)).toBe(tool)
})

test.each([
  'vLLM emits [TOOL_CALLS] when read_file is called.',
  'The `<|do_it|>read_file<|with|>{}` form is old.',
  '```\n<|do_it|>read_file<|with|>{"path": "a"}\n```\nThat is the form.',
  'Use <div> and read_file(path).',
  'An array: [INFO] read_files done, [WARN] none.',
  'I read src/app.ts with read_file. It exports `a`.',
])('%j is prose', (text) => {
  expect(unreadCall(text, tools)).toBeUndefined()
})

test('of the texts about calls next to none looks like one', () => {
  const seen = prose.filter(({ text }) => {
    const scanner = createTextCallScanner({ tools })
    const parts = [...scanner.feed(text), ...scanner.end()]
    if (scanner.showsCalls || callsIn(parts).length > 0) return false
    return unreadCall(parts.map((part) => (part.type === 'text' ? part.text : '')).join(''), tools) !== undefined
  })
  expect(seen.map(({ id }) => id)).toEqual([])
})
