import type { Effect, ToolErrorCode, ToolResult } from '../protocol/index.ts'
import { threw } from './call-words.ts'
import { argumentsFault, unknownTool } from './format-error.ts'
import type { ToolEntry, ToolRegistry } from './registry.ts'
import type { BatchCall } from './batch-call.ts'
import { callKey } from './signature.ts'
import { fail, type Tool } from './tool.ts'

/** A call that can run. */
export interface ReadyCall {
  call: BatchCall
  entry: ToolEntry
  tool: Tool
  /** Arguments after the schema. */
  input: Record<string, unknown>
  /** Tool and arguments, whatever the state. */
  key: string
  title: string
  /** Lines for the end of the result. */
  notes: string[]
}

/** A call whose result is known before anything runs. */
export interface SettledCall {
  call: BatchCall
  entry?: ToolEntry
  title: string
  result: ToolResult
}

export type PreparedCall = ReadyCall | SettledCall

export const isSettled = (prepared: PreparedCall): prepared is SettledCall => 'result' in prepared

export const effectOf = (prepared: PreparedCall): Effect | undefined => prepared.entry?.effect

/** Finds the tool and checks the arguments of every call, and decides which calls of the response may not run. */
export async function prepareBatch(
  calls: readonly BatchCall[],
  registry: ToolRegistry,
  callsPerResponse: number,
): Promise<PreparedCall[]> {
  const prepared: PreparedCall[] = []
  let faulty: BatchCall | undefined
  for (const [at, call] of calls.entries()) {
    let one = await prepareSafely(call, registry)
    if (at >= callsPerResponse) {
      const text = `Only ${callsPerResponse} calls of one response are run; this was number ${at + 1}. Make it again in your next response if it is still needed.`
      one = settle(one, notRun('TOO_MANY_CALLS', text))
    } else if (isSettled(one)) {
      if (one.result.code === 'FORMAT_ERROR' || one.result.code === 'CALL_CUT_OFF') faulty ??= call
    } else if (faulty !== undefined && changesThings(one.entry.effect)) {
      const text = `Not run, because the call ${faulty.name} before it in the same response could not be read. Mend that call first, then make this one again.`
      one = settle(one, notRun('NOT_RUN', text))
    }
    prepared.push(one)
  }
  return prepared
}

async function prepareSafely(call: BatchCall, registry: ToolRegistry): Promise<PreparedCall> {
  try {
    return await prepareCall(call, registry)
  } catch (error) {
    return { call, title: call.name, result: threw(call.name, error) }
  }
}

async function prepareCall(call: BatchCall, registry: ToolRegistry): Promise<PreparedCall> {
  const found = registry.resolve(call.name, call.args)
  const title = found?.entry.name ?? call.name
  const settled = (result: ToolResult): SettledCall =>
    found ? { call, entry: found.entry, title, result } : { call, title, result }
  if (call.fault !== undefined) return settled(fail('FORMAT_ERROR', call.fault))
  if (call.repeatedId === true) return settled(repeatedId(call.id))
  if (!found) {
    return settled(
      fail(
        'FORMAT_ERROR',
        unknownTool(
          call.name,
          registry.entries().map(({ name }) => name),
        ),
      ),
    )
  }
  const { entry } = found
  if (call.cutOff === true && changesThings(entry.effect)) {
    const text = `Your answer was cut off inside this call of ${entry.name}, so it was not run. Make it again in smaller steps.`
    return settled({ status: 'not_run', code: 'CALL_CUT_OFF', text })
  }
  const tool = await registry.load(entry)
  const parsed = tool.input.safeParse(found.args)
  if (!parsed.success) return settled(fail('FORMAT_ERROR', argumentsFault(entry, found.args, parsed.error)))
  const input = parsed.data
  const notes = unknownArguments(entry, found.args)
  return { call, entry, tool, input, key: callKey(entry.name, input), title: tool.title(input), notes }
}

export function repeatedId(id: string): ToolResult {
  return fail(
    'ANTI_LOOP_ID',
    `The call id ${id} was used before, so this call was not run. Give every call an id of its own.`,
  )
}

/** Writes, commands: what must not run on half an order. */
function changesThings(effect: Effect): boolean {
  return effect === 'write' || effect === 'execute'
}

function settle(prepared: PreparedCall, result: ToolResult): SettledCall {
  const { call, entry, title } = prepared
  return entry ? { call, entry, title, result } : { call, title, result }
}

function notRun(code: ToolErrorCode, text: string): ToolResult {
  return { status: 'not_run', code, text }
}

function unknownArguments(entry: ToolEntry, args: Record<string, unknown>): string[] {
  const { properties } = entry.parameters as { properties?: Record<string, unknown> }
  if (!properties) return []
  const unknown = Object.keys(args).filter((name) => !(name in properties))
  if (unknown.length === 0) return []
  return [
    `Note: ${entry.name} has no argument ${unknown.join(', ')}; it was left out. It takes: ${Object.keys(properties).join(', ')}.`,
  ]
}
