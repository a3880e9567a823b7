// Tools that tell when they run, for tests of the call manager.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Effect } from '../../src/protocol/index.ts'
import { defineTool, ok, type Tool } from '../../src/tools/tool.ts'
import { openToolBench, type BenchOptions, type ToolBench } from './tool-bench.ts'

/** A tool that tells when it runs; `wait` in milliseconds. */
export function probe(name: string, effect: Effect, log: string[], more: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name,
      description: name,
      input: z.object({ text: z.string().default(''), wait: z.number().default(0) }),
      effect,
      title: ({ text }) => `${name} ${text}`,
      async run({ text, wait }, { signal }) {
        log.push(`+${text}`)
        await sleep(wait, undefined, { signal })
        log.push(`-${text}`)
        return ok(`${name} ${text} #${log.length}`)
      },
    }),
    ...more,
  }
}

/** A bench with one probe of each effect: `look` (repeatable), `status`, `change`, `order`. */
export async function openProbes(options: BenchOptions = {}): Promise<{ log: string[]; bench: ToolBench }> {
  const log: string[] = []
  const opened = openToolBench(options)
  await opened.registry.register(probe('look', 'read', log, { repeatable: true }))
  await opened.registry.register(probe('status', 'read', log))
  await opened.registry.register(probe('change', 'write', log))
  await opened.registry.register(probe('order', 'execute', log))
  return { log, bench: opened }
}
