import { expect, test } from 'vitest'
import { systemPrompt, type SystemPromptFacts } from './system-prompt.ts'

const facts: SystemPromptFacts = {
  platform: 'linux',
  root: '/w',
  shell: 'bash',
  git: true,
  mode: 'interactive',
  maxCallsPerResponse: 10,
  totalTurns: 0,
  answerStyle: 'guided',
}

test('a rule about asking stands only where somebody can answer', () => {
  expect(systemPrompt(facts, 'large')).toContain('ask_user')
  expect(systemPrompt({ ...facts, mode: 'headless' }, 'large')).not.toContain('ask_user')
  expect(systemPrompt({ ...facts, mode: 'headless' }, 'large')).toContain('Nobody is there to answer')
})
