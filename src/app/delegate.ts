// Sub-agents of a session: a conversation beside the parent's, with tools that only read, on the same model.
import type { ToolResult } from '../protocol/index.ts'
import type { CallHost, Conversation, OpenModel } from '../session/parts.ts'
import type { Instructions } from '../session/instructions.ts'
import type { ProjectMap } from '../session/project-map.ts'
import { ScratchLog } from '../session/scratch-log.ts'
import { runSubAgent, TASK_TURNS } from '../session/sub-agent.ts'
import { createToolRegistry } from '../tools/registry.ts'
import type { RegistryOptions, ToolRegistry } from '../tools/registry.ts'
import type { ToolRunner, ToolRunnerOptions } from '../tools/run-tool.ts'

/** What differs between the call manager of the session and that of a sub-agent. */
export interface OwnRunner {
  host: Pick<CallHost, 'approve' | 'ask' | 'chooseInConflict' | 'setPlan' | 'onWaiting' | 'onResult'>
  model: () => OpenModel | undefined
  registry: ToolRegistry
  instructions: Instructions
  /** Given with a result when it was late; only the session's own. */
  map?: ProjectMap
  emit: ToolRunnerOptions['emit']
  delegate?: NonNullable<ToolRunnerOptions['delegate']>
}

interface DelegateParts {
  host: CallHost
  model: () => OpenModel | undefined
  sessionId: string
  profile: NonNullable<RegistryOptions['profile']>
  disabled: readonly string[]
  facts: Conversation['facts']
  /** `limits.totalTurns` of the run; a sub-agent has no more. */
  turns: number
  newInstructions: () => Instructions
  runnerOf(own: OwnRunner): ToolRunner
  newId: () => string
}

/** The tools a sub-agent does not have: whatever does more than read, and sub-agents of its own. */
function readOnlyRegistry({ profile, disabled }: Pick<DelegateParts, 'profile' | 'disabled'>): ToolRegistry {
  const others = createToolRegistry({ profile: 'all' })
    .entries()
    .filter(({ name, effect }) => effect !== 'read' || name === 'task')
    .map(({ name }) => name)
  return createToolRegistry({ profile, index: true, disabled: [...disabled, ...others] })
}

/** Runs sub-agents for calls of `task`. What one does is shown as output of its call. */
export function delegateOf(parts: DelegateParts): NonNullable<ToolRunnerOptions['delegate']> {
  const { host, sessionId, newId } = parts
  return async (prompt, callId, signal): Promise<ToolResult> => {
    const parent = parts.model()
    if (!parent) return { status: 'failed', code: 'TOOL_ERROR', text: 'No model is open for a sub-agent.' }
    const registry = readOnlyRegistry(parts)
    const log = new ScratchLog(sessionId, Date.now)
    const instructions = parts.newInstructions()
    const turns = parts.turns === 0 ? TASK_TURNS : Math.min(parts.turns, TASK_TURNS)
    const show: CallHost['emit'] = (event) => {
      if (event.type === 'tool-call')
        host.emit({
          type: 'tool-output-delta',
          callId,
          stream: 'stdout',
          text: `▸ ${event.title}\n`,
        })
      else if (event.type === 'notice' || event.type === 'error') host.emit(event)
    }
    const model = parent.beside({
      host: { log, emit: show },
      registry,
      facts: { ...parts.facts, mode: 'sub-agent', totalTurns: turns },
      project: (window) => instructions.forPrompt(window),
    })
    const runner = parts.runnerOf({
      model: () => model,
      registry,
      instructions,
      // Its loop hears of its calls from its own log; nothing of it is stored.
      emit: show,
      host: {
        approve: () => Promise.resolve({ answer: 'unavailable' }),
        ask: () => Promise.resolve(undefined),
        chooseInConflict: () => Promise.resolve(undefined),
        setPlan: () => {},
        onWaiting: () => {},
        onResult: (call, result, { batchId, tool, reads }) =>
          void log.append({
            sender: 'SYSTEM',
            text: '',
            system: {
              type: reads ? 'DATA_ADDED' : 'ACTIONS_EXECUTED',
              batchId,
              callId: call.id,
              toolName: tool,
              result,
            },
          }),
      },
    })
    return await runSubAgent(
      prompt,
      { model, runner, log, turns, emit: show, now: () => performance.now(), newId },
      signal,
    )
  }
}
