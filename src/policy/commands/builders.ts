// Programs of other toolchains than Node's that build, test, lint or check with what is installed. They run code of the workspace, as
// `npm test` does, so they run without a question only in a sandbox; what fetches, installs, publishes or starts a server asks there too.
import type { Word } from './segment.ts'

type Check = (args: readonly string[]) => boolean

/** The first word that is no option is one of these. */
const subcommand =
  (allowed: RegExp): Check =>
  (args) => {
    // `cargo +nightly build` picks a toolchain.
    const own = args.find((arg) => !arg.startsWith('-') && !arg.startsWith('+'))
    return own !== undefined && allowed.test(own)
  }
const without =
  (refused: RegExp): Check =>
  (args) =>
    !args.some((arg) => refused.test(arg))
const anything: Check = () => true

/** Parts of a name, as in `test:unit` and `build-dist`. */
const PARTS = /[-_:./]/
/** What a target does that is more than a build, or does not end by itself. */
const MORE =
  /^(?:install|uninstall|publish|prepublish|deploy|release|push|upload|download|update|upgrade|bump|clean|distclean|purge|fix|format|fmt|run|serve|server|start|dev|watch|migrate|bench|fuzz|db|docker|prod)$/
const BUILDS =
  /^(?:all|build|compile|make|bootstrap|test|tests|check|checks|lint|typecheck|types|verify|validate|docs?|cov|coverage|ci|dist|spec)$/

/** A target or script whose name says that it builds, tests or checks, and nothing more. */
const building = (name: string): boolean => {
  const parts = name.split(PARTS)
  return parts.some((part) => BUILDS.test(part)) && !parts.some((part) => MORE.test(part))
}

const make: Check = (args) => {
  const targets = args.filter(
    (arg, at) => !arg.startsWith('-') && !/^[A-Z_]\w*=/.test(arg) && !/^-[CfjI]$/.test(args[at - 1] ?? ''),
  )
  return targets.every(building)
}

/** `bun run test`, `deno task test`: a script of the workspace. */
const script =
  (runner: RegExp, own: RegExp): Check =>
  ([first, second = '']) =>
    first !== undefined && (own.test(first) || (runner.test(first) && building(second)))

const PYTHON_MODULES =
  /^(?:pytest|unittest|doctest|mypy|ruff|flake8|pylint|pyright|compileall|py_compile|coverage|sqlfluff|bandit)$/

/** `python -m MODULE` for a module that tests, checks or builds. */
const python: Check = (args) => {
  const at = args.findIndex((arg) => !/^-[BEISsubqOdvW]/.test(arg) || arg.startsWith('-m'))
  return args[at] === '-m' && moduleRuns(args[at + 1] ?? '', args.slice(at + 2))
}
const moduleRuns = (name: string, args: readonly string[]): boolean =>
  PYTHON_MODULES.test(name) && (Object.hasOwn(BUILDERS, name) ? BUILDERS[name]!(args) : true)

/** By program (cargo 1.91, go 1.25, GNU make 4, pytest 9, ruff 0.14, deno 2, bun 1.3); a name that is not here asks. */
const BUILDERS: Readonly<Record<string, Check>> = {
  cargo: (args) =>
    subcommand(/^(?:build|b|check|c|test|t|clippy|doc|d|nextest|metadata|tree|verify-project)$/)(args)
      ? !args.includes('--fix')
      : subcommand(/^fmt$/)(args) && args.includes('--check'),
  go: subcommand(/^(?:build|test|vet|list|doc)$/),
  make,
  gmake: make,
  python,
  python3: python,
  pytest: anything,
  mypy: without(/^--install-types$/),
  pyright: anything,
  pylint: anything,
  flake8: anything,
  bandit: anything,
  coverage: subcommand(/^(?:run|report|xml|html|json)$/),
  ruff: (args) => args[0] === 'check' && without(/^--fix|^--unsafe-fixes$|^--add-noqa/)(args),
  black: (args) => args.includes('--check') || args.includes('--diff'),
  sqlfluff: subcommand(/^(?:lint|parse)$/),
  shellcheck: anything,
  yamllint: anything,
  actionlint: anything,
  hadolint: anything,
  'golangci-lint': (args) => args[0] === 'run' && without(/^--fix$/)(args),
  bun: script(/^run$/, /^test$/),
  deno: script(/^task$/, /^(?:test|lint|check)$/),
  javac: anything,
  gcc: anything,
  'g++': anything,
  clang: anything,
  'clang++': anything,
  rustc: anything,
  mvn: (args) => args.length > 0 && args.every((arg) => /^-|^(?:compile|test|verify|package|validate)$/.test(arg)),
  gradle: (args) => args.length > 0 && args.every((arg) => arg.startsWith('-') || building(arg.replace(/^.*:/, ''))),
  dotnet: subcommand(/^(?:build|test)$/),
}

/** True for a call that builds, tests, lints or checks with what is installed; every word of it must be known. */
export function buildsHere(name: string, words: readonly Word[]): boolean {
  const args = words.flatMap((word) => word.value ?? [])
  return args.length === words.length && Object.hasOwn(BUILDERS, name) && BUILDERS[name]!(args)
}
