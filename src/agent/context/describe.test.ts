import { expect, test } from 'vitest'
import { memoryLog } from '../../../test/support/loop-fakes.ts'
import { describeContext } from './describe.ts'

test('each block has its size, why it is there and when it came; what was left out says so', () => {
  const log = memoryLog()
  log.append({ sender: 'USER', text: 'u'.repeat(40) })
  log.append({ sender: 'SYSTEM', text: '', system: { type: 'DATA_ADDED', data: 'd'.repeat(20) } })
  for (const [at, chars] of [4000, 100].entries()) {
    const id = `c${at}`
    const toolCalls = [{ id, name: 'read_file', args: { path: `src/file${at}.ts` }, rawArgs: '{"path":"x"}' }]
    log.append({ sender: 'AI', text: '', output: { text: 'look', toolCalls, finishReason: 'tool_calls', model: 'm' } })
    const result = { status: 'success' as const, text: 'x'.repeat(chars) }
    log.append({ sender: 'SYSTEM', text: '', system: { type: 'DATA_ADDED', callId: id, result } })
  }
  const blocks = describeContext({
    rules: 'r'.repeat(80),
    project: undefined,
    tools: [],
    log: log.all(),
    view: { results: new Map([['c0', 'stub' as const]]), pinned: new Set(['c1']), dropped: new Set() },
    charsPerToken: 4,
  })
  expect(blocks.map(({ id, level, title, tokens, lastUsedTurn }) => [id, level, title, tokens, lastUsedTurn])).toEqual([
    ['rules', 1, 'rules', 20, undefined],
    ['project', 2, 'project', 0, undefined],
    ['user', 3, 'your messages', 10, undefined],
    ['assistant', 3, 'answers and calls', 13, undefined],
    ['#6', 3, 'read_file src/file1.ts', 25, 2],
    ['#4', 3, 'read_file src/file0.ts', 24, 1],
    ['#2', 3, 'dddddddddddddddddddd', 5, undefined],
  ])
  expect(blocks.map(({ why, pinned }) => [why, pinned]).slice(-3)).toEqual([
    ['result, whole', true],
    ['result, left out; the call loads it again', undefined],
    ['attachment', undefined],
  ])
})
