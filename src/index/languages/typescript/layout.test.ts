import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { fieldOf, TYPE_NAMES } from './tree.ts'

const GENERATOR = resolve(import.meta.dirname, '../../../../script/oxc-layout.mjs')

test('the layout is the one of the installed parser, and its eager deserializer reads the same fields in the same way', async () => {
  const { oxcLayout } = (await import(pathToFileURL(GENERATOR).href)) as { oxcLayout: () => string }
  expect(readFileSync(resolve(import.meta.dirname, 'layout.ts'), 'utf8')).toBe(oxcLayout())
})

test('the name of every kind of identifier stands at one place', () => {
  const kinds = TYPE_NAMES.map((name, kind) => ({ name, field: fieldOf(kind, 'name') }))
  const offsets = kinds
    .filter(({ name }) => /Identifier(?:Name|Reference)?$/.test(name))
    .flatMap(({ field }) => field?.offset ?? [])
  expect(offsets.length).toBeGreaterThan(5)
  expect(new Set(offsets).size).toBe(1)
})
