import { z } from 'zod'
import { defineTool, ok } from '../tool.ts'

export const askUser = defineTool({
  name: 'ask_user',
  description: 'Ask the user when only they can decide.',
  input: z
    .object({
      question: z.string().min(1),
      options: z.array(z.string()).optional(),
      kind: z.enum(['choice', 'confirm', 'text']).optional(),
    })
    .refine(({ kind, options }) => kind !== 'choice' || (options?.length ?? 0) >= 2, {
      message: 'a choice needs at least 2 options',
      path: ['options'],
    }),
  effect: 'ask',
  timeoutMs: 0,
  aliases: [{ name: 'ask_followup_question' }, { name: 'ask_question' }],
  synonyms: { prompt: 'question', text: 'question', message: 'question', choices: 'options', follow_up: 'options' },
  title: ({ question }) => `ask: ${question}`,
  async run({ question, options, kind }, { ask }) {
    const choices = options && options.length > 1 ? options : undefined
    const answer = await ask({
      kind: kind ?? (choices ? 'choice' : 'text'),
      question,
      ...(choices ? { options: choices } : {}),
    })
    if (answer !== undefined) return ok(`The user answered: ${answer}`, { answer })
    return {
      status: 'cancelled',
      code: 'COMMUNICATION_CANCELLED',
      text: 'Nobody can answer in this run. Take the safest reasonable assumption, go on, and say in your answer what you assumed.',
    }
  },
})
