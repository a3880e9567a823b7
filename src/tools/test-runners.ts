// Finds how a project runs its tests, from its files alone, and makes the command. Pure: the files come as arguments.
import { parseForeignJson } from '../lib/foreign-json.ts'

export type RunnerName =
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'playwright'
  | 'node'
  | 'ava'
  | 'bun'
  | 'deno'
  | 'pytest'
  | 'go'
  | 'cargo'
  | 'maven'
  | 'gradle'
  | 'dotnet'
  | 'rspec'
  | 'phpunit'
  | 'make'
  | 'script'

export interface TestRunner {
  name: RunnerName
  /** Runs every test. */
  command: string
}

export interface ProjectFiles {
  /** Names in the folder. */
  names: readonly string[]
  /** Text of package.json, or undefined. */
  packageJson: string | undefined
  /** Text of the Makefile, or undefined. */
  makefile: string | undefined
  /** Text of pyproject.toml, or undefined. */
  pyproject: string | undefined
}

interface Package {
  scripts?: Record<string, unknown>
  dependencies?: Record<string, unknown>
  devDependencies?: Record<string, unknown>
}

/** JavaScript runners by what names them in a script, in the order in which a script is searched. */
const IN_SCRIPT: [RunnerName, RegExp][] = [
  ['vitest', /\bvitest\b/],
  ['jest', /\bjest\b|react-scripts test/],
  ['mocha', /\bmocha\b/],
  ['ava', /\bava\b/],
  ['playwright', /\bplaywright\b/],
  ['bun', /\bbun test\b/],
  ['deno', /\bdeno test\b/],
  ['node', /\bnode\b[^&|;]*--test\b/],
]
const PACKAGES: [RunnerName, string][] = [
  ['vitest', 'vitest'],
  ['jest', 'jest'],
  ['mocha', 'mocha'],
  ['ava', 'ava'],
  ['playwright', '@playwright/test'],
]
/** What `npm init` writes; it is no test command. */
const NO_TESTS = /no test specified/

/** The runner of a project, or undefined when nothing tells. */
export function detectRunner(files: ProjectFiles): TestRunner | undefined {
  return javascriptRunner(files) ?? otherRunner(files)
}

function javascriptRunner({ names, packageJson }: ProjectFiles): TestRunner | undefined {
  const manifest = packageJson === undefined ? undefined : parsePackage(packageJson)
  if (!manifest)
    return names.some((name) => name.startsWith('deno.json')) ? { name: 'deno', command: 'deno test' } : undefined
  const script = manifest.scripts?.['test']
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  const manager = managerOf(names)
  if (typeof script === 'string' && !NO_TESTS.test(script)) {
    const named = IN_SCRIPT.find(([, pattern]) => pattern.test(script))?.[0]
    const installed = PACKAGES.find(([, name]) => name in dependencies)?.[0]
    return { name: named ?? installed ?? 'script', command: manager === 'bun' ? 'bun run test' : `${manager} test` }
  }
  const installed = PACKAGES.find(([, name]) => name in dependencies)?.[0]
  return installed === undefined ? undefined : { name: installed, command: directCommand(installed) }
}

function parsePackage(text: string): Package | undefined {
  try {
    return parseForeignJson(text) as Package
  } catch {
    return undefined
  }
}

/** The package manager whose lock file is there; npm without one. */
export function managerOf(names: readonly string[]): 'npm' | 'pnpm' | 'yarn' | 'bun' {
  if (names.includes('pnpm-lock.yaml')) return 'pnpm'
  if (names.includes('yarn.lock')) return 'yarn'
  return names.includes('bun.lock') || names.includes('bun.lockb') ? 'bun' : 'npm'
}

