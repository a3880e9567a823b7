// Finds what a first start could use: model servers on the usual ports of this machine, and keys of hosted ones in the
// environment. It asks only loopback, waits 300 ms at the most, starts nothing and reads no key.
import { createModel } from './create-model.ts'
import type { BackendSettings } from './settings.ts'

const DISCOVER_TIMEOUT_MS = 300

export interface LocalServer {
  /** Name a backend could have. */
  name: string
  /** Shown to people. */
  title: string
  type: 'ollama' | 'openai-compatible'
  url: string
}

/** Where servers listen when nobody has told them otherwise. */
export const usualServers: readonly LocalServer[] = [
  { name: 'ollama', title: 'Ollama', type: 'ollama', url: 'http://127.0.0.1:11434' },
  { name: 'lmstudio', title: 'LM Studio', type: 'openai-compatible', url: 'http://127.0.0.1:1234/v1' },
  { name: 'llamacpp', title: 'llama.cpp server', type: 'openai-compatible', url: 'http://127.0.0.1:8080/v1' },
  { name: 'vllm', title: 'vLLM', type: 'openai-compatible', url: 'http://127.0.0.1:8000/v1' },
]

export interface FoundServer extends LocalServer {
  /** Sorted by name; empty when the server runs and has none. */
  models: string[]
}

/** Asks all servers at once; those that do not answer as a model server in time are left out. In the order given. */
export async function discoverServers(
  servers: readonly LocalServer[] = usualServers,
  timeoutMs = DISCOVER_TIMEOUT_MS,
): Promise<FoundServer[]> {
  const asked = servers.map(async (server): Promise<FoundServer | undefined> => {
    const model = await createModel(server.name, { type: server.type, url: server.url })
    try {
      return { ...server, models: await model.list(AbortSignal.timeout(timeoutMs)) }
    } catch {
      return undefined
    } finally {
      await model.close()
    }
  })
  return (await Promise.all(asked)).filter((found) => found !== undefined)
}

/** Where the user has put Ollama, as its own client reads it; undefined when the variable is not set or means nothing. */
export function ollamaFromEnvironment(env: NodeJS.ProcessEnv): LocalServer | undefined {
  const value = env['OLLAMA_HOST']?.trim()
  if (value === undefined || value === '') return undefined
  const url = URL.parse(/^https?:\/\//.test(value) ? value : `http://${value}`)
  if (url === null) return undefined
  // A server told to listen everywhere is reached here; a name without a port has Ollama's.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.port === '' && !/:(80|443)(\/|$)/.test(value) && url.protocol === 'http:') url.port = '11434'
  return { name: 'ollama', title: 'Ollama', type: 'ollama', url: url.origin }
}

export interface FoundKey {
  /** Name of the environment variable. */
  variable: string
  name: string
  title: string
  /** The backend as configuration; its key stays a reference to the variable. */
  settings: Pick<BackendSettings, 'type' | 'url' | 'apiKey'>
}

const openai = (title: string, name: string, variable: string, url: string): FoundKey => ({
  variable,
  name,
  title,
  settings: { type: 'openai-compatible', url, apiKey: `\${${variable}}` },
})

const knownKeys: readonly FoundKey[] = [
  {
    variable: 'ANTHROPIC_API_KEY',
    name: 'anthropic',
    title: 'Anthropic',
    settings: { type: 'anthropic', apiKey: '${ANTHROPIC_API_KEY}' },
  },
  openai('OpenAI', 'openai', 'OPENAI_API_KEY', 'https://api.openai.com/v1'),
  openai('OpenRouter', 'openrouter', 'OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'),
  openai('Groq', 'groq', 'GROQ_API_KEY', 'https://api.groq.com/openai/v1'),
  openai('DeepSeek', 'deepseek', 'DEEPSEEK_API_KEY', 'https://api.deepseek.com/v1'),
  openai('Mistral', 'mistral', 'MISTRAL_API_KEY', 'https://api.mistral.ai/v1'),
  openai('Google Gemini', 'gemini', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta/openai'),
  openai('xAI', 'xai', 'XAI_API_KEY', 'https://api.x.ai/v1'),
  {
    variable: 'ALBERT_API_KEY',
    name: 'albert',
    title: 'Albert',
    settings: { type: 'albert', apiKey: '${ALBERT_API_KEY}' },
  },
]

/** Keys of hosted servers that are set, in a fixed order. Values are not looked at beyond being there. */
export function discoverKeys(env: NodeJS.ProcessEnv): FoundKey[] {
  return knownKeys.filter(({ variable }) => (env[variable] ?? '').trim() !== '')
}
