// Completion at the cursor: commands after `/`, paths and attachments after `@`, and with Tab paths and symbols anywhere.
import { commandNames } from './commands.ts'
import type { Controller } from './controller.ts'
import type { Menu } from './ui-state.ts'

/** Entries of a list. */
const MAX_CHOICES = 30

/** The name of a template is being typed. */
const TEMPLATE_ARGUMENT = /^\/new +\S*$/

interface Found {
  items: Menu['items']
  from: number
}

const specials = [
  { text: '@diff', note: 'uncommitted changes' },
  { text: '@todo', note: 'TODO comments' },
  { text: '@config', note: 'the configuration' },
  { text: '@symbol:', note: 'a symbol by name' },
  { text: '@note:', note: 'a note of the project by its title' },
  { text: '@template:', note: 'the form of something to be made' },
  { text: '@https://', note: 'a web page' },
]

/** The word that ends at the cursor. */
function wordAt(text: string, cursor: number): { word: string; from: number } {
  const from = Math.max(text.lastIndexOf(' ', cursor - 1), text.lastIndexOf('\n', cursor - 1)) + 1
  return { word: text.slice(from, cursor), from }
}

async function find(controller: Controller, asked: boolean): Promise<Found | undefined> {
  const { text, cursor } = controller.ui.editor
  const { word, from } = wordAt(text, cursor)
  const { bench } = controller
  if (from === 0 && word.startsWith('/')) {
    const names = commandNames(controller).filter(({ text: name }) => name.startsWith(word))
    return { items: names, from }
  }
  const templates = (lead: string): Menu['items'] =>
    (bench?.templates() ?? [])
      .map(({ name, description }) => ({ text: `${lead}${name}`, note: description }))
      .filter(({ text: name }) => name.startsWith(word))
  if (TEMPLATE_ARGUMENT.test(text.slice(0, cursor))) return { items: templates(''), from }
  if (word.startsWith('@template:')) return { items: templates('@template:'), from }
  const plain = (names: string[], lead: string, note: string): Menu['items'] =>
    names.map((name) => ({ text: `${lead}${name}`, note }))
  if (word.startsWith('@symbol:'))
    return { items: plain((await bench?.symbols(word.slice(8), MAX_CHOICES)) ?? [], '@symbol:', ''), from }
  if (word.startsWith('@')) {
    const lead = word.startsWith('@@') ? '@@' : '@'
    const fixed = word.length > 1 ? specials.filter((each) => each.text.startsWith(word)) : []
    const paths = (await bench?.paths(word.slice(lead.length), MAX_CHOICES)) ?? []
    return { items: [...fixed, ...plain(paths, lead, '')], from }
  }
  if (!asked || word === '') return undefined
  const [paths = [], symbols = []] = await Promise.all([
    bench?.paths(word, MAX_CHOICES),
    bench?.symbols(word, MAX_CHOICES),
  ])
  return { items: [...plain(symbols, '', 'symbol'), ...plain(paths, '', '')].slice(0, MAX_CHOICES), from }
}

async function show(controller: Controller, asked: boolean): Promise<void> {
  const before = controller.ui.editor
  const found = await find(controller, asked)
  // Typed on meanwhile: the newer search will answer.
  if (controller.ui.editor.text !== before.text) return
  if (!found || found.items.length === 0) {
    controller.setUi({ menu: undefined, ...(asked ? { hint: 'nothing to complete here' } : {}) })
    return controller.drawNow()
  }
  const { items, from } = found
  controller.setUi({ menu: { items, at: 0, from, to: before.cursor, passive: !asked } })
  if (asked && items.length === 1) takeChoice(controller)
  controller.drawNow()
}

/** While typing: a list after `/` and `@`, which Enter does not take unless the arrows were used. */
export async function completeAt(controller: Controller): Promise<void> {
  const { text, cursor } = controller.ui.editor
  const { word, from } = wordAt(text, cursor)
  const isArgument = TEMPLATE_ARGUMENT.test(text.slice(0, cursor))
  if (isArgument || word.startsWith('@') || (from === 0 && word.startsWith('/') && word.length >= 1))
    await show(controller, false)
}

/** Tab. */
export const openMenu = (controller: Controller): Promise<void> => show(controller, true)

/** Puts the chosen entry into the text. */
export function takeChoice(controller: Controller): void {
  const { menu, editor } = controller.ui
  const chosen = menu?.items[menu.at]
  if (!menu || !chosen) return
  const ends = /[/:]$/.test(chosen.text) ? '' : ' '
  const piece = `${chosen.text}${ends}`
  const text = editor.text.slice(0, menu.from) + piece + editor.text.slice(menu.to)
  controller.setEditor({ ...editor, text, cursor: menu.from + piece.length })
  controller.setUi({ menu: undefined })
  // Into a folder, or a command, whose entries are the next choice.
  if (ends === '' || piece === '/new ') void completeAt(controller)
}
