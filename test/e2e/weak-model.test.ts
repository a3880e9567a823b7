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

/** Quoted and meant in one form in one answer: nobody can tell them apart, so it is asked, and then said that nothing ran. */
const UNDECIDABLE = 'habit: quotes a call in prose, then makes it as text'

describe.concurrent('a model that never corrects itself', { timeout: 120_000 }, () => {
  test.each(chosen.filter(({ id }) => id !== UNDECIDABLE))('$id', async (garble) => {
    const { faults, exitCode, trapped, unsound, givenUp } = await runOne(codehoundAgent, garble, 'never')
    expect({ faults, exitCode, trapped, unsound, givenUp }).toEqual({
      faults: [],
      exitCode: 0,
      trapped: false,
      unsound: [],
      givenUp: [],
    })
  })

  test('what cannot be told from a quotation is not run, and that is said', async () => {
    const garble = garbles.find(({ id }) => id === UNDECIDABLE)!
    const { trapped, unsound, stderr } = await runOne(codehoundAgent, garble, 'never')
    expect({ trapped, unsound }).toEqual({ trapped: false, unsound: [] })
    expect(stderr).toContain('warning: The answer shows a tool call in its text again. It was not run')
  })
})
