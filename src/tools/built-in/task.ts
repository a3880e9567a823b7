import { z } from 'zod'
import { defineTool, fail } from '../tool.ts'

const SHOWN_CHARACTERS = 80

export const task = defineTool({
  name: 'task',
  description:
    'Give a question about the code to a sub-agent that only reads and has a window of its own; only its answer comes back. For searches through many files.',
  input: z.object({ prompt: z.string().min(1) }),
  effect: 'read',
  // Its turns bound it, and the run around it; a slow local model must not be cut off by a clock.
  timeoutMs: 0,
  rest: 'Ask for a shorter answer',
  aliases: [{ name: 'Task' }, { name: 'sub_agent' }, { name: 'subagent' }, { name: 'new_task' }, { name: 'delegate' }],
  synonyms: { question: 'prompt', message: 'prompt', query: 'prompt', task: 'prompt', instructions: 'prompt' },
  title: ({ prompt }) => `task: ${prompt.split('\n')[0]!.slice(0, SHOWN_CHARACTERS)}`,
  async run({ prompt }, { delegate }) {
    if (!delegate) return fail('TOOL_ERROR', 'There are no sub-agents here. Look yourself with the other tools.')
    return await delegate(prompt)
  },
})
