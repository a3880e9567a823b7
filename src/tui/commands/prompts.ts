// Commands that are a prompt: review, refactor, test. Each names what to look at first.
import type { SlashCommand } from '../commands.ts'
import type { Controller } from '../controller.ts'

const reviewPrompt = (what: string): string => `Review ${what === '' ? 'the uncommitted changes: @diff' : what}

Look up callers and tests of what you judge before you judge it. Report faults first, each with path:line, what goes wrong
and when, and how to mend it; then what is missing in tests. No praise, no restating of the code. Change nothing.`

const refactorPrompt = (symbol: string): string => `Refactor @symbol:${symbol}

Find its definition, its references and its tests first. Say in two sentences what you will change and why; behaviour stays
the same. Change one verifiable step at a time, mend every caller, and run the tests that cover it.`

const testPrompt = (symbol: string): string => `Write tests for @symbol:${symbol}

Find its definition, its callers and the tests that exist first, and follow their form and place. Cover the usual case, the
edges and the faults it promises to report. Run them, and leave them passing.`

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

function needs(name: string, prompt: (args: string) => string) {
  return (controller: Controller, args: string): void | Promise<void> =>
    args === '' ? controller.note(`/${name} takes the name of a symbol.`, 'warning') : controller.send(prompt(args))
}

export const promptCommands: readonly SlashCommand[] = [
  {
    name: 'review',
    args: '[path]',
    help: 'review a file, a folder or the uncommitted changes',
    run: review,
  },
  { name: 'refactor', args: 'symbol', help: 'refactor a symbol', run: needs('refactor', refactorPrompt) },
  { name: 'test', args: 'symbol', help: 'write tests for a symbol', run: needs('test', testPrompt) },
]
