import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkDatabase } from '../../src/store/sqlite/database.ts'
import { openSessionStore } from '../../src/store/sqlite/session-store.ts'
import { StoreError } from '../../src/store/store-error.ts'
import fc from '../support/property.ts'

const session = { title: 't', type: 'CHAT' as const, workspaceId: 'w', root: '/w', model: 'a/b' }
const folder = mkdtempSync(join(tmpdir(), 'codehound-damage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function filledStore(): Buffer {
  const file = join(folder, 'good.db')
  const store = openSessionStore(file)
  store.database.write(() => {
    for (let n = 0; n < 3; n++) {
      const { id } = store.create(session)
      for (let m = 0; m < 60; m++) store.append(id, { sender: 'USER', text: `message ${m} ${'words '.repeat(60)}` })
      store.addInput(id, 'typed')
    }
  })
  store.search('words')
  store.close()
  return readFileSync(file)
}

/** Everything a session does, on a store that may be damaged. */
function use(file: string): void {
  const store = openSessionStore(file)
  try {
    for (const each of store.list()) store.messages(each.id)
    store.search('words')
    const { id } = store.create(session)
    expect(store.append(id, { sender: 'USER', text: 'new' }).seq).toBe(1)
    expect(store.messages(id)).toHaveLength(1)
  } finally {
    store.close()
  }
}

// Written after a salvage that never ended: damaged pages led back to rows that had been read.
test('whatever bytes are damaged, the next start but one works, and every fault has words', () => {
  const good = filledStore()
  let run = 0
  const damage = fc.record({ at: fc.nat(good.length - 1), bytes: fc.uint8Array({ minLength: 1, maxLength: 4096 }) })
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), fc.nat(4), (places, cut) => {
      const bytes = Buffer.from(good)
      for (const { at, bytes: other } of places) bytes.set(other.subarray(0, bytes.length - at), at)
      const file = join(folder, `${++run}.db`)
      writeFileSync(file, cut === 0 ? bytes.subarray(0, places[0]!.at) : bytes)
      try {
        use(file)
      } catch (error) {
        expect(error).toBeInstanceOf(StoreError)
        use(file)
      }
    }),
    {
      numRuns: 25,
      examples: [
        // A damaged JSON column once came out as a SyntaxError.
        [[{ at: 7699, bytes: new Uint8Array(6) }], 1],
        // One byte of the definition of the full-text table once counted as a fault of codehound, at every start.
        [[{ at: 92_930, bytes: Uint8Array.of(45) }], 1],
      ],
    },
  )
})

test('a sound store is found sound', () => {
  filledStore()
  const store = openSessionStore(join(folder, 'good.db'))
  expect(checkDatabase(store.database)).toEqual([])
  expect(store.database.notices).toEqual([])
  store.close()
})
