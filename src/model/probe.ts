// What `codehound doctor` asks of one model: is its server there, is the window real, which form of tool calls works. A fixed
// set of questions with fixed answers; the result is data, and nothing is changed but what `ToolFormat.learn` is told by the caller.
import type { ErrorInfo } from '../protocol/index.ts'
import { ModelError } from './language-model.ts'
import type { LanguageModel, ModelInfo, ModelRequest, RequestMessage } from './language-model.ts'
import { probeTools, secretWord, toolProbes, windowProbe } from './probe-set.ts'
import { PromptCheck } from './prompt-check.ts'
import { resolveCall } from './text-calls/resolve-call.ts'
import { scanText } from './text-calls/scanner.ts'
import type { Dialect, KnownTool, Repair } from './text-calls/types.ts'
import { promptSize } from './tokens.ts'

/** More than Ollama's own window of 4,096 tokens, which is what a lost setting falls back to. */
const WINDOW_PROBE_TOKENS = 5_000
/** Of the window at the most, since the answer must fit too. */
const WINDOW_PROBE_SHARE = 0.6
const CHARS_PER_TOKEN = 3.5
const PROBE_MAX_TOKENS = 1_024

export type ProbeOutcome = 'right' | 'repaired' | 'wrong' | 'none'

export interface CallProbeResult {
  probe: string
  /** `repaired`: right after mending; `wrong`: a call, but another one; `none`: no call. */
  outcome: ProbeOutcome
  /** The call stood in the text. */
  asText: boolean
  repairs: string[]
  dialect?: Dialect
  /** The beginning of what came instead of a call. */
  said?: string
}

export interface FormatReport {
  results: CallProbeResult[]
  /** Right or repaired. */
  usable: number
  /** The server refuses tools for this model, or failed. */
  error?: ErrorInfo
}

export interface ModelProbe {
  reachable: { ok: true; ms: number; models: string[] } | { ok: false; error: ErrorInfo }
  info?: ModelInfo
  /** Sent and counted tokens of a prompt as long as the window is said to hold. */
  window?: { tokens: number; counted?: number; remembered: boolean; warning?: string; error?: ErrorInfo }
  tools?: { native: FormatReport; xml?: FormatReport; best: 'native' | 'xml'; dialect?: Dialect }
}

export interface ProbeOptions {
  model: string
  /** Tokens. */
  window: number
  /** How tools are described to a model that writes its calls as text. */
  textInstructions: (tools: readonly KnownTool[]) => string
  signal: AbortSignal
  /** One line for each step, as it begins. */
  onStep?: (step: string) => void
  now?: () => number
}

/** Probes one model. Throws only when cancelled; every other failure is part of the result. */
export async function probeModel(server: LanguageModel, options: ProbeOptions): Promise<ModelProbe> {
  const { model, signal, onStep, now = Date.now } = options
  onStep?.(`asking ${server.url ?? server.provider} for its models`)
  const started = now()
  const listed = await attempt(() => server.list(signal))
  if ('error' in listed) return { reachable: { ok: false, error: listed.error } }
  const probe: ModelProbe = { reachable: { ok: true, ms: now() - started, models: listed.value } }
  const info = await attempt(() => server.info(model, signal))
  if ('error' in info) return { ...probe, window: { tokens: options.window, remembered: false, error: info.error } }
  probe.info = info.value
  onStep?.(`checking the window of ${options.window} tokens`)
  probe.window = await probeWindow(server, options)
  onStep?.('trying tool calls in the server’s own form')
  const native = await probeFormat(server, options, 'native')
  probe.tools = { native, best: 'native' }
  const asText = native.results.filter((result) => result.asText)
  if (native.usable === toolProbes.length && asText.length === 0) return probe
  onStep?.('trying tool calls written as text')
  const xml = await probeFormat(server, options, 'xml')
  const best = xml.usable > native.usable || (asText.length > 0 && xml.usable === native.usable) ? 'xml' : 'native'
  const dialect = [...xml.results, ...native.results].find((result) => result.dialect !== undefined)?.dialect
  probe.tools = { native, xml, best, ...(best === 'xml' && dialect !== undefined ? { dialect } : {}) }
  return probe
}

