import { afterEach, expect, test } from 'vitest'
import type { ApprovalAction } from '../protocol/index.ts'
import { openToolBench, type ToolBench } from '../../test/support/tool-bench.ts'
import type { Approval } from './run-tool.ts'

const benches: ToolBench[] = []
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close()
})

/** A command that finds no network inside, and one with it. */
const COMMAND = 'test -n "$NETWORK" && echo fetched || { echo "getaddrinfo EAI_AGAIN a.example"; exit 1; }'

function benchThat(answer: Approval) {
  const asked: ApprovalAction[] = []
  const bench = openToolBench({
    judge: () => ({
      verdict: 'allow',
      level: 'app',
      rule: 'x',
      reason: 'x',
      remember: [],
      segments: [
        { text: 'npm install x', via: [], verdict: 'allow', level: 'app', rule: 'x', reason: 'x', readOnly: false },
      ],
    }),
    approve: (actions) => {
      asked.push(...actions)
      return Promise.resolve(answer)
    },
    commands: {
      environment: (place) => ({ PATH: process.env['PATH']!, ...(place === 'network' ? { NETWORK: '1' } : {}) }),
      confine: () => ({}),
      sandbox: (place) => ({ access: () => 'write', network: place === 'network' }),
    },
  })
  benches.push(bench)
  return { bench, asked }
}

test('a command without network is said to be stopped by the sandbox, and runs again when the user says so', async () => {
  const { bench, asked } = benchThat({ answer: 'yes' })
  const result = await bench.call('shell_exec', { command: COMMAND })
  expect(asked).toMatchObject([
    {
      title: expect.stringMatching(/^run again with the network: /),
      reason: 'The sandbox stopped it: commands have no network.',
      remember: ['sandbox: network npm install'],
    },
  ])
  expect(result.text).toContain('fetched')
  expect(result.text).toContain('this is the result of that')
})

test('a no leaves the first result, and says that it was the sandbox', async () => {
  const { bench, asked } = benchThat({ answer: 'no' })
  const result = await bench.call('shell_exec', { command: COMMAND })
  expect(asked).toHaveLength(1)
  expect(result.text).toContain('exit code 1')
  expect(result.text).toContain('The sandbox stopped it: commands have no network. The user was asked')
})

test('where nobody can be asked the setting is named', async () => {
  const { bench } = benchThat({ answer: 'unavailable' })
  const result = await bench.call('shell_exec', { command: COMMAND })
  expect(result.text).toContain('"allow sandbox: network npm install" in permissions.rules')
})
