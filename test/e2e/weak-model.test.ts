// A model that garbles every call in one way and never corrects itself gets a repair task of twelve steps done all the same:
// the files are as meant, nothing else was made, no quoted call ran, and every request was sound. `bench/weak-model/run.ts`
// plays the same over more textual forms, over a model that corrects itself, and over other agents.
import { describe, expect, test } from 'vitest'
import { codehoundAgent } from '../../bench/weak-model/agents.ts'
import { garbles } from '../../bench/weak-model/garbles.ts'
import { runOne } from '../../bench/weak-model/run-one.ts'

/** The parser's own corpus has every form of text; here one of each family is enough. */
const FORMS = new Set(
  [
    'hermes',
    'fenced-json',
    'bare',
    'mistral',
    'python-tag',
    'kimi',
    'deepseek',
    'harmony',
    'react',
    'python-list',
    'qwen-coder',
    'invoke',
    'element',
    'glm',
  ].map((form) => `text: ${form}`),
)
const chosen = garbles.filter(
  ({ id, kind }) =>
    kind !== 'text' || FORMS.has(id) || id.includes(',') || id.includes(' never') || id.includes(' by '),
)

describe.concurrent('a model that never corrects itself', { timeout: 120_000 }, () => {
  test.each(chosen)('$id', async (garble) => {
    const { faults, exitCode, trapped, unsound, givenUp } = await runOne(codehoundAgent, garble, 'never')
    expect({ faults, exitCode, trapped, unsound, givenUp }).toEqual({
      faults: [],
      exitCode: 0,
      trapped: false,
      unsound: [],
      givenUp: [],
    })
  })
})