function otherRunner({ names, makefile, pyproject }: ProjectFiles): TestRunner | undefined {
  const has = (...wanted: string[]): boolean => wanted.some((name) => names.includes(name))
  if (has('Cargo.toml')) return { name: 'cargo', command: 'cargo test' }
  if (has('go.mod')) return { name: 'go', command: 'go test ./...' }
  const python = has('pytest.ini', 'conftest.py', 'tox.ini', 'setup.py', 'setup.cfg', 'requirements.txt')
  if (pyproject !== undefined || python) return { name: 'pytest', command: 'python3 -m pytest -q' }
  if (has('pom.xml')) return { name: 'maven', command: has('mvnw') ? './mvnw -q test' : 'mvn -q test' }
  if (has('build.gradle', 'build.gradle.kts'))
    return { name: 'gradle', command: has('gradlew') ? './gradlew test' : 'gradle test' }
  if (names.some((name) => /\.(?:sln|csproj|fsproj)$/.test(name))) return { name: 'dotnet', command: 'dotnet test' }
  if (has('.rspec')) return { name: 'rspec', command: 'bundle exec rspec' }
  if (has('phpunit.xml', 'phpunit.xml.dist')) return { name: 'phpunit', command: 'vendor/bin/phpunit' }
  if (makefile !== undefined && /^test\s*:/m.test(makefile)) return { name: 'make', command: 'make test' }
  if (names.some((name) => /^(?:test_.*|.*_test)\.py$/.test(name)))
    return { name: 'pytest', command: 'python3 -m pytest -q' }
  if (names.some((name) => /\.test\.[cm]?[jt]s$/.test(name))) return { name: 'node', command: 'node --test' }
  return undefined
}

/** The runner itself, without a script around it: what takes a path and a filter. */
function directCommand(name: RunnerName): string {
  const commands: Record<RunnerName, string> = {
    vitest: 'npx vitest run',
    jest: 'npx jest',
    mocha: 'npx mocha',
    playwright: 'npx playwright test',
    node: 'node --test',
    ava: 'npx ava',
    bun: 'bun test',
    deno: 'deno test',
    pytest: 'python3 -m pytest -q',
    go: 'go test',
    cargo: 'cargo test',
    maven: 'mvn -q test',
    gradle: 'gradle test',
    dotnet: 'dotnet test',
    rspec: 'bundle exec rspec',
    phpunit: 'vendor/bin/phpunit',
    make: 'make test',
    script: '',
  }
  return commands[name]
}

/** How each runner takes the name of a test; `make` and scripts take none. */
const FILTER_FLAG: Partial<Record<RunnerName, string>> = {
  vitest: '-t',
  jest: '-t',
  mocha: '-g',
  playwright: '-g',
  node: '--test-name-pattern',
  ava: '--match',
  bun: '-t',
  deno: '--filter',
  pytest: '-k',
  go: '-run',
  gradle: '--tests',
  dotnet: '--filter',
  rspec: '-e',
  phpunit: '--filter',
}

/** The command for one path and one test name; a string when the runner cannot take them: why, and what to do. */
export function testCommand(
  runner: TestRunner,
  { path, filter }: { path?: string | undefined; filter?: string | undefined },
): { command: string } | string {
  const { name } = runner
  if (path === undefined && filter === undefined)
    return { command: name === 'go' ? 'go test -v ./...' : runner.command }
  if (name === 'make' || name === 'script') {
    return `The tests are run by "${runner.command}", which takes neither path nor filter here. Leave them out, or use shell_exec.`
  }
  const words = name === 'node' ? nodeWords(runner) : [directCommand(name)]
  if (name === 'go') {
    words.push('-v')
    if (filter !== undefined) words.push('-run', quote(filter))
    words.push(path === undefined ? './...' : goPackage(path))
    return { command: words.join(' ') }
  }
  if (name === 'cargo') {
    if (path !== undefined) return 'cargo test takes no path: give a filter (a test or module name).'
    return { command: `cargo test ${quote(filter ?? '')}` }
  }
  if (name === 'maven') return { command: `${runner.command} -Dtest=${quote(filter ?? classOf(path ?? ''))}` }
  const flag = FILTER_FLAG[name]
  if (filter !== undefined && flag !== undefined) words.push(flag, quote(filter))
  if (path !== undefined && name !== 'gradle' && name !== 'dotnet') words.push(pathWord(path))
  return { command: words.join(' ') }
}

/** A path that begins with a dash is a path all the same. */
function pathWord(path: string): string {
  return quote(path.startsWith('-') ? `./${path}` : path)
}

/** `node --test` needs the loaders its script names. */
function nodeWords(runner: TestRunner): string[] {
  return [runner.command.startsWith('node') ? runner.command : 'node --test']
}

function goPackage(path: string): string {
  const folder = path.endsWith('.go') ? path.replace(/[^/]*$/, '') : path
  return quote(`./${folder}`.replace(/^\.\/\.\//, './').replace(/(?<=.)\/$/, '') || './')
}

function classOf(path: string): string {
  return path
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '')
}

/** One word of a POSIX shell command. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
