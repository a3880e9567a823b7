// Opens a model for a session: finds its backend, its window, the tools and the rules it is told. Backends are made once
// and shared; which provider stands behind one is the composition root's business.
import { totalmem } from 'node:os'
import { nativeResolver } from '../agent/resolve-calls.ts'
import { ContextPrompt } from '../agent/prompt.ts'
import type { MessageLog } from '../agent/ports.ts'
import { systemPrompt, tierOf } from '../agent/system-prompt.ts'
import type { SystemPromptFacts } from '../agent/system-prompt.ts'
import { backendDefaults, findBackend } from '../config/backend.ts'
import type { FoundBackend } from '../config/backend.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { isLoopback } from '../model/address.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { PromptCheck } from '../model/prompt-check.ts'
import { retryProfiles } from '../model/retry.ts'
import { chooseWindow } from '../model/window.ts'
import type { WindowChoice } from '../model/window.ts'
import type { EventBody } from '../protocol/index.ts'
import type { ToolRegistry } from '../tools/registry.ts'
import { checkedPort } from './checked-port.ts'
import { chainedPort } from './model-port.ts'
import type { Link } from './model-port.ts'
import type { OpenModel } from './parts.ts'

export interface ModelSources {
  loaded: LoadedConfig
  /** Opens a backend by its name in the configuration; the same one each time. */
  backend(name: string): Promise<LanguageModel>
  registry: ToolRegistry
  facts: Omit<SystemPromptFacts, 'toolText'>
  /** Level 2: instruction files and repository map. */
  project(window: number): Promise<string | undefined>
  interactive: boolean
}

/** Opens `name` with its fallbacks. Throws UserError for a name that means nothing, ModelError when a server must be asked and is not there. */
export async function openModel(
  name: string,
  sources: ModelSources,
  host: { log: MessageLog; emit(event: EventBody): void },
  signal: AbortSignal,
): Promise<OpenModel> {
  const { loaded, registry } = sources
  const { config } = loaded
  const chosen = findBackend(loaded, name)
  const { settings } = chosen
  const choice = await sessionWindow(sources, chosen, signal)
  const { window } = choice
  const warn = (text: string): void => host.emit({ type: 'notice', level: 'warning', text })
  if (choice.warning !== undefined) warn(choice.warning)
  const links = [name, ...config.fallback.filter((other) => other !== name)].map((each): Link => {
    const { backend, model } = findBackend(loaded, each)
    return { name: each, model, open: () => sources.backend(backend) }
  })
  const [first, ...others] = links
  const chain = chainedPort([first!, ...others], {
    profile: sources.interactive ? retryProfiles.interactive : retryProfiles.headless,
    emit: (event) => host.emit(event),
  })
  const server = await sources.backend(chosen.backend)
  const check = new PromptCheck({ backend: chosen.backend, provider: server.provider, window })
  const port = checkedPort(chain, check, warn)
  const request: OpenModel['request'] = {
    model: chosen.model,
    stream: config.display.stream,
    maxTokens: settings.maxTokens ?? backendDefaults.maxTokens,
    temperature: settings.temperature ?? backendDefaults.temperature,
    window,
    ...(settings.reasoning === undefined ? {} : { reasoning: settings.reasoning }),
  }
  const prompt = new ContextPrompt({
    rules: systemPrompt(sources.facts, tierOf(window)),
    project: () => sources.project(window),
    tools: [...registry.advertised(window)],
    native: true,
    window,
    maxShare: Math.min(config.context.maxContextUsage, config.context.autoCompressAt),
    method: config.context.compressionMethod,
    keep: config.compression.autoKeep,
    maxUserMessages: config.compression.autoEnabled ? config.compression.maxMessages : 0,
    log: host.log,
    asker: { stream: (asked, abort) => port.stream(asked, abort), request },
    emit: (event) => host.emit(event),
  })
  const { url } = server
  return {
    name,
    port,
    window,
    host: url === undefined ? undefined : new URL(url).host,
    request,
    prompt,
    calls: nativeResolver(registry),
  }
}

/** The server is asked only when the configuration does not say: a start must not wait for an answer nobody needs. */
async function sessionWindow(
  sources: ModelSources,
  { backend, model, settings }: FoundBackend,
  signal: AbortSignal,
): Promise<WindowChoice> {
  const server = await sources.backend(backend)
  const configured = settings.contextMaxTokens
  const numCtx = server.provider === 'ollama' ? settings.numCtx : undefined
  const info = configured === undefined && numCtx === undefined ? await server.info(model, signal) : undefined
  const memory = server.url !== undefined && isLoopback(server.url) ? totalmem() : undefined
  return chooseWindow({ backend, provider: server.provider, configured, numCtx, info, memory })
}
