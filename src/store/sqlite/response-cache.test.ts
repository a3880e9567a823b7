import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openResponseCache } from './response-cache.ts'
import type { SqliteResponseCache } from './response-cache.ts'

let folder = ''
let cache: SqliteResponseCache | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codehound-cache-'))
})
afterEach(() => {
  cache?.close()
  rmSync(folder, { recursive: true })
})

const entry = (hash: string, response = '[]', expiresAt = 100): Parameters<SqliteResponseCache['put']>[0] => ({
  hash,
  response,
  model: 'm',
  createdAt: 1,
  expiresAt,
})

it('keeps an answer over processes until it expires, and counts its hits', () => {
  const file = join(folder, 'made', 'responses.db')
  cache = openResponseCache(file)
  cache.put(entry('a', '["x"]'))
  cache.close()
  cache = openResponseCache(file)
  expect([cache.get('a', 99), cache.get('a', 100), cache.get('b', 1)]).toEqual([
    entry('a', '["x"]'),
    undefined,
    undefined,
  ])
  expect(cache.stats()).toEqual({ entries: 1, hits: 1, chars: 5 })
  expect(statSync(join(folder, 'made')).mode & 0o777).toBe(0o700)
})

it('replaces an answer and sweeps what has expired', () => {
  cache = openResponseCache(':memory:')
  cache.put(entry('a', '1'))
  cache.put(entry('a', '22'))
  cache.put(entry('b', '3', 50))
  expect(cache.sweep(50)).toBe(1)
  expect([cache.get('a', 50)?.response, cache.stats().entries]).toEqual(['22', 1])
})

it('stays within its size and lets go of what was used longest ago', () => {
  cache = openResponseCache(':memory:', { maxChars: 100 })
  for (const hash of ['a', 'b', 'c']) cache.put({ ...entry(hash, 'x'.repeat(30)), createdAt: 1 })
  cache.get('a', 10)
  cache.put({ ...entry('d', 'x'.repeat(30)), createdAt: 20 })
  const left = ['a', 'b', 'c', 'd'].filter((hash) => cache!.get(hash, 30) !== undefined)
  expect(left).toEqual(['a', 'c', 'd'])
})

it('is made anew when its file is damaged', () => {
  const file = join(folder, 'responses.db')
  writeFileSync(file, 'this is no database, but it is long enough to look like one'.repeat(100))
  cache = openResponseCache(file)
  cache.put(entry('a'))
  expect(cache.get('a', 1)).toEqual(entry('a'))
})
