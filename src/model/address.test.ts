import { expect, it } from 'vitest'
import { isLocal, isLoopback, memoryBeside } from './address.ts'

it.each([
  ['http://127.0.0.1:11434', true, true],
  ['http://localhost:1234/v1', true, true],
  ['http://[::1]:8080', true, true],
  ['http://192.168.1.7:8000', false, true],
  ['http://10.1.2.3', false, true],
  ['http://172.16.0.1', false, true],
  ['http://172.32.0.1', false, false],
  ['http://100.64.0.9', false, true],
  ['http://[fd00::1]:8000', false, true],
  ['http://ollama:11434', false, true],
  ['http://nas.local', false, true],
  ['http://127.0.0.1.example.com', false, false],
  ['http://10.example.com', false, false],
  ['https://api.openai.com/v1', false, false],
  ['https://[2001:db8::1]/v1', false, false],
  ['not a url', false, false],
])('%s: loopback %s, local %s', (url, loopback, local) => {
  expect([isLoopback(url), isLocal(url)]).toEqual([loopback, local])
})

it('the memory of this machine counts for servers on it only', () => {
  // Symptom: the doctor tried a window that a session of the same model would not take.
  expect(memoryBeside('http://127.0.0.1:11434')).toBeGreaterThan(0)
  expect([memoryBeside('https://api.example.com'), memoryBeside(undefined)]).toEqual([undefined, undefined])
})
