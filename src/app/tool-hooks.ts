// What happens around each call of a conversation: the user's hooks, instruction files of the folders it touches, the map that came
// late, and the record of its result.
import type { ToolRunnerHooks } from '../tools/run-tool.ts'
import type { OwnRunner } from './delegate.ts'
import type { openHooks } from './hooks.ts'

type Hooks = Pick<NonNullable<ReturnType<typeof openHooks>>, 'notify' | 'beforeTool' | 'afterTool'> | undefined

/** `own`: whose calls they are, the session's or a sub-agent's. */
export function toolHooks(
  hooks: Hooks,
  { host, map, instructions, emit }: Pick<OwnRunner, 'host' | 'map' | 'instructions' | 'emit'>,
): ToolRunnerHooks {
  const warn = (problems: readonly string[] = []): void => {
    for (const text of problems) emit({ type: 'notice', level: 'warning', text })
  }
  return {
    onWaiting: (call, kind, about) => {
      hooks?.notify(`${about.title}: waiting for your ${kind === 'approval' ? 'approval' : 'answer'}`)
      return host.onWaiting(call, kind, about.batchId, about.tool)
    },
    beforeTool: async (call, about) => {
      map?.busy()
      const said = await hooks?.beforeTool(about.tool, call.args)
      warn(said?.problems)
      return said?.block
    },
    afterTool: async (call, result, about) => {
      const said = await hooks?.afterTool(about.tool, call.args, result.text)
      warn(said?.problems)
      map?.waiting()
      const path = call.args['path']
      const found = await Promise.all([
        typeof path === 'string' ? instructions.forPaths([path]) : undefined,
        map?.forResult(),
      ])
      const text = [said?.block, ...(said?.context ?? []), ...found].filter((part) => part !== undefined).join('\n\n')
      return text === '' ? undefined : text
    },
    onResult: (call, result, about) =>
      host.onResult(call, result, {
        batchId: about.batchId,
        tool: about.tool,
        reads: about.effect === 'read' || about.effect === 'network',
      }),
  }
}
