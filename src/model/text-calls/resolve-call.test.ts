import { describe, expect, test } from 'vitest'
import { tools } from '../../../test/corpora/text-calls/tools.ts'
import { resolveCall, type WrittenCall } from './resolve-call.ts'
import type { KnownTool } from './types.ts'
import fc from '../../../test/support/property.ts'

const resolve = (name: string, args: string | Record<string, unknown>): unknown => {
  const call: WrittenCall = typeof args === 'string' ? { name, argumentsText: args } : { name, arguments: args }
  const result = resolveCall(call, tools)
  if (!result.ok) return { tool: result.tool, fault: result.fault }
  const { tool, args: fitted, repairs, executable } = result
  return { tool, args: fitted, repairs: repairs.map((repair) => repair.kind), executable }
}
const right = (tool: string, args: object, ...repairs: string[]): object => ({ tool, args, repairs, executable: true })

describe('resolveCall on native calls', () => {
  test.each<[string, string | Record<string, unknown>, unknown]>([
    ['read_file', '{"path":"a.ts"}', right('read_file', { path: 'a.ts' })],
    ['read_file', { path: 'a.ts' }, right('read_file', { path: 'a.ts' })],
    ['git_status', '', right('git_status', {})],
    ['git_status', 'null', right('git_status', {})],
    ['read_file', '"{\\"path\\":\\"a.ts\\"}"', right('read_file', { path: 'a.ts' }, 'double-encoded')],
    ['read_file', '```json\n{"path":"a.ts"}\n```', right('read_file', { path: 'a.ts' })],
    ['read_file', '{"path":"a.ts","start_line":"3"}', right('read_file', { path: 'a.ts', start_line: 3 }, 'coerced')],
    ['read_file', '{"path":"a.ts","start_line":3.0}', right('read_file', { path: 'a.ts', start_line: 3 })],
    ['read_file', '{"path":"a.ts","start_line":""}', right('read_file', { path: 'a.ts' }, 'argument-dropped')],
    ['read_file', "{'path': 'a.ts',}", right('read_file', { path: 'a.ts' }, 'single-quotes', 'trailing-comma')],
    ['read_file', '{"path":"a.ts"}}', right('read_file', { path: 'a.ts' }, 'extra-closer')],
    ['search_text', '{"query":42}', right('search_text', { query: '42' }, 'coerced')],
    ['search_text', '{"query":"x","regex":"True"}', right('search_text', { query: 'x', regex: true }, 'coerced')],
    ['ReadFile', '{"path":"a.ts"}', right('read_file', { path: 'a.ts' }, 'name-case')],
    ['Read', '{"file_path":"a.ts","offset":5}', right('read_file', { path: 'a.ts', start_line: 5 }, 'name-alias')],
    ['read', '{"file_path":"a.ts"}', right('read_file', { path: 'a.ts' }, 'name-alias')],
    ['functions.read_file', '{"path":"a.ts"}', right('read_file', { path: 'a.ts' }, 'name-prefix')],
    ['raed_file', '{"path":"a.ts"}', right('read_file', { path: 'a.ts' }, 'name-spelling')],
    ['read_file', '{"pth":"a.ts"}', right('read_file', { path: 'a.ts' }, 'argument-spelling')],
    ['git_commit', '{"message":"m","files":"a.ts"}', right('git_commit', { message: 'm', files: ['a.ts'] }, 'coerced')],
    [
      'git_commit',
      '{"message":"m","files":"[\\"a\\"]"}',
      right('git_commit', { message: 'm', files: ['a'] }, 'double-encoded'),
    ],
    [
      'write_file',
      '{"path":"a","content":"c","mode":"Overwrite"}',
      right('write_file', { path: 'a', content: 'c', mode: 'overwrite' }, 'coerced'),
    ],
  ])('%s %s', (name, args, expected) => {
    expect(resolve(name, args)).toEqual(expected)
  })

  test('a path is taken out of what models put around it, and that is said', () => {
    expect(resolve('read_file', '{"path":" `src\\\\a.ts` "}')).toEqual(
      right('read_file', { path: 'src/a.ts' }, 'coerced'),
    )
    expect(resolve('read_file', '{"path":"src/a b.ts"}')).toEqual(right('read_file', { path: 'src/a b.ts' }))
  })

  test('arguments inside arguments are taken out', () => {
    const inner = right('read_file', { path: 'a.ts' }, 'double-encoded')
    expect(resolve('read_file', '{"arguments":{"path":"a.ts"}}')).toEqual(inner)
    expect(resolve('read_file', '{"input":"{\\"path\\":\\"a.ts\\"}"}')).toEqual(inner)
  })

  test('an unknown argument that is null is left out, of a write too', () => {
    expect(resolve('shell_exec', '{"command":"ls","env":null}')).toEqual(
      right('shell_exec', { command: 'ls' }, 'argument-dropped'),
    )
  })

  test('a write or a command whose arguments were cut off is not executable, a read is', () => {
    expect(resolve('shell_exec', '{"command":"rm -rf bui')).toEqual({
      tool: 'shell_exec',
      args: { command: 'rm -rf bui' },
      repairs: ['missing-closer', 'cut'],
      executable: false,
    })
    expect(resolve('read_file', '{"path":"src/a')).toMatchObject({
      executable: true,
      repairs: ['missing-closer', 'cut'],
    })
  })

  test('a bracket missing at the end is a slip where the model ended its answer itself', () => {
    const call = { name: 'shell_exec', argumentsText: '{"command":"ls"' }
    expect(resolveCall(call, tools)).toMatchObject({ truncated: true, executable: false })
    expect(resolveCall({ ...call, cut: true }, tools)).toMatchObject({ truncated: true, executable: false })
    expect(resolveCall({ ...call, cut: false }, tools)).toMatchObject({
      args: { command: 'ls' },
      truncated: false,
      executable: true,
    })
    expect(resolveCall({ name: 'shell_exec', argumentsText: '{"command":"ls', cut: false }, tools)).toMatchObject({
      truncated: true,
      executable: false,
    })
  })

  test('a misspelt name becomes a tool that changes something only when the arguments fit as they are', () => {
    expect(resolve('shell_exe', '{"command":"ls"}')).toEqual(right('shell_exec', { command: 'ls' }, 'name-spelling'))
    expect(resolve('shell_exe', '{"cmd":"ls"}')).toMatchObject({ tool: undefined, fault: { field: 'name' } })
    expect(resolve('EditFile', '{"path":"a","oldText":"x","newText":"y"}')).toEqual(
      right('edit_file', { path: 'a', old_text: 'x', new_text: 'y' }, 'name-case', 'argument-name', 'argument-name'),
    )
    expect(resolve('ShellExec', '{"cmmand":"ls"}')).toMatchObject({ tool: undefined, fault: { field: 'name' } })
    expect(resolve('web_fetchh', '{"uri":"http://x"}')).toMatchObject({ tool: undefined, fault: { field: 'name' } })
  })

  test('a name as near to two tools is corrected to neither, and both are offered', () => {
    expect(resolve('wdit_file', '{"path":"a","content":"c"}')).toEqual({
      tool: undefined,
      fault: {
        field: 'name',
        expected: 'a registered tool, for example edit_file, write_file, read_file, list_files, search_text',
        found: '"wdit_file"',
        example: '{"name":"edit_file","arguments":{"path":"<text>","old_text":"<text>","new_text":"<text>"}}',
      },
    })
  })

  test('the example keeps what was right and shows what is missing', () => {
    expect(resolve('write_file', '{"path":"a.ts"}')).toEqual({
      tool: 'write_file',
      fault: {
        field: 'content',
        expected: 'string',
        found: 'nothing',
        example: '{"name":"write_file","arguments":{"path":"a.ts","content":"<text>"}}',
      },
    })
  })

  test.each([
    ['{"path": "a" "b"}', 'arguments'],
    ['[1]', 'arguments'],
    ['just text', 'arguments'],
    ['{"path": {"deep": 1}}', 'path'],
    ['{"path": "a", "start_line": 0}', 'start_line'],
    ['{"path": "a", "start_line": 1.5}', 'start_line'],
    ['{"path": "a.ts}}', 'arguments'],
  ])('%s is a fault of %s', (args, field) => {
    expect(resolve('read_file', args)).toMatchObject({ tool: 'read_file', fault: { field } })
  })

  test('an argument the tool does not have is dropped only where the call is the same without it', () => {
    expect(resolve('read_file', '{"path":"a","encoding":"utf8"}')).toEqual(
      right('read_file', { path: 'a' }, 'argument-dropped'),
    )
    // Hunyuan's separator taken for an argument once made a read of everything out of a read of one file.
    for (const extra of ['"file_type":"ts"', '"since":"2026-01-01"', '"tool_sep":"x"'])
      expect(resolve('list_files', `{"path":".",${extra}}`)).toMatchObject({
        tool: 'list_files',
        fault: { expected: expect.stringContaining('only the arguments') as string },
      })
    expect(resolve('list_files', '{"path":".","all":false}')).toEqual(
      right('list_files', { path: '.' }, 'argument-dropped'),
    )
    expect(resolve('shell_exec', '{"command":"ls","dry_run":true}')).toMatchObject({
      fault: { field: 'dry_run', found: '"dry_run"' },
    })
    expect(resolve('shell_exec', '{"command":"ls","description":"List"}')).toEqual(
      right('shell_exec', { command: 'ls' }, 'argument-dropped'),
    )
  })
})

