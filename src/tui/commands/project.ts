// Commands about the project and the program's settings: map, config, init.
import type { SlashCommand } from '../commands.ts'

const INIT_PROMPT = `Write AGENTS.md at the root of this repository, for coding agents that work here.
Look first: read the manifest files, the README, the folder structure and the configuration of tests, linter and formatter.
If AGENTS.md exists, improve it instead of replacing it. At most 60 lines: what the project is, the commands that install,
build, test, lint and format (only those that exist), how the code is laid out, and conventions that cannot be guessed.
No advice that would hold for any project.`

export const projectCommands: readonly SlashCommand[] = [
  {
    name: 'map',
    args: '',
    help: 'the repository map as the prompt has it',
    run: async (controller) => {
      const text = await controller.bench?.map()
      controller.note(
        text ?? 'There is nothing to map: the index knows no declaration in this project.',
        text === undefined ? 'warning' : 'info',
      )
    },
  },
  {
    name: 'reindex',
    args: '',
    help: 'compare every file with the index',
    run: async (controller) => {
      const { bench } = controller
      if (!bench) return controller.note('The project is still being opened.')
      try {
        const { files, symbols, changed } = await bench.reindex(({ phase, done, total }) => {
          // Nothing moves while it is asked how much is to be read.
          if (!controller.ui.large) controller.showProgress({ label: `index: ${phase}`, done, total, bytes: false })
        })
        controller.note(`The index knows ${files} files and ${symbols} symbols; ${changed} files had changed unseen.`)
      } finally {
        controller.showProgress(undefined)
      }
    },
  },
  {
    name: 'config',
    args: '',
    help: 'the configuration that holds, and where each value is from',
    run: (controller) => controller.note(controller.bench?.configText() ?? ''),
  },
  {
    name: 'permissions',
    args: '[forget RULE|all]',
    help: 'the rules and approvals that hold; forget takes an approval back',
    run: (controller, args) => {
      const { bench } = controller
      if (!bench) return controller.note('The project is still being opened.')
      const rule = /^forget\s+(\S[^]*)$/.exec(args.trim())?.[1]?.trim()
      if (rule === undefined)
        return args.trim() === ''
          ? controller.note(bench.permissions())
          : controller.note('/permissions lists; /permissions forget RULE takes an approval back.', 'warning')
      const forgotten = bench.forgetPermission(rule === 'all' ? undefined : rule)
      if (forgotten.length > 0) return controller.note(forgotten.map((text) => `Forgotten: ${text}`).join('\n'))
      controller.note(rule === 'all' ? 'There is nothing to forget.' : `There is no approval "${rule}".`, 'warning')
    },
  },
  {
    name: 'init',
    args: '',
    help: 'have AGENTS.md written for this project',
    run: (controller) => controller.send(INIT_PROMPT),
  },
]
