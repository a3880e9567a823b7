import { expect, test } from 'vitest'
import { tellOnce } from './tell-once.ts'

test('a notice comes once for a model and server, until something changes', () => {
  // Symptom: "The server does not say how large its window is" at every start.
  const facts = new Map<string, string>()
  const port = {
    getFact: (key: string) => facts.get(key),
    setFact: (key: string, value: string) => void facts.set(key, value),
  }
  const told: string[] = []
  const start = (about: string, text: string | undefined) =>
    tellOnce(port, about, text, (each) => told.push(`${about}: ${each}`))
  start('a', 'unknown')
  start('a', 'unknown')
  start('b', 'unknown')
  start('b', undefined)
  start('b', 'unknown')
  start('a', 'held at 8k')
  start('a', 'held at 8k')
  start('c', undefined)
  expect(told).toEqual(['a: unknown', 'b: unknown', 'b: unknown', 'a: held at 8k'])
  expect([...facts.keys()]).toEqual(['told a', 'told b'])
})
