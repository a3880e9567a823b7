/** Variables that carry the key of a model service, by the names its own client reads. */
const MODEL_KEY_NAMES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'AZURE_OPENAI_API_KEY',
  'CEREBRAS_API_KEY',
  'COHERE_API_KEY',
  'DASHSCOPE_API_KEY',
  'DEEPSEEK_API_KEY',
  'FIREWORKS_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GROQ_API_KEY',
  'HF_TOKEN',
  'LITELLM_API_KEY',
  'MISTRAL_API_KEY',
  'MOONSHOT_API_KEY',
  'NVIDIA_API_KEY',
  'OLLAMA_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'PERPLEXITY_API_KEY',
  'TOGETHER_API_KEY',
  'XAI_API_KEY',
  'ZAI_API_KEY',
]

/** Startup files that bash and sh would run before the command that was judged; `SHELLOPTS` could turn aliases on. */
const SHELL_START_FILES = ['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS']

/** Exported shell functions (`BASH_FUNC_ls%%`) would replace a program of the same name. */
const EXPORTED_FUNCTION = /^BASH_FUNC_/

/**
 * Nobody can answer a prompt, a pager or an editor: stdin is closed; nobody reads news of the package manager. Nothing here may
 * change what a program under test does: `NO_COLOR` did, so colours are taken out of the output instead.
 */
const UNATTENDED = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_EDITOR: 'true',
  npm_config_update_notifier: 'false',
}

export interface EnvironmentOptions {
  /** Names of variables to leave out, such as those that `${VAR}` in a backend's `api_key` reads. */
  withhold?: readonly string[]
  /** Secret values: a variable with one of these values is left out whatever its name. Empty strings are ignored. */
  secrets?: readonly string[]
  /** Somebody sits at the terminal it gets: pager, editor and prompts stay his. */
  attended?: boolean
  /** Added last; may bring back a name that was left out. */
  extra?: Readonly<Record<string, string>>
}

/** Returns the environment for a command: `base` without the keys the agent itself uses and without what would run before the command. */
export function commandEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const names = new Set([...MODEL_KEY_NAMES, ...SHELL_START_FILES, ...(options.withhold ?? [])])
  const values = new Set((options.secrets ?? []).filter((value) => value !== ''))
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || names.has(name) || values.has(value)) continue
    if (name.startsWith('CODEHOUND_BACKENDS__') || EXPORTED_FUNCTION.test(name)) continue
    environment[name] = value
  }
  return { ...environment, ...(options.attended ? {} : UNATTENDED), ...options.extra }
}
