import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../files/text-format.ts'
import { openBlobStore } from './blob-store.ts'

function setUp() {
  const folder = join(mkdtempSync(join(tmpdir(), 'blobs-')), 'blobs')
  const blobs = openBlobStore(folder)
  const put = (text: string): string => {
    const hash = sha256(text)
    blobs.put(hash, Buffer.from(text), false)
    return hash
  }
  return { folder, blobs, put, fileOf: (hash: string) => join(folder, hash.slice(0, 2), hash) }
}

test('A content is stored once and comes back as it was put', () => {
  const { blobs, put } = setUp()
  const hash = put('content')
  put('content')
  expect(blobs.get(hash)?.toString()).toBe('content')
  expect(blobs.sizes()).toEqual(new Map([[hash, 7]]))
  expect(blobs.written()).toBe(7)
  expect(blobs.get(sha256('other'))).toBe(null)
})

test('A damaged content is none', () => {
  const { blobs, put, fileOf } = setUp()
  const hash = put('content')
  writeFileSync(fileOf(hash), 'contenT')
  expect(blobs.get(hash)).toBe(null)
})

test('Only old contents that nobody needs are collected; to store one again makes it young', () => {
  const { blobs, put, fileOf } = setUp()
  const [needed, old, again, young] = ['needed', 'old', 'again', 'young'].map((text) => put(text)) as [
    string,
    string,
    string,
    string,
  ]
  const longAgo = new Date(Date.now() - 3_600_000)
  for (const hash of [needed, old, again]) utimesSync(fileOf(hash), longAgo, longAgo)
  put('again')
  expect(blobs.collectedAt()).toBe(0)
  expect(blobs.collect(new Set([needed]))).toBe(3)
  expect([needed, old, again, young].map((hash) => existsSync(fileOf(hash)))).toEqual([true, false, true, true])
  expect(Date.now() - blobs.collectedAt()).toBeLessThan(60_000)
})

test('Another living process is seen, a dead one is forgotten', () => {
  const { folder, blobs, put } = setUp()
  put('mine')
  expect(blobs.shared()).toBe(false)
  // Beyond any process id of Linux (pid_max is at most 2^22).
  writeFileSync(join(folder, 'process-99999999'), '')
  expect(blobs.shared()).toBe(false)
  expect(readdirSync(folder)).not.toContain('process-99999999')
  writeFileSync(join(folder, `process-${process.ppid}`), '')
  expect(blobs.shared()).toBe(true)
})
