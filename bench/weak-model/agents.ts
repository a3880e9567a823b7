// The agents that are driven: codehound as built, and peers where they are installed (PEERS, default /tmp/peers).
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codehound, gemini, opencode, pi, qwen } from './profiles.ts'
import type { Agent } from './run-one.ts'

const WINDOW = 128_000
const peers = process.env['PEERS'] ?? '/tmp/peers'
const CLI = process.env['CODEHOUND'] ?? resolve(import.meta.dirname, '../../dist/cli.js')
const bin = (name: string): string => join(peers, name, 'node_modules/.bin', name)

export const codehoundAgent: Agent = {
  name: 'codehound',
  profile: codehound,
  command: (prompt) => [process.execPath, CLI, 'run', '--mode', 'auto', '--no-sandbox', '--timeout', '60s', prompt],
  setup: (url) => ({
    '.config/codehound/config.yaml': `backends:\n  mock: { type: openai-compatible, url: "${url}/v1", api_key: mock, context_max_tokens: ${WINDOW} }\nmodel: mock/mock\n`,
  }),
  env: () => ({}),
}

const all: Agent[] = [
  codehoundAgent,
  {
    name: 'pi',
    profile: pi,
    command: (prompt) => [bin('pi'), '-p', '--provider', 'mock', '--model', 'mock', prompt],
    setup: (url) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          mock: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: 'mock',
            models: [
              {
                id: 'mock',
                name: 'Mock',
                reasoning: false,
                input: ['text'],
                contextWindow: WINDOW,
                maxTokens: 8192,
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      }),
      '.pi/agent/settings.json': JSON.stringify({ quietStartup: true, enableInstallTelemetry: false }),
    }),
    env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
  },
  {
    name: 'opencode',
    profile: opencode,
    command: (prompt) => [bin('opencode'), 'run', '--pure', '--auto', '--title', 'bench', '-m', 'mock/mock', prompt],
    setup: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        snapshot: false,
        permission: { '*': 'allow', edit: 'allow', bash: 'allow', external_directory: 'allow', doom_loop: 'allow' },
        model: 'mock/mock',
        small_model: 'mock/mock',
        enabled_providers: ['mock'],
        agent: { title: { disable: true } },
        provider: {
          mock: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Mock',
            options: { baseURL: `${url}/v1`, apiKey: 'mock' },
            models: { mock: { name: 'Mock', tool_call: true, limit: { context: WINDOW, output: 8192 } } },
          },
        },
      }),
    }),
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_SHARE: '1',
    }),
  },
  {
    name: 'qwen',
    profile: qwen,
    command: (prompt) => [bin('qwen'), '--yolo', '--auth-type', 'openai', '-m', 'mock', '-p', prompt],
    setup: () => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        model: { name: 'mock', generationConfig: { contextWindowSize: WINDOW } },
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
      }),
    }),
    env: (url) => ({
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: 'mock',
      OPENAI_MODEL: 'mock',
      QWEN_CODE_NO_RELAUNCH: 'true',
    }),
  },
  {
    // Its wire carries arguments as objects: broken JSON reaches it as its own server would say it, MALFORMED_FUNCTION_CALL.
    name: 'gemini',
    profile: gemini,
    command: (prompt) => [bin('gemini'), '--yolo', '--skip-trust', '-m', 'gemini-2.5-flash', '-p', prompt],
    setup: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false, enableAutoUpdateNotification: false },
        ui: { hideTips: true },
      }),
    }),
    env: (url) => ({
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: 'mock',
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
  },
]

/** Agents by name; codehound always, a peer when it is installed. */
export const agents: ReadonlyMap<string, Agent> = new Map(
  all.filter((agent) => agent === codehoundAgent || existsSync(bin(agent.name))).map((agent) => [agent.name, agent]),
)
