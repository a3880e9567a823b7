// Opens a model for a session: finds its backend, its window, the tools and the rules it is told. Backends are made once
// and shared; which provider stands behind one is the composition root's business.
import { nativeResolver } from '../agent/resolve-calls.ts'
import { ContextPrompt } from '../agent/prompt.ts'
import type { MessageLog } from '../agent/ports.ts'
import { systemPrompt, tierOf } from '../agent/system-prompt.ts'
import type { SystemPromptFacts } from '../agent/system-prompt.ts'
import { backendDefaults, findBackend } from '../config/backend.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { retryProfiles } from '../model/retry.ts'
import type { EventBody } from '../protocol/index.ts'
import type { ToolRegistry } from '../tools/registry.ts'
import { chainedPort } from './model-port.ts'
import type { Link } from './model-port.ts'
import type { OpenModel } from './parts.ts'

/** Used when neither the configuration nor the server knows the window (models.md). Tokens. */
const UNKNOWN_WINDOW = 8192

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
  const window = settings.contextMaxTokens ?? settings.numCtx ?? (await reportedWindow(sources, chosen, signal))
  const links = [name, ...config.fallback.filter((other) => other !== name)].map((each): Link => {
    const { backend, model } = findBackend(loaded, each)
    return { name: each, model, open: () => sources.backend(backend) }
  })
  const [first, ...others] = links
  const port = chainedPort([first!, ...others], {
    profile: sources.interactive ? retryProfiles.interactive : retryProfiles.headless,
    emit: (event) => host.emit(event),
  })
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
  const url = (await sources.backend(chosen.backend)).url
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

async function reportedWindow(
  sources: ModelSources,
  chosen: { backend: string; model: string },
  signal: AbortSignal,
): Promise<number> {
  const model = await sources.backend(chosen.backend)
  const info = await model.info(chosen.model, signal)
  return info.window ?? UNKNOWN_WINDOW
}
