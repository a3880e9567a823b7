// The user's hooks as the session and the call manager want them. Nothing is loaded when there are none.
import type { Config } from '../config/schema.ts'
import type { HookEvent, HookInput } from '../policy/hooks/hook-input.ts'
import type { HookRunner } from '../policy/hooks/run-hooks.ts'
import type { HookOutcome } from '../policy/hooks/hook-answer.ts'
import type { HookSaid, SessionHooks } from '../session/session-hooks.ts'

export interface OpenHooks extends SessionHooks {
  beforeTool(tool: string, args: Record<string, unknown>): Promise<HookSaid>
  afterTool(tool: string, args: Record<string, unknown>, result: string): Promise<HookSaid>
  /** The user is waited for; nobody waits for these hooks. */
  notify(message: string): void
}

export interface HookPlace {
  root: string
  sessionId: string
  trusted: boolean
  resumed: boolean
  env: () => Record<string, string>
  /** Takes secrets out of what the model will read, and out of the results that hooks are given. */
  hide: (text: string) => string
}

/** Returns the hooks of a session, or undefined when none is configured. */
export function openHooks(config: Config['hooks'], place: HookPlace): OpenHooks | undefined {
  if (Object.values(config).every((groups) => groups === undefined || groups.length === 0)) return undefined
  let runner: Promise<HookRunner> | undefined
  let started = false
  const run = async (event: HookEvent, input: HookInput = {}): Promise<HookOutcome> => {
    runner ??= import('../policy/hooks/run-hooks.ts').then(({ createHookRunner }) =>
      createHookRunner({ ...place, hooks: config, env: place.env() }),
    )
    return await (await runner).run(event, input)
  }
  /** A hook that wants a person asked cannot reach one from here, so that it blocks, with what it said. */
  const saidOf = ({ block, ask, stop, context, problems }: HookOutcome): HookSaid => {
    const reason = block ?? stop ?? ask
    const hidden = context.map((text) => place.hide(text))
    return { context: hidden, problems, ...(reason === undefined ? {} : { block: place.hide(reason) }) }
  }
  const untrusted = place.trusted ? [] : ['Hooks do not run until you trust this folder (codehound config trust).']
  return {
    userPrompt: async (prompt) => {
      const first = !started
      started = true
      const start = first ? await run('session-start', { source: place.resumed ? 'resume' : 'startup' }) : undefined
      const said = saidOf(await run('user-prompt', { prompt }))
      if (start === undefined) return said
      return {
        ...said,
        context: [...start.context.map((text) => place.hide(text)), ...said.context],
        problems: [...untrusted, ...start.problems, ...said.problems],
      }
    },
    beforeStop: async () => saidOf(await run('before-stop')),
    beforeTool: async (tool, args) => saidOf(await run('before-tool', { tool, args })),
    afterTool: async (tool, args, result) =>
      saidOf(await run('after-tool', { tool, args, result: place.hide(result) })),
    notify: (message) => void run('notification', { message }),
  }
}
