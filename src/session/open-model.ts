// Opens a model for a session: finds its backend, its window, the form of its calls, the tools and rules it is told.
// Backends are made once and shared; which provider stands behind one is the composition root's business.
import { ContextPrompt } from '../agent/prompt.ts'
import type { PromptForm } from '../agent/prompt.ts'
import { CallReader } from '../agent/resolve-calls.ts'
import { StructuredReader, structuredCalls, structuredInstructions } from '../agent/structured.ts'
import { systemPrompt } from '../agent/system-prompt.ts'
import { hermesCalls } from '../agent/text-calls-form.ts'
import { backendDefaults, findBackend } from '../config/backend.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { memoryBeside } from '../model/address.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { PromptCheck } from '../model/prompt-check.ts'
import { retryProfiles } from '../model/retry.ts'
import { textToolInstructions } from '../model/text-calls/instructions.ts'
import { TokenCounter } from '../model/tokens.ts'
import { ToolFormat } from '../model/tool-format.ts'
import type { FactPort } from '../model/tool-format.ts'
import { SessionWindow, chooseWindow, tierOf } from '../model/window.ts'
import { chainedPort } from './model-port.ts'
import type { Link } from './model-port.ts'
import type { Conversation, OpenModel } from './parts.ts'
import { reachModel } from './reach-model.ts'
import { tellOnce } from './tell-once.ts'

export interface ModelSources extends Omit<Conversation, 'host'> {
  loaded: LoadedConfig
  /** Opens a backend by its name in the configuration; the same one each time. */
  backend(name: string): Promise<LanguageModel>
  interactive: boolean
  /** Where it is remembered what is known, and was told, of a model. */
  formatFacts: FactPort
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
  host: Conversation['host'],
  signal: AbortSignal,
): Promise<OpenModel> {
  const { loaded } = sources
  const { config } = loaded
  const warn = (text: string): void => host.emit({ type: 'notice', level: 'warning', text })
  const wanted = [name, ...config.fallback.filter((other) => other !== name)]
  const reached = await reachModel(wanted, sources, warn, signal)
  const { backend, modelName, settings, model, info } = reached
  const configured = settings.contextMaxTokens
  const numCtx = model.provider === 'ollama' ? settings.numCtx : undefined
  const memory = memoryBeside(model.url)
  const choice = chooseWindow({ backend, provider: model.provider, configured, numCtx, info, memory })
  tellOnce(sources.formatFacts, `window ${reached.name} ${model.url ?? ''}`, choice.warning, warn)

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
    window: choice.window,
    ...(settings.reasoning === undefined ? {} : { reasoning: settings.reasoning }),
  }
  const counter = new TokenCounter()
  // Where neither says it, the first request with an image tells.
  let images = settings.vision ?? info?.vision ?? true

  /** The model with the prompt and the tools of one conversation; a sub-agent's shares the rest with its parent. */
  const converse = (own: Conversation, session: SessionWindow): OpenModel => {
    const { window } = choice
    const tools = [...own.registry.advertised(window)]
    const tier = tierOf(window)
    const rules = systemPrompt(own.facts, tier)
    const reader = new CallReader(own.registry, format)
    const isStructured = config.loop.answerFormat === 'structured'
    const calls = isStructured ? new StructuredReader(reader) : reader
    const toldTools = () => reader.knownTools(tools.map((tool) => tool.name))
    const withTools = (toolText: string): string => systemPrompt({ ...own.facts, toolText }, tier)
    const form = (): PromptForm => {
      if (isStructured)
        return { rules: withTools(structuredInstructions(toldTools(), tier)), textCalls: structuredCalls, images }
      if (format.current === 'native') return { rules, images }
      return { rules: withTools(textToolInstructions(toldTools(), tier)), textCalls: hermesCalls, images }
    }
    const prompt = new ContextPrompt({
      form,
      project: () => own.project(window),
      tools,
      window: session,
      maxShare: Math.min(config.context.maxContextUsage, config.context.autoCompressAt),
      method: config.context.compressionMethod,
      keep: config.compression.autoKeep,
      maxUserMessages: historyBound(config),
      log: own.host.log,
      asker: { stream: (asked, abort) => port.stream({ ...asked, window: session.tokens }, abort), request },
      counter,
      check: new PromptCheck({ backend, provider: model.provider, window }, counter),
      emit: (event) => own.host.emit(event),
    })
    return {
      name: reached.name,
      port,
      get window() {
        return session.tokens
      },
      parallelTools: settings.maxParallelTools ?? backendDefaults.maxParallelTools,
      host: model.url === undefined ? undefined : new URL(model.url).host,
      request,
      prompt,
      calls,
      toolsRefused: () => !isStructured && format.refused(),
      get images() {
        return images
      },
      imagesRefused: () => {
        const taken = images
        images = false
        return taken
      },
      // Another window would make the server load the model anew, so a sub-agent has the one its parent has now.
      beside: (other) => converse(other, new SessionWindow({ window: session.tokens, most: session.tokens })),
    }
  }
  return converse({ ...sources, host }, new SessionWindow(choice))
}
