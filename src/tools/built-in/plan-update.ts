import { z } from 'zod'
import { planItemSchema } from '../../protocol/tool-call.ts'
import { defineTool, ok } from '../tool.ts'

const MARKS = { open: '[ ]', doing: '[>]', done: '[x]' } as const

export const planUpdate = defineTool({
  name: 'plan_update',
  description: 'Set the whole plan for work of several steps; shown to the user.',
  input: z.object({ items: z.array(planItemSchema) }),
  effect: 'note',
  aliases: [
    { name: 'update_plan', map: { plan: 'items' } },
    { name: 'todo_write', map: { todos: 'items' } },
    { name: 'TodoWrite', map: { todos: 'items' } },
  ],
  synonyms: { plan: 'items', todos: 'items', steps: 'items' },
  title: ({ items }) => `plan: ${items.filter(({ state }) => state === 'done').length} of ${items.length} done`,
  async run({ items }, { setPlan }) {
    setPlan(items)
    return ok(
      items.length === 0
        ? 'The plan is empty now.'
        : items.map(({ text, state }) => `${MARKS[state]} ${text}`).join('\n'),
    )
  },
})
