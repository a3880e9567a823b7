// Commands about this session and the others: new, sessions, export, compress, context, status, questions, clear, quit.
import type { SlashCommand } from '../commands.ts'
import type { Controller } from '../controller.ts'
import { clockText, dayText } from '../numbers.ts'
import { twoColumns } from '../two-columns.ts'
import { newFrom } from './prompts.ts'

const MAX_SESSIONS = 50
/** Values are short. */
const STATUS_CELLS = 20

/** Opens another session on the same screen. */
export async function openSession(controller: Controller, id: string | undefined): Promise<void> {
  const { bench, client } = controller
  if (!bench) return controller.note('The project is still being opened.', 'warning')
  if (controller.running) return controller.note('Interrupt the run before you change the session.', 'warning')
  const next = await bench.open(id === undefined ? { kind: 'new' } : { kind: 'stored', id })
  await client?.close()
  controller.note(id === undefined ? 'A new session.' : `Session: ${next.session.title}`)
  controller.showHistory(next.messages())
  const { mode } = controller.view
  await controller.useClient(next)
  // What the user has set on this screen holds in whatever he opens on it.
  if (next.mode() !== mode) await controller.submit({ type: 'set-mode', mode })
}

async function sessions(controller: Controller, query: string): Promise<void> {
  const { bench, client } = controller
  if (!bench) return controller.note('The project is still being opened.')
  if (controller.running) return controller.note('Interrupt the run before you change the session.', 'warning')
  const found = bench
    .sessions({ limit: MAX_SESSIONS, ...(query === '' ? {} : { query }) })
    .filter((each) => each.messageCount > 0)
  if (found.length === 0)
    return controller.note(query === '' ? 'No session has messages yet.' : `No session matches "${query}".`)
  controller.setUi({
    picker: {
      title: 'Sessions',
      items: found.map(({ title, updatedAt, messageCount, id }) => ({
        text: title,
        note: `${dayText(updatedAt)} ${clockText(updatedAt)} · ${messageCount} messages · ${id.slice(0, 8)}${id === client?.session.id ? ' · open' : ''}`,
      })),
      at: 0,
      choose: (at) =>
        void openSession(controller, found[at]!.id).catch((thrown: unknown) => controller.showError(thrown)),
    },
  })
}

/** Goes on with the session before this one. */
function resume(controller: Controller): void | Promise<void> {
  const { bench, client } = controller
  const last = bench
    ?.sessions({ limit: 5 })
    .find(({ id, messageCount }) => id !== client?.session.id && messageCount > 0)
  return last ? openSession(controller, last.id) : controller.note('There is no earlier session of this project.')
}

/** Holds the last answer against files, index and record. */
async function evaluate(controller: Controller): Promise<void> {
  const { bench, client, lastReport } = controller
  const answer = client?.messages().findLast(({ sender, text }) => sender === 'AI' && text !== '')?.text
  if (!bench || !client || !lastReport || answer === undefined)
    return controller.note('There is no answer of this start to check yet.')
  const found = await bench.checkAnswer(client.session.id, answer, lastReport)
  if (found.length === 0)
    return controller.note('Checked: every path, symbol, quote and claim of the answer that could be looked up holds.')
  controller.note(found.join('\n'), 'warning')
}

async function compress(controller: Controller, args: string): Promise<void> {
  const [, keep, focus = ''] = /^(?:--keep[ =](\d+)(?!\S)\s*)?([\s\S]*)$/.exec(args) ?? []
  if (focus.startsWith('-'))
    return controller.note('/compress takes --keep N, with the number of exchanges that stay, and a focus.', 'warning')
  controller.note('Compressing the conversation …')
  await controller.submit({
    type: 'compress-context',
    ...(keep === undefined ? {} : { keep: Number(keep) }),
    ...(focus.trim() === '' ? {} : { focus: focus.trim() }),
  })
}

async function context(controller: Controller, args: string): Promise<void> {
  if (args === '') return controller.submit({ type: 'show-context' })
  const [, action, block] = /^(pin|unpin|drop)\s+(\S[^]*)$/.exec(args) ?? []
  if (block === undefined)
    return controller.note(
      '/context takes pin, unpin or drop and a block: its number, such as #12, or a part of its title. /context alone lists them.',
      'warning',
    )
  await controller.submit({ type: 'edit-context', action: action as 'pin' | 'unpin' | 'drop', block })
}

/** The title as it is stored now: it is taken from the first message. */
function titleOf({ bench, client }: Controller): string {
  const stored = bench?.sessions({ limit: MAX_SESSIONS }).find(({ id }) => id === client?.session.id)
  return stored?.title ?? client?.session.title ?? ''
}

async function status(controller: Controller): Promise<void> {
  const { bench, client, view } = controller
  if (!bench || !client) return controller.note('The project is still being opened.')
  const lines = await bench.status()
  const own = [
    { name: 'session', value: `${titleOf(controller)} (${client.session.id})` },
    { name: 'model', value: view.model },
    { name: 'mode', value: view.mode },
    {
      name: 'context',
      value:
        view.window === 0 ? 'nothing sent yet' : `${view.contextTokens} of ${view.window} tokens in the last request`,
    },
  ]
  const shown = [...own, ...lines].map(({ name, value }) => ({ head: name, text: value }))
  controller.note(twoColumns(shown, controller.columns, STATUS_CELLS))
}

export const sessionCommands: readonly SlashCommand[] = [
  {
    name: 'new',
    args: '[template what]',
    help: 'a new session; with a template, such as skill, have that made',
    run: (controller, args) => (args === '' ? openSession(controller, undefined) : newFrom(controller, args)),
  },
  {
    name: 'clear',
    args: '',
    help: 'a new session; the one before is kept under /sessions',
    run: (controller) => openSession(controller, undefined),
  },
  { name: 'sessions', args: '[text]', help: 'go on with another session', run: sessions },
  { name: 'resume', args: '', help: 'go on with the session before this one', run: resume },
  { name: 'eval', args: '', help: 'hold the last answer against files, index and record', run: evaluate },
  { name: 'compress', args: '[--keep N] [focus]', help: 'summarise the older part of the conversation', run: compress },
  {
    name: 'context',
    args: '[pin|unpin|drop BLOCK]',
    help: 'what is in the prompt, block by block; keeps a block whole, or leaves it out',
    run: context,
  },
  { name: 'status', args: '', help: 'store, model, servers, sandbox, statistics', run: status },
  {
    name: 'questions',
    args: '',
    help: 'what waits for an answer in the sessions of this project',
    run: (controller) => {
      const open = controller.bench?.questions() ?? []
      controller.note(open.length === 0 ? 'Nothing waits for an answer.' : open.join('\n'))
    },
  },
  {
    name: 'export',
    args: '[file]',
    help: 'write this session as Markdown',
    run: async (controller, args) => {
      const { bench, client } = controller
      if (!bench || !client) return
      const path = await bench.exportSession(client.session.id, args === '' ? undefined : args)
      controller.note(`Written: ${path}`)
    },
  },
  { name: 'quit', args: '', help: 'leave; the session is kept', run: (controller) => controller.leave(0) },
]