describe('schemas', () => {
  const tool = (schema: KnownTool['schema']): KnownTool[] => [
    { name: 'tool', aliases: [], effect: 'read', schema: { type: 'object', ...schema } },
  ]
  const fit = (schema: KnownTool['schema'], args: object): unknown => {
    const result = resolveCall({ name: 'tool', arguments: args }, tool(schema))
    return result.ok ? result.args : result.fault.field
  }

  test('of several kinds take the one that needs the least change', () => {
    const schema = { properties: { at: { anyOf: [{ type: 'integer' }, { type: 'string' }] } } }
    expect(fit(schema, { at: '3' })).toEqual({ at: '3' })
    expect(fit(schema, { at: 3 })).toEqual({ at: 3 })
  })

  test('that refer to definitions, and to themselves, are followed', () => {
    const schema = {
      $defs: { node: { type: 'object', properties: { depth: { type: 'integer' }, next: { $ref: '#/$defs/node' } } } },
      properties: { root: { $ref: '#/$defs/node' } },
    }
    expect(fit(schema, { root: { depth: '1', next: { depth: '2' } } })).toEqual({
      root: { depth: 1, next: { depth: 2 } },
    })
  })

  test('with other properties allowed let them through', () => {
    expect(fit({ properties: {}, additionalProperties: true }, { any: 1 })).toEqual({ any: 1 })
  })

  test('name the place of a value deep inside', () => {
    const edit = { type: 'object', properties: { old: { type: 'string' } }, required: ['old'] }
    expect(fit({ properties: { edits: { type: 'array', items: edit } } }, { edits: [{ old: 'a' }, {}] })).toBe(
      'edits[1].old',
    )
  })
})

test('right arguments come out unchanged, whatever they are', () => {
  const args = fc.record({
    path: fc.stringMatching(/^[a-z][a-z/.]{0,20}$/),
    content: fc.string(),
    mode: fc.constantFrom('create', 'append'),
  })
  fc.assert(
    fc.property(args, (given) => {
      expect(resolve('write_file', JSON.stringify(given))).toEqual(right('write_file', given))
    }),
  )
})
