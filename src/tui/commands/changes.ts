// Commands about changes of files: undo, redo, changes, rewind, auto-apply, mode.
import type { Message, Mode } from '../../protocol/index.ts'
import type { SlashCommand } from '../commands.ts'
import type { Controller } from '../controller.ts'
import { setText } from '../editor.ts'
import { clockText } from '../numbers.ts'

const SHOWN_CHANGES = 20

const modes: Mode[] = ['plan', 'ask', 'auto-edit', 'auto']

function count(args: string): number | undefined {
  if (args === '') return 1
  return /^[1-9]\d{0,4}$/.test(args) ? Number(args) : undefined
}

async function undo(controller: Controller, args: string): Promise<void> {
  const wanted = count(args)
  if (wanted === undefined) return controller.note(`/undo takes a number of changes, not "${args}".`, 'warning')
  const { undoStackSize } = controller.settings
  if (wanted <= undoStackSize) return controller.submit({ type: 'undo-changes', count: wanted })
  controller.setUi({
    picker: {
      title: `Undo ${wanted} changes? More than ${undoStackSize} are asked about (undo.stackSize).`,
      items: [
        { text: 'no', note: '' },
        { text: 'yes', note: '' },
      ],
      at: 0,
      choose: (at) => {
        if (at === 1) void controller.submit({ type: 'undo-changes', count: wanted }).then(() => controller.drawNow())
      },
    },
  })
}

async function redo(controller: Controller, args: string): Promise<void> {
  const wanted = count(args)
  if (wanted === undefined) return controller.note(`/redo takes a number of changes, not "${args}".`, 'warning')
  return controller.submit({ type: 'redo-changes', count: wanted })
}

function changes(controller: Controller): void {
  const lines = (controller.bench?.changes(SHOWN_CHANGES) ?? []).map(({ time, description, paths, undone }) => {
    return `${clockText(time)}  ${undone ? '(undone) ' : ''}${description}${paths.length > 1 ? `  ${paths.join(', ')}` : ''}`
  })
  controller.note(lines.length === 0 ? 'No changes have been recorded here.' : lines.join('\n'))
}

/** A list of the user's messages; files and conversation go back to before the chosen one. */
function rewind(controller: Controller): void {
  if (controller.running) return controller.note('Interrupt the run before you rewind.', 'warning')
  const mine = (controller.client?.messages() ?? []).filter((message) => message.sender === 'USER').toReversed()
  if (mine.length === 0) return controller.note('There is no message to go back to.')
  controller.setUi({
    picker: {
      title: 'Back to before which message? Files go back as well.',
      items: mine.map(({ text, time }) => ({
        text: text.split('\n')[0] ?? '',
        note: clockText(time),
      })),
      at: 0,
      choose: (at) => void goBack(controller, mine[at]!),
    },
  })
}

/** The message that is taken back stands at the prompt again, to be said in another way. */
async function goBack(controller: Controller, { seq, text }: Message): Promise<void> {
  await controller.submit({ type: 'rewind-session', seq })
  const gone = !controller.client?.messages().some((message) => message.seq === seq)
  if (gone && controller.ui.editor.text === '') controller.setEditor(setText(controller.ui.editor, text))
  controller.drawNow()
}

async function setMode(controller: Controller, args: string): Promise<void> {
  const mode = modes.find((each) => each === args.toLowerCase())
  if (mode) return controller.submit({ type: 'set-mode', mode })
  if (args !== '') return controller.note(`"${args}" is no mode. Modes: ${modes.join(', ')}.`, 'warning')
  const notes = [
    'reads only',
    'asks before edits and commands',
    'edits apply, commands ask',
    'asks nothing; needs the sandbox',
  ]
  controller.setUi({
    picker: {
      title: 'Mode',
      items: modes.map((text, i) => ({ text, note: notes[i]! })),
      at: Math.max(0, modes.indexOf(controller.view.mode)),
      choose: (at) => void controller.submit({ type: 'set-mode', mode: modes[at]! }).then(() => controller.drawNow()),
    },
  })
}

export const changeCommands: readonly SlashCommand[] = [
  { name: 'undo', args: '[N]', help: 'take back the last changes of files', run: undo },
  { name: 'redo', args: '[N]', help: 'make them again', run: redo },
  { name: 'changes', args: '', help: 'what was changed', run: changes },
  { name: 'rewind', args: '', help: 'files and conversation back to before a message', run: rewind },
  { name: 'mode', args: '[plan|ask|auto-edit|auto]', help: 'what may be done unasked (Shift+Tab)', run: setMode },
  {
    name: 'auto-apply',
    args: 'on|off',
    help: 'apply edits unasked',
    run: (controller, args) => {
      if (args !== 'on' && args !== 'off') return controller.note('/auto-apply takes on or off.', 'warning')
      return controller.submit({ type: 'set-mode', mode: args === 'on' ? 'auto-edit' : 'ask' })
    },
  },
]
