// Opens a model for a session: finds its backend, its window, the form of its calls, the tools and rules it is told.
// Backends are made once and shared; which provider stands behind one is the composition root's business.
import { totalmem } from 'node:os'
import type { MessageLog } from '../agent/ports.ts'
import { ContextPrompt } from '../agent/prompt.ts'
import { CallReader } from '../agent/resolve-calls.ts'
import { systemPrompt } from '../agent/system-prompt.ts'
import type { SystemPromptFacts } from '../agent/system-prompt.ts'
import { hermesCalls } from '../agent/text-calls-form.ts'
import { backendDefaults, findBackend } from '../config/backend.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { isLoopback } from '../model/address.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { PromptCheck } from '../model/prompt-check.ts'
import { retryProfiles } from '../model/retry.ts'
import { textToolInstructions } from '../model/text-calls/instructions.ts'
import { TokenCounter } from '../model/tokens.ts'
import { ToolFormat } from '../model/tool-format.ts'
import type { FactPort } from '../model/tool-format.ts'
import { SessionWindow, chooseWindow, tierOf } from '../model/window.ts'
import type { EventBody } from '../protocol/index.ts'
import type { ToolRegistry } from '../tools/registry.ts'
import { chainedPort } from './model-port.ts'
import type { Link } from './model-port.ts'
import type { OpenModel } from './parts.ts'
import { reachModel } from './reach-model.ts'

export interface ModelSources {
  loaded: LoadedConfig
  /** Opens a backend by its name in the configuration; the same one each time. */
  backend(name: string): Promise<LanguageModel>
  registry: ToolRegistry
  facts: Omit<SystemPromptFacts, 'toolText'>
  /** Level 2: instruction files and repository map. */
  project(window: number): Promise<string | undefined>
  interactive: boolean
  /** Where the tool format of a model is remembered. */
  formatFacts: FactPort
}

export interface ModelHost {
  log: MessageLog
  emit(event: EventBody): void
}

/** User messages that are sent at most: where compaction by number is off, `session.maxHistoryMessages` still bounds them. */
function historyBound({ compression, session }: LoadedConfig['config']): number {
  const bounds = [session.maxHistoryMessages, ...(compression.autoEnabled ? [compression.maxMessages] : [])]
  return Math.min(...bounds.filter((each) => each > 0), Number.MAX_SAFE_INTEGER)
}

/** Opens `name` with its fallbacks. Throws UserError for a name that means nothing, ModelError when a server must be asked and is not there. */
export async function openModel(
  name: string,
  sources: ModelSources,
  host: ModelHost,
  signal: AbortSignal,
): Promise<OpenModel> {
  const { loaded, registry } = sources
  const { config } = loaded
  const warn = (text: string): void => host.emit({ type: 'notice', level: 'warning', text })
  const wanted = [name, ...config.fallback.filter((other) => other !== name)]
  const reached = await reachModel(wanted, sources, warn, signal)
  const { backend, modelName, settings, model, info } = reached
  const configured = settings.contextMaxTokens
  const numCtx = model.provider === 'ollama' ? settings.numCtx : undefined
  const memory = model.url !== undefined && isLoopback(model.url) ? totalmem() : undefined
  const choice = chooseWindow({ backend, provider: model.provider, configured, numCtx, info, memory })
  if (choice.warning !== undefined) warn(choice.warning)
  const session = new SessionWindow(choice)
  const { window } = choice

  const format = new ToolFormat({
    setting: settings.toolFormat ?? backendDefaults.toolFormat,
    model: reached.name,
    url: model.url,
    info,
    facts: sources.formatFacts,
  })
  const links = [reached.name, ...reached.others].map((each): Link => {
    const found = findBackend(loaded, each)
    return { name: each, model: found.model, open: () => sources.backend(found.backend) }
  })
  const [first, ...others] = links
  const port = chainedPort([first!, ...others], {
    profile: sources.interactive ? retryProfiles.interactive : retryProfiles.headless,
    emit: (event) => host.emit(event),
  })
  const request: OpenModel['request'] = {
    model: modelName,
    stream: config.display.stream,
    maxTokens: settings.maxTokens ?? backendDefaults.maxTokens,
    temperature: settings.temperature ?? backendDefaults.temperature,
    window,
    ...(settings.reasoning === undefined ? {} : { reasoning: settings.reasoning }),
  }
  const tools = [...registry.advertised(window)]
  const tier = tierOf(window)
  const rules = systemPrompt(sources.facts, tier)
  const calls = new CallReader(registry, format)
  const counter = new TokenCounter()
  const textRules = (): string =>
    systemPrompt(
      { ...sources.facts, toolText: textToolInstructions(calls.knownTools(tools.map((tool) => tool.name)), tier) },
      tier,
    )
  const prompt = new ContextPrompt({
    form: () => (format.current === 'native' ? { rules } : { rules: textRules(), textCalls: hermesCalls }),
    project: () => sources.project(window),
    tools,
    window: session,
    maxShare: Math.min(config.context.maxContextUsage, config.context.autoCompressAt),
    method: config.context.compressionMethod,
    keep: config.compression.autoKeep,
    maxUserMessages: historyBound(config),
    log: host.log,
    asker: { stream: (asked, abort) => port.stream({ ...asked, window: session.tokens }, abort), request },
    counter,
    check: new PromptCheck({ backend, provider: model.provider, window }, counter),
    emit: (event) => host.emit(event),
  })
  const toolsRefused = (): boolean => format.refused()
  const address = model.url === undefined ? undefined : new URL(model.url).host
  return {
    name: reached.name,
    port,
    get window() {
      return session.tokens
    },
    host: address,
    request,
    prompt,
    calls,
    toolsRefused,
  }
}
