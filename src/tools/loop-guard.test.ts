import { expect, test } from 'vitest'
import { newLoopState, noteCall, noteText, type GuardedCall, type LoopVerdict } from './loop-guard.ts'

const call = (key: string, { signature = key, result = 'r', exempt = false } = {}): GuardedCall => ({
  tool: key,
  key,
  signature,
  result,
  exempt,
})

function verdicts(calls: GuardedCall[]): string[] {
  let state = newLoopState
  return calls.map((each) => {
    const verdict: LoopVerdict = noteCall(state, each)
    state = verdict.state
    return verdict.stop?.kind ?? (verdict.nudge ? 'nudge' : 'ok')
  })
}

test('the same call with the same result is nudged at the third time and stopped at the fifth', () => {
  expect(verdicts(Array.from({ length: 5 }, () => call('a')))).toEqual(['ok', 'ok', 'nudge', 'nudge', 'same-call'])
})

test('another result, another state or a wait starts no loop', () => {
  expect(verdicts([1, 2, 3, 4, 5, 6].map((at) => call('a', { result: `${at}` })))).toEqual(Array(6).fill('ok'))
  expect(verdicts([1, 2, 3, 4, 5, 6].map((at) => call('a', { signature: `${at}` })))).toEqual(Array(6).fill('ok'))
  expect(verdicts([1, 2, 3, 4, 5, 6].map(() => call('a', { exempt: true })))).toEqual(Array(6).fill('ok'))
})

test('different edits with the same failing test between them are never a loop', () => {
  const calls = Array.from({ length: 12 }, (_, at) => [
    call(`edit ${at}`, { signature: `edit ${at}` }),
    call('test', { signature: `test in state ${at}`, result: 'fails' }),
  ]).flat()
  expect(new Set(verdicts(calls))).toEqual(new Set(['ok']))
})

test('an edit and its reverse in turn are a cycle at the third period although every state is new', () => {
  const calls = Array.from({ length: 6 }, (_, at) => call(at % 2 ? 'b' : 'a', { signature: `${at}` }))
  expect(verdicts(calls)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'cycle'])
})

test('repeats count although other calls stand between them', () => {
  const calls = Array.from({ length: 5 }, (_, at) => [call('a'), call(`other ${at}`), call(`more ${at}`)]).flat()
  expect(verdicts(calls).filter((each) => each !== 'ok')).toEqual(['nudge', 'nudge', 'same-call'])
})

test('the same text ten times in a row stops the run, nine times or with another between does not', () => {
  let state = newLoopState
  const say = (hash: string): string => {
    const verdict = noteText(state, hash)
    state = verdict.state
    return verdict.stop?.kind ?? 'ok'
  }
  for (let at = 0; at < 9; at++) expect(say('x')).toBe('ok')
  expect(say('y')).toBe('ok')
  for (let at = 0; at < 9; at++) expect(say('x')).toBe('ok')
  expect(say('')).toBe('ok')
  expect(say('x')).toBe('text')
})
