import { expect, test } from 'vitest'
import { backendTypes } from '../model/create-model.ts'
import { DEFAULT_BLOCK_LIST } from '../policy/commands/block-list.ts'
import { configJsonSchema, defaultsOf, type JsonSchema, shortForms } from './json-schema.ts'
import { makeJsonSchema } from './make-json-schema.ts'
import { configSchema } from './schema.ts'
import { validate } from './validate.ts'
import fc from '../../test/support/property.ts'

test('the JSON Schema the program validates by is made from the schema', () => {
  expect(JSON.parse(JSON.stringify(makeJsonSchema()))).toEqual(configJsonSchema)
})

test('the defaults are those of the schema', () => {
  expect(defaultsOf(configJsonSchema)).toEqual(configSchema.parse({}))
})

test('lists that other folders own are the same there', () => {
  expect(configSchema.parse({}).commands.block).toEqual(DEFAULT_BLOCK_LIST)
  const types = configJsonSchema.properties!['backends']!.additionalProperties as JsonSchema
  expect(backendTypes).toEqual(expect.arrayContaining([...types.properties!['type']!.enum!]))
})

/** Values around what a schema accepts: mostly right, sometimes not. */
function near(schema: JsonSchema): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(fc.constantFrom(null, true, -1, 1.5, '', 'x', [], {}, [1], { x: 1 }), fc.jsonValue())
  return fc.oneof({ weight: 6, arbitrary: right(schema) }, { weight: 1, arbitrary: wrong })
}

function right(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(near))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: (schema.minimum ?? 0) - 1, max: 11_000 })
    case 'number':
      return fc.oneof(fc.double({ min: -0.5, max: 3, noNaN: true }), fc.integer({ min: 0, max: 3 }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(near(schema.items!), { maxLength: 2 })
    case 'object': {
      if (typeof schema.additionalProperties === 'object')
        return fc.dictionary(fc.string({ minLength: 1, maxLength: 3 }), near(schema.additionalProperties), {
          maxKeys: 2,
        })
      const keys = Object.fromEntries(Object.entries(schema.properties!).map(([key, inner]) => [key, near(inner)]))
      return fc.record(keys, { requiredKeys: [...(schema.required ?? [])] })
    }
    default:
      return fc.string({ maxLength: 3 })
  }
}

/** What the program lets pass and zod does not: a section without content, and what is only asked of all layers together. */
function strict(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

/** `group:` with nothing behind it is allowed in a file, also within a group. */
function hasEmptyGroup(given: unknown, schema: JsonSchema): boolean {
  return Object.entries(schema.properties ?? {}).some(
    ([name, inner]) => inner.properties !== undefined && (given as Record<string, unknown> | null)?.[name] === null,
  )
}

test('a value is accepted exactly when the schema accepts it, and means the same', () => {
  for (const [key, schema] of Object.entries(configJsonSchema.properties!)) {
    if (key === 'backends' || key === 'hooks') continue
    fc.assert(
      fc.property(near(schema), (given) => {
        // `section:` with nothing behind it is allowed in a file.
        fc.pre(!(given === null && schema.properties !== undefined))
        fc.pre(!hasEmptyGroup(given, schema))
        // A short form is no group, which is what the schema describes.
        fc.pre(shortForms[key] === undefined || (typeof given === 'object' && !Array.isArray(given)))
        const zod = configSchema.safeParse({ [key]: given })
        const ours = validate({ [key]: given }, configJsonSchema)
        expect(ours.issues.length === 0).toBe(zod.success)
        if (!zod.success) return
        const filled = configSchema.parse(strict(ours.value))
        expect(filled).toEqual(zod.data)
      }),
      { numRuns: 60 },
    )
  }
})

test('a backend is accepted exactly when the schema accepts it', () => {
  const schema = configJsonSchema.properties!['backends']!.additionalProperties as JsonSchema
  fc.assert(
    fc.property(near(schema), (given) => {
      // A group with nothing behind it is allowed in a file.
      fc.pre(given !== null && (given as { headers?: unknown }).headers !== null)
      const zod = configSchema.safeParse({ backends: { b: given } })
      const ours = validate({ backends: { b: given } }, configJsonSchema)
      const typed = typeof given === 'object' && (given as { type?: unknown }).type !== undefined
      // The type of a backend may come from another layer.
      expect(ours.issues.length === 0 && typed).toBe(zod.success)
    }),
    { numRuns: 300 },
  )
})

test('a mode alone is short for the group of the sandbox, and keeps its place', () => {
  const { value, issues, written } = validate({ sandbox: 'strict' }, configJsonSchema)
  expect([value, issues]).toEqual([{ sandbox: { mode: 'strict' } }, []])
  expect(written.get(['sandbox', 'mode'].join('\0'))).toBe('sandbox')
  expect(validate({ sandbox: 'loose' }, configJsonSchema).issues).toMatchObject([{ path: ['sandbox'] }])
})
