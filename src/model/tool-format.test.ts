import { describe, expect, it } from 'vitest'
import { ToolFormat } from './tool-format.ts'
import type { FactPort } from './tool-format.ts'

function memory(): FactPort & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return { kept, getFact: (key) => kept.get(key), setFact: (key, value) => void kept.set(key, value) }
}
const base = { setting: 'auto', model: 'local/qwen', url: 'http://127.0.0.1:11434' } as const

describe('the tool format', () => {
  it('starts from what the server reports', () => {
    const starts = [undefined, true, false].map(
      (tools) => new ToolFormat({ ...base, info: { id: 'qwen', ...(tools === undefined ? {} : { tools }) } }).current,
    )
    expect(starts).toEqual(['native', 'native', 'xml'])
  })

  it('switches when a model that has made no native call writes its calls, and remembers it', () => {
    const facts = memory()
    const format = new ToolFormat({ ...base, facts })
    expect([format.observe('text', 'tagged-json'), format.current, format.observe('text')]).toEqual([
      true,
      'xml',
      false,
    ])
    const next = new ToolFormat({ ...base, facts, info: { id: 'qwen', tools: true } })
    expect([next.current, next.dialect]).toEqual(['xml', 'tagged-json'])
  })

  it('forgives slips of a model that makes native calls', () => {
    const format = new ToolFormat(base)
    format.observe('native')
    const seen = (['text', 'text', 'native', 'text', 'text'] as const).map((kind) => format.observe(kind))
    expect([seen, format.current]).toEqual([[false, false, false, false, false], 'native'])
    expect([format.observe('text'), format.current]).toEqual([true, 'xml'])
  })

  it('switches when the server refuses tools', () => {
    const format = new ToolFormat(base)
    expect([format.refused(), format.refused(), format.current]).toEqual([true, false, 'xml'])
  })

  it('does not move what the user has set', () => {
    const facts = memory()
    const format = new ToolFormat({ ...base, setting: 'native', facts })
    expect([format.observe('text'), format.refused(), format.current, facts.kept.size]).toEqual([
      false,
      false,
      'native',
      0,
    ])
    facts.setFact('tool-format local/qwen http://127.0.0.1:11434', 'native')
    expect(new ToolFormat({ ...base, setting: 'xml', facts }).current).toBe('xml')
  })

  it('keeps what a probe found, per model and server', () => {
    const facts = memory()
    new ToolFormat({ ...base, facts }).learn('xml', 'mistral')
    expect(new ToolFormat({ ...base, facts }).dialect).toBe('mistral')
    expect(new ToolFormat({ ...base, facts, url: 'http://10.0.0.1' }).current).toBe('native')
    new ToolFormat({ ...base, facts }).learn('native')
    expect(new ToolFormat({ ...base, facts }).current).toBe('native')
  })
})
