import { expect, test } from 'vitest'
import { z } from 'zod'
import { builtInTools } from './built-in.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import { describeTool } from './describe-tool.ts'
import { createToolRegistry } from './registry.ts'
import { defineTool, ok } from './tool.ts'

/** System prompt and tools of the first request together stay under 2,500 tokens of 4 characters, */
const TOOLS_CHARACTERS = 6_000
/** and with the tools of the index under 3,000. */
const ALL_TOOLS_CHARACTERS = 7_600

const names = (window: number, profile?: 'minimal' | 'default' | 'all' | string[]): string[] =>
  createToolRegistry(profile ? { profile } : {})
    .advertised(window)
    .map(({ name }) => name)

test('the catalogue says what the tools say (else run: node script/tools.ts)', () => {
  expect(catalogue).toEqual(builtInTools.map((tool) => describeTool(tool)))
})

test('the definitions of a large window fit their budget', () => {
  const all = createToolRegistry({ index: true }).advertised(128_000)
  const length = JSON.stringify(all.map((each) => ({ type: 'function', function: each }))).length
  expect(length).toBeLessThanOrEqual(ALL_TOOLS_CHARACTERS)
  const wire = createToolRegistry()
    .advertised(128_000)
    .map((each) => ({ type: 'function', function: each }))
  expect(JSON.stringify(wire).length).toBeLessThanOrEqual(TOOLS_CHARACTERS)
})

test('a small window gets five tools without property descriptions, a middle one more, a large one all', () => {
  expect(names(8_192)).toEqual(['read_file', 'search_text', 'edit_file', 'write_file', 'shell_exec'])
  expect(names(16_384).length).toBeGreaterThan(5)
  expect(names(16_384).length).toBeLessThan(names(16_385).length)
  expect(names(8_192, 'default')).toEqual(names(128_000))
  expect(names(8_192, ['read_file', 'git_diff'])).toEqual(['read_file', 'git_diff'])
  const slim = JSON.stringify(
    createToolRegistry()
      .advertised(8_192)
      .map(({ parameters }) => parameters),
  )
  expect(slim).not.toContain('"description"')
})

test('the advertised list is the same object until a tool comes or goes', async () => {
  const registry = createToolRegistry()
  const before = registry.advertised(128_000)
  expect(registry.advertised(100_000)).toBe(before)
  const extra = defineTool({
    name: 'mcp_weather',
    description: 'Tell the weather.',
    input: z.object({ city: z.string() }),
    effect: 'network',
    title: ({ city }) => `weather of ${city}`,
    run: ({ city }) => Promise.resolve(ok(`${city}: rain`)),
  })
  await registry.register(extra)
  expect(registry.advertised(128_000).at(-1)).toEqual({
    name: 'mcp_weather',
    description: 'Tell the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  })
  registry.remove('mcp_weather')
  expect(registry.advertised(128_000)).toEqual(before)
  expect(registry.find('mcp_weather')).toBeUndefined()
})

test('an alias is the same tool with its arguments mapped', () => {
  const registry = createToolRegistry()
  const resolved = (name: string, args: Record<string, unknown>): unknown => {
    const found = registry.resolve(name, args)
    return found && [found.entry.name, found.args]
  }
  expect(resolved('get_lines', { path: 'a', start: 1, end: 3 })).toEqual([
    'read_file',
    { path: 'a', start_line: 1, end_line: 3 },
  ])
  expect(resolved('create_file', { file_path: 'a', content: '' })).toEqual([
    'write_file',
    { path: 'a', content: '', mode: 'create' },
  ])
  expect(resolved('run_command', { cmd: 'ls' })).toEqual(['shell_exec', { command: 'ls' }])
  expect(resolved('str_replace', { path: 'a', old_str: 'x', new_str: 'y' })).toEqual([
    'edit_file',
    { path: 'a', old_text: 'x', new_text: 'y' },
  ])
  expect(resolved('Grep', { pattern: 'x.y' })).toEqual(['search_text', { regex: true, query: 'x.y' }])
  expect(resolved('grep', { pattern: 'x.y', regex: false })).toEqual(['search_text', { regex: false, query: 'x.y' }])
  expect(resolved('edit_lines', { path: 'a', start_line: 1, start: 2 })).toEqual([
    'edit_lines',
    { path: 'a', start_line: 1, start: 2 },
  ])
  expect(resolved('nonsense', {})).toBeUndefined()
})

test('no name means two tools, and every alias and synonym leads to an argument there is', () => {
  const seen = new Map<string, string>()
  for (const { name, aliases = [], synonyms = {} } of builtInTools) {
    const entry = createToolRegistry().find(name)!
    const own = Object.keys(entry.parameters['properties'] ?? {})
    for (const each of [name, ...aliases.map((alias) => alias.name)]) {
      expect([each, seen.get(each)]).toEqual([each, undefined])
      seen.set(each, name)
    }
    const targets = [
      ...Object.values(synonyms),
      ...aliases.flatMap(({ map = {} }) => Object.values(map)),
      ...aliases.flatMap(({ set = {} }) => Object.keys(set)),
    ]
    for (const target of targets) expect(own, `${name}: ${target}`).toContain(target)
  }
})

test('a disabled tool is gone, with its aliases; one that is not advertised still works', async () => {
  const registry = createToolRegistry({ profile: 'minimal', disabled: ['shell_exec', 'cat'] })
  expect([registry.find('shell_exec'), registry.find('bash'), registry.find('cat')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(registry.advertised(128_000).map(({ name }) => name)).not.toContain('shell_exec')
  const hidden = registry.find('git_status')!
  expect((await registry.load(hidden)).name).toBe('git_status')
})

test('what asks a person is not offered when nobody is there, and is still known', () => {
  const registry = createToolRegistry({ unattended: true })
  expect(registry.advertised(128_000).map(({ name }) => name)).not.toContain('ask_user')
  expect(registry.find('ask_user')?.name).toBe('ask_user')
  expect(
    createToolRegistry()
      .advertised(128_000)
      .map(({ name }) => name),
  ).toContain('ask_user')
})
