// Golden requests of the other providers: what a server is sent, byte for byte, for one history that has everything.
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../language-model.ts'
import { toOllamaRequest } from './ollama-request.ts'
import { toChatRequest } from './openai-request.ts'

const request: ModelRequest = {
  model: 'qwen',
  messages: [
    { role: 'system', content: 'Rules.', cache: 'static' },
    { role: 'system', content: 'Map.', cache: 'user-data' },
    { role: 'user', content: 'Read a.ts.' },
    {
      role: 'assistant',
      content: 'I look.',
      reasoning: 'hm',
      reasoningData: { field: 'reasoning_content' },
      toolCalls: [
        { id: 'c1', name: 'read_file', arguments: '{ "path": "a.ts" }' },
        { id: 'c2', name: 'git_status', arguments: '' },
      ],
    },
    { role: 'tool', callId: 'c1', name: 'read_file', content: 'one' },
    { role: 'tool', callId: 'c2', name: 'git_status', content: 'clean' },
    { role: 'assistant', content: 'Done.', reasoning: 'hm', reasoningData: { field: 'reasoning_content' } },
    { role: 'system', content: 'The plan changed.' },
  ],
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }],
  stream: true,
  maxTokens: 4096,
  temperature: 0.1,
  window: 16_384,
}
const tools = [
  { type: 'function', function: { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } } },
]

describe('the request', () => {
  it('of Chat Completions', () => {
    expect(toChatRequest(request, { refused: new Set(), oneCallAtATime: false })).toEqual({
      model: 'qwen',
      stream: true,
      max_tokens: 4096,
      temperature: 0.1,
      stream_options: { include_usage: true },
      tools,
      messages: [
        { role: 'system', content: 'Rules.\n\nMap.' },
        { role: 'user', content: 'Read a.ts.' },
        {
          role: 'assistant',
          content: 'I look.',
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{ "path": "a.ts" }' } },
            { id: 'c2', type: 'function', function: { name: 'git_status', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        { role: 'tool', tool_call_id: 'c2', content: 'clean' },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'The plan changed.' },
      ],
    })
  })

  it('of Chat Completions leaves out what a server refused, and asks for one call where only one is wanted', () => {
    const refused = new Set(['max_tokens', 'stream_options', 'temperature'] as const)
    const body = toChatRequest(
      { ...request, toolChoice: 'required', reasoning: 'low' },
      { refused, oneCallAtATime: true },
    )
    const { messages, tools: _, ...rest } = body
    expect(rest).toEqual({
      model: 'qwen',
      stream: true,
      reasoning_effort: 'low',
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_completion_tokens: 4096,
    })
    expect(messages).toHaveLength(7)
  })

  it('of Ollama, with the window', () => {
    expect(toOllamaRequest({ ...request, reasoning: 'off' }, { keepAlive: '10m', think: true })).toEqual({
      model: 'qwen',
      stream: true,
      options: { num_predict: 4096, num_ctx: 16_384, temperature: 0.1 },
      keep_alive: '10m',
      think: false,
      tools,
      messages: [
        { role: 'system', content: 'Rules.\n\nMap.' },
        { role: 'user', content: 'Read a.ts.' },
        {
          role: 'assistant',
          content: 'I look.',
          thinking: 'hm',
          tool_calls: [
            { id: 'c1', function: { name: 'read_file', arguments: { path: 'a.ts' } } },
            { id: 'c2', function: { name: 'git_status', arguments: {} } },
          ],
        },
        { role: 'tool', tool_name: 'read_file', tool_call_id: 'c1', content: 'one' },
        { role: 'tool', tool_name: 'git_status', tool_call_id: 'c2', content: 'clean' },
        { role: 'assistant', content: 'Done.' },
        { role: 'system', content: 'The plan changed.' },
      ],
    })
  })

  it('of Ollama gives gpt-oss a level of thought, and keeps the tools where none may be called: the prompt begins with them', () => {
    const body = toOllamaRequest(
      { ...request, model: 'gpt-oss:20b', reasoning: 'high', toolChoice: 'none' },
      { keepAlive: undefined, think: true },
    )
    expect([body['think'], (body['tools'] as unknown[]).length]).toEqual(['high', request.tools.length])
  })
})
