// The environment of commands is a list of what is let through, not a list of what is taken out: a variable nobody here has
// heard of may be a password.

/** Variables that commands get when they are set, by name; `*` stands for any rest. `commands.env` adds to it. */
export const ALLOWED_VARIABLES: readonly string[] = [
  // Who and where, language, terminal, time.
  ...'PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TMPDIR TEMP TMP PWD HOSTNAME'.split(' '),
  ...'TERM COLORTERM TERM_PROGRAM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CI'.split(' '),
  ...'XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME'.split(' '),
  ...'NODE_ENV EDITOR VISUAL PAGER MANPATH INFOPATH SOURCE_DATE_EPOCH'.split(' '),
  // Windows finds its programs and folders by these.
  ...'SystemRoot SystemDrive windir ComSpec PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA ProgramFiles ProgramFiles(x86)'.split(
    ' ',
  ),
  ...'USERPROFILE USERNAME HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS'.split(' '),
  // Toolchains: where they lie and how they build.
  ...'NVM_DIR NVM_BIN NVM_INC FNM_DIR FNM_MULTISHELL_PATH VOLTA_HOME N_PREFIX PNPM_HOME BUN_INSTALL DENO_DIR DENO_INSTALL_ROOT COREPACK_HOME'.split(
    ' ',
  ),
  ...'NODE_PATH NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO'.split(
    ' ',
  ),
  ...'CARGO_HOME CARGO_TARGET_DIR CARGO_INCREMENTAL RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUST_BACKTRACE RUST_LOG'.split(
    ' ',
  ),
  ...'GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOTOOLCHAIN GO111MODULE GOOS GOARCH CGO_ENABLED'.split(' '),
  ...'JAVA_HOME JDK_HOME GRADLE_USER_HOME MAVEN_HOME M2_HOME ANDROID_HOME ANDROID_SDK_ROOT ANDROID_NDK_HOME KOTLIN_HOME SDKMAN_DIR'.split(
    ' ',
  ),
  ...'VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PYENV_VERSION PYTHONPATH PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONIOENCODING PIPX_HOME UV_CACHE_DIR POETRY_HOME'.split(
    ' ',
  ),
  ...'RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH DOTNET_ROOT DOTNET_CLI_TELEMETRY_OPTOUT ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR'.split(
    ' ',
  ),
  ...'NIX_PATH NIX_PROFILES NIX_SSL_CERT_FILE HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY'.split(' '),
  ...'CC CXX CPP AR LD NM CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS PKG_CONFIG_PATH CMAKE_PREFIX_PATH CMAKE_GENERATOR'.split(
    ' ',
  ),
  ...'npm_config_* NPM_CONFIG_* GIT_AUTHOR_* GIT_COMMITTER_*'.split(' '),
]

/** npm takes keys of registries from variables of its own prefix. */
const CARRIES_KEY = /^npm_config_.*(?:auth|token|password|_key|keyfile|otp|username)/i

/** Startup files that bash and sh would run before the command that was judged; `SHELLOPTS` could turn aliases on. */
const RUNS_BEFORE = /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|LD_PRELOAD|DYLD_INSERT_LIBRARIES)$/

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

/** Tells programs that an agent runs them. */
const AGENT = { AI_AGENT: 'codehound' }

export interface EnvironmentOptions {
  /** `commands.env`: further names; `*` at the end stands for any rest. */
  allow?: readonly string[]
  /** Secret values: a variable with one of these values is left out whatever its name. Empty strings are ignored. */
  secrets?: readonly string[]
  /** Somebody sits at the terminal it gets: pager, editor and prompts stay theirs. */
  attended?: boolean
  /** Added last; may bring back a name that was left out. */
  extra?: Readonly<Record<string, string>>
}

/** Returns the variables of `base` that are on the list and carry none of the secrets. */
export function allowedVariables(
  base: Readonly<Record<string, string | undefined>>,
  { allow = [], secrets = [] }: Pick<EnvironmentOptions, 'allow' | 'secrets'> = {},
): Record<string, string> {
  const named = matcher(allow)
  const values = new Set(secrets.filter((value) => value !== ''))
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || values.has(value) || RUNS_BEFORE.test(name)) continue
    if (named(name) || (isListed(name) && !CARRIES_KEY.test(name))) environment[name] = value
  }
  return environment
}

/** Returns the environment for a command: what the list lets through, and what says that nobody is there to answer. */
export function commandEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  options: EnvironmentOptions = {},
): Record<string, string> {
  return {
    ...allowedVariables(base, options),
    ...AGENT,
    ...(options.attended ? {} : UNATTENDED),
    ...options.extra,
  }
}

const isListed = matcher(ALLOWED_VARIABLES)

function matcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names)
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}