async function probeWindow(server: LanguageModel, options: ProbeOptions): Promise<NonNullable<ModelProbe['window']>> {
  const { window } = options
  const tokens = Math.floor(Math.min(WINDOW_PROBE_TOKENS, window * WINDOW_PROBE_SHARE))
  const { told, asked } = windowProbe(tokens * CHARS_PER_TOKEN)
  const messages: RequestMessage[] = [
    { role: 'system', content: 'You answer in as few words as possible.' },
    { role: 'user', content: told },
    { role: 'assistant', content: 'Noted.' },
    { role: 'user', content: asked },
  ]
  const answer = await attempt(() => ask(server, options, messages, []))
  if ('error' in answer) return { tokens, remembered: false, error: answer.error }
  const { text, counted } = answer.value
  const remembered = text.toLowerCase().includes(secretWord)
  if (counted === undefined) return { tokens, remembered }
  const check = new PromptCheck({ backend: server.backend, provider: server.provider, window })
  const warning = check.observe(promptSize(messages, []), counted)
  return { tokens, counted, remembered, ...(warning === undefined ? {} : { warning }) }
}

async function probeFormat(
  server: LanguageModel,
  options: ProbeOptions,
  format: 'native' | 'xml',
): Promise<FormatReport> {
  const system =
    format === 'native' ? 'You work with tools.' : `You work with tools.\n\n${options.textInstructions(probeTools)}`
  const results: CallProbeResult[] = []
  for (const probe of toolProbes) {
    const messages: RequestMessage[] = [
      { role: 'system', content: system },
      { role: 'user', content: probe.ask },
    ]
    const tools =
      format === 'xml'
        ? []
        : probeTools.map(({ name, description = '', schema }) => ({ name, description, parameters: { ...schema } }))
    const answer = await attempt(() => ask(server, options, messages, tools))
    if ('error' in answer) return { results, usable: usableOf(results), error: answer.error }
    results.push({ probe: probe.name, ...judge(answer.value, probe) })
  }
  return { results, usable: usableOf(results) }
}

interface Answer {
  text: string
  calls: { name: string; argumentsText: string }[]
  counted: number | undefined
}

async function ask(
  server: LanguageModel,
  { model, window, signal }: ProbeOptions,
  messages: RequestMessage[],
  tools: ModelRequest['tools'],
): Promise<Answer> {
  const request = { model, messages, tools, stream: true, maxTokens: PROBE_MAX_TOKENS, temperature: 0, window }
  const answer: Answer = { text: '', calls: [], counted: undefined }
  for await (const part of server.stream(request, signal)) {
    if (part.type === 'text') answer.text += part.text
    else if (part.type === 'tool-call-start') answer.calls[part.index] = { name: part.name, argumentsText: '' }
    else if (part.type === 'tool-call-delta') answer.calls[part.index]!.argumentsText += part.arguments
    else if (part.type === 'usage') answer.counted = part.usage.inputTokens
  }
  return answer
}

function judge(answer: Answer, probe: (typeof toolProbes)[number]): Omit<CallProbeResult, 'probe'> {
  const native = answer.calls[0]
  if (native !== undefined) {
    const found = resolveCall(native, probeTools)
    if (!found.ok) return { outcome: 'wrong', asText: false, repairs: [], said: native.argumentsText.slice(0, 200) }
    return { asText: false, ...outcomeOf(found.tool, found.args, found.repairs, probe) }
  }
  const written = scanText(answer.text, { tools: probeTools }).find((part) => part.type === 'call')
  if (written === undefined) return { outcome: 'none', asText: false, repairs: [], said: answer.text.slice(0, 200) }
  const { tool, args, repairs, dialect } = written
  if (tool === undefined || args === undefined)
    return { outcome: 'wrong', asText: true, repairs: [], dialect, said: written.raw.slice(0, 200) }
  return { asText: true, dialect, ...outcomeOf(tool, args, repairs, probe) }
}

function outcomeOf(
  tool: string,
  args: Record<string, unknown>,
  repairs: Repair[],
  probe: (typeof toolProbes)[number],
): Pick<CallProbeResult, 'outcome' | 'repairs'> {
  const texts = repairs.map((repair) => repair.text)
  if (tool !== probe.tool || !probe.right(args)) return { outcome: 'wrong', repairs: texts }
  return { outcome: repairs.length > 0 ? 'repaired' : 'right', repairs: texts }
}

function usableOf(results: CallProbeResult[]): number {
  return results.filter(({ outcome }) => outcome === 'right' || outcome === 'repaired').length
}

async function attempt<T>(work: () => Promise<T>): Promise<{ value: T } | { error: ErrorInfo }> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof ModelError) || error.code === 'cancelled') throw error
    return { error: error.toInfo() }
  }
}
