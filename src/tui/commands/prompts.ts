// Commands that are a prompt: review, refactor, test. Each names what to look at first.
import type { SlashCommand } from '../commands.ts'
import type { Controller } from '../controller.ts'

/** A prompt: what is wanted, and under it one paragraph without line ends, which every screen wraps by itself. */
const prompt = (wanted: string, ...how: string[]): string => `${wanted}\n\n${how.join(' ')}`

const reviewPrompt = (what: string): string =>
  prompt(
    `Review ${what === '' ? 'the uncommitted changes: @diff' : what}`,
    'Look up callers and tests of what you judge before you judge it. Report faults first, each with path:line, what goes',
    'wrong and when, and how to mend it; then what is missing in tests. No praise, no restating of the code. Change nothing.',
  )

const refactorPrompt = (what: string): string =>
  prompt(
    `Refactor ${what}`,
    'Find its definition, its references and its tests first. Say in two sentences what you will change and why; behaviour',
    'stays the same. Change one verifiable step at a time, mend every caller, and run the tests that cover it.',
  )

const testPrompt = (what: string): string =>
  prompt(
    `Write tests for ${what}`,
    'Find its definition, its callers and the tests that exist first, and follow their form and place. Cover the usual case,',
    'the edges and the faults it promises to report. Run them, and leave them passing.',
  )

const newPrompt = (name: string, what: string): string =>
  prompt(
    `New from @template:${name}${what === '' ? '' : `: ${what}`}`,
    'Look first at what the project has of the kind, and at what the content must be taken from. Keep to the form of the',
    'template, fill it from what you have seen, and leave out what does not apply. Write the file where the template says.',
    ...(what === '' ? ['What it is to be about was not said: propose it, or ask.'] : []),
  )

/** Begins something from a template; `/new` alone is a new session. */
export async function newFrom(controller: Controller, args: string): Promise<void> {
  const [, name = '', what = ''] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? []
  const { bench } = controller
  if (!bench) return controller.note('The project is still being opened.', 'warning')
  const known = bench.templates()
  if (known.some((each) => each.name === name)) return controller.send(newPrompt(name, what))
  controller.note(
    `There is no template "${name}".`,
    'warning',
    `/new takes ${known.map((each) => each.name).join(', ')}, and what is wanted; /new alone begins a session.`,
  )
}

/** A path becomes an attachment, other words stay words; a path that is not there is told before a model is asked. */
async function review(controller: Controller, args: string): Promise<void> {
  const path = (args.split(/\s/)[0] ?? '').replace(/^@+/, '').replace(/^\.\//, '')
  const rest = args.slice(args.split(/\s/)[0]?.length ?? 0)
  if (args === '') return controller.send(reviewPrompt(''))
  const isThere = /^[/~]/.test(path) || (await controller.bench?.paths(path.replace(/:\d+(?:-\d+)?$/, ''), 1))?.length
  if (isThere) return controller.send(reviewPrompt(`@${path}${rest}`))
  if (rest !== '') return controller.send(reviewPrompt(args))
  controller.note(
    `No path of this project is "${path}".`,
    'warning',
    '/review takes a file, a folder or what to look at.',
  )
}

/** A symbol, or a path, and more words; a symbol that is not there is told before a model is asked. */
function about(name: string, make: (what: string) => string) {
  return async (controller: Controller, args: string): Promise<void> => {
    if (args === '') return controller.note(`/${name} takes the name of a symbol.`, 'warning')
    const [typed = ''] = args.split(/\s/)
    const symbol = typed.replace(/^@+(?:symbol:)?|[,;:]+$/g, '').replace(/^\.\//, '')
    const rest = args.slice(typed.length)
    if (await isPath(controller, symbol)) return controller.send(make(`@${symbol}${rest}`))
    const near = await controller.bench?.nearSymbols(symbol)
    if (!near) return controller.send(make(`@symbol:${symbol}${rest}`))
    controller.note(
      `No symbol of this project is "${symbol}".${near.length === 0 ? '' : ` Nearest: ${near.join(', ')}.`}`,
      'warning',
      `/${name} takes a symbol or a path, and then what you like; words alone are sent without /${name}.`,
    )
  }
}

/** A file or a folder of the project, with or without lines. */
async function isPath({ bench }: Controller, name: string): Promise<boolean> {
  if (!/[/.]/.test(name)) return false
  const path = name.replace(/:\d+(?:-\d+)?$|\/$/, '')
  const [best] = (await bench?.paths(path, 1)) ?? []
  return best !== undefined && (best === path || best === `${path}/`)
}

export const promptCommands: readonly SlashCommand[] = [
  {
    name: 'review',
    args: '[path]',
    help: 'review a file, a folder or the uncommitted changes',
    run: review,
  },
  { name: 'refactor', args: 'symbol', help: 'refactor a symbol or a file', run: about('refactor', refactorPrompt) },
  { name: 'test', args: 'symbol', help: 'write tests for a symbol or a file', run: about('test', testPrompt) },
]
