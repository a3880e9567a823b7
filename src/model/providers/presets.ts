import type { BackendSettings } from '../settings.ts'

/** Backends known by name: settings that apply where the configuration says nothing. Data only. */
export const presets: Record<string, Partial<BackendSettings> & { model?: string }> = {
  albert: {
    type: 'openai-compatible',
    url: 'https://albert.api.etalab.gouv.fr',
    model: 'meta-llama/Llama-3.1-70B-Instruct',
    timeout: 180,
    maxTokens: 4096,
    contextMaxTokens: 120_000,
    maxParallelTools: 1,
  },
}
