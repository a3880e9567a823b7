// Which options of programs that run code of the workspace bring in no other code. Anything not listed is asked about outside of a
// sandbox: a list of what is dangerous is never complete, one of what is harmless may be.
import type { Word } from './segment.ts'

/** How an option takes its value: not at all, from the next word or after `=`, or perhaps after `=`. */
type Takes = 'nothing' | 'value' | 'maybe'

export interface OptionRule {
  takes: Takes
  /** What the value may be. `text` is anything but an option, `file` a file of the workspace that is loaded as it stands. */
  value?: RegExp | 'text' | 'file'
}

export type OptionTable = ReadonlyMap<string, OptionRule>

const NUMBER = /^[\d.]+%?$/
const BOOLEAN = /^(?:true|false)$/
const NAME = /^[\w*-]+$/
/** Reporters that come with the runner; any other name is a module. */
const VITEST_REPORTER =
  /^(?:default|basic|verbose|dot|json|junit|tap|tap-flat|html|blob|github-actions|tree|hanging-process|agent|list)$/
const COVERAGE_REPORTER = /^(?:text|text-summary|html|json|json-summary|lcov|lcovonly|clover|cobertura|none|teamcity)$/
const NODE_REPORTER = /^(?:spec|tap|dot|junit|lcov)$/
const ESLINT_FORMAT =
  /^(?:stylish|json|json-with-metadata|html|compact|unix|checkstyle|junit|tap|visualstudio|jslint-xml)$/
const ENVIRONMENT = /^(?:node|jsdom|happy-dom|edge-runtime)$/

/** Reads `--a -b` (no value), `--a=` (a value of this kind), `--a?` (perhaps). */
function table(...rows: [names: string, value?: OptionRule['value']][]): OptionTable {
  const all = new Map<string, OptionRule>()
  for (const [names, value] of rows) {
    for (const name of names.split(' ')) {
      const takes: Takes = name.endsWith('=') ? 'value' : name.endsWith('?') ? 'maybe' : 'nothing'
      all.set(takes === 'nothing' ? name : name.slice(0, -1), { takes, ...(value === undefined ? {} : { value }) })
    }
  }
  return all
}

const NODE = table(
  ['-c --check --enable-source-maps --no-warnings --no-deprecation --pending-deprecation --throw-deprecation'],
  ['--trace-warnings --trace-deprecation --trace-uncaught --trace-exit --trace-sigint --expose-gc'],
  ['--experimental-strip-types --experimental-transform-types --preserve-symlinks --use-system-ca'],
  ['--test --test-only --test-force-exit --test-update-snapshots --experimental-test-coverage --watch'],
  ['--experimental-test-module-mocks --experimental-test-snapshots --watch-preserve-output --experimental-sqlite'],
  ['--test-reporter=', NODE_REPORTER],
  ['--test-reporter-destination=', 'text'],
  ['--test-name-pattern= --test-skip-pattern= --test-coverage-include= --test-coverage-exclude=', 'text'],
  ['--test-concurrency= --test-timeout= --stack-trace-limit= --max-old-space-size= --max-semi-space-size=', NUMBER],
  ['--test-coverage-lines= --test-coverage-branches= --test-coverage-functions= --stack-size=', NUMBER],
  ['--test-isolation= --unhandled-rejections= --trace-events-enabled', NAME],
  ['--test-shard=', /^\d+\/\d+$/],
  ['-C= --conditions=', NAME],
)

const TABLES: Readonly<Record<string, OptionTable>> = {
  node: NODE,
  tsx: new Map([...NODE, ...table(['--no-cache'], ['--clear-screen?', BOOLEAN], ['--tsconfig=', 'file'])]),
  vitest: table(
    ['--run -u --update --globals --no-color --color --passWithNoTests --hideSkippedTests --logHeapUsage -h --help'],
    ['--no-isolate --no-file-parallelism --allowOnly --typecheck --no-coverage --no-watch --no-threads -v --version'],
    ['-w? --watch? --coverage? --isolate? --fileParallelism? --file-parallelism? --silent? --threads?', BOOLEAN],
    ['--coverage.enabled? --coverage.all? --coverage.clean? --sequence.shuffle? --dom? --disable-console-intercept'],
    ['--changed?', /^[\w./~^@-]+$/],
    ['--bail= --retry= --maxWorkers= --minWorkers= --max-workers= --testTimeout= --hookTimeout=', NUMBER],
    ['--sequence.seed= --maxConcurrency= --slowTestThreshold= --teardownTimeout= --testTimeout=', NUMBER],
    ['--poolOptions.threads.singleThread --poolOptions.forks.singleFork --single-thread'],
    ['-t= --testNamePattern= --exclude= --dir= --coverage.include= --coverage.exclude=', 'text'],
    ['--project= --mode=', NAME],
    ['--pool=', /^(?:forks|threads|vmThreads|vmForks)$/],
    ['--environment=', ENVIRONMENT],
    ['--reporter=', VITEST_REPORTER],
    ['--coverage.reporter=', COVERAGE_REPORTER],
    ['--coverage.provider=', /^(?:v8|istanbul)$/],
    ['--coverage.reportsDirectory= --outputFile= --outputFile.json= --outputFile.junit=', 'text'],
    ['--shard=', /^\d+\/\d+$/],
    ['-c= --config= -r= --root=', 'file'],
  ),
  jest: table(
    ['-i --runInBand -b --ci --verbose --no-verbose -u --updateSnapshot --passWithNoTests -o --onlyChanged --silent'],
    ['--detectOpenHandles --forceExit --no-cache --clearCache --listTests --showConfig --json --colors --no-colors'],
    ['--logHeapUsage --runTestsByPath --findRelatedTests --expand -e --errorOnDeprecated --no-coverage --lastCommit'],
    ['--onlyFailures -f --notify --no-watchman --color --no-color -h --help --version --debug --all'],
    ['--coverage? --watch? --watchAll? --watchman? --cache?', BOOLEAN],
    ['--bail? -w= --maxWorkers= --testTimeout= --maxConcurrency= --seed=', NUMBER],
    ['-t= --testNamePattern= --testPathPattern= --testPathPatterns= --testPathIgnorePatterns= --testMatch=', 'text'],
    ['--collectCoverageFrom= --outputFile= --coverageDirectory= --changedSince= --testRegex=', 'text'],
    ['--selectProjects= --ignoreProjects=', NAME],
    ['--env= --testEnvironment=', ENVIRONMENT],
    ['--reporters=', /^(?:default|summary|github-actions)$/],
    ['--coverageReporters=', COVERAGE_REPORTER],
    ['--shard=', /^\d+\/\d+$/],
    ['-c= --config=', 'file'],
  ),
  eslint: table(
    ['--fix --fix-dry-run --cache --quiet --no-ignore --color --no-color --no-eslintrc --debug --env-info --version'],
    ['--report-unused-disable-directives --no-error-on-unmatched-pattern --no-warn-ignored --no-config-lookup -v'],
    ['--exit-on-fatal-error --no-inline-config --stdin --print-config --stats --pass-on-no-patterns -h --help'],
    ['--ext= --ignore-pattern= --rule= --global= --env= --stdin-filename= --fix-type= --cache-strategy=', 'text'],
    ['--report-unused-disable-directives-severity= --concurrency= --flag=', NAME],
    ['--max-warnings=', /^-?\d+$/],
    ['-f= --format=', ESLINT_FORMAT],
    ['-o= --output-file= --cache-location= --cache-file= --ignore-path=', 'text'],
    ['-c= --config=', 'file'],
  ),
  prettier: table(
    ['-w --write -c --check -l --list-different --no-config --no-editorconfig --single-quote --no-semi --semi -u'],
    [
      '--ignore-unknown --color --no-color --cache --use-tabs --no-bracket-spacing --bracket-same-line --jsx-single-quote',
    ],
    ['--version --help -h --support-info --file-info --no-error-on-unmatched-pattern --with-node-modules --no-cache'],
    ['--print-width= --tab-width= --range-start= --range-end=', NUMBER],
    ['--parser= --trailing-comma= --arrow-parens= --prose-wrap= --end-of-line= --log-level= --quote-props=', NAME],
    ['--cache-strategy= --config-precedence= --html-whitespace-sensitivity= --object-wrap=', NAME],
    ['--stdin-filepath= --ignore-path= --cache-location= --find-config-path=', 'text'],
    ['--config=', 'file'],
  ),
}

export interface OptionSplit {
  positionals: readonly { word: Word; at: number }[]
  /** Files that options load, as written. */
  loaded: readonly string[]
  /** The first option that is not known to be harmless. */
  odd?: Word
}

/**
 * Reads the arguments of a program with a table; undefined for a program without one. With `first` the options end at the
 * first word that is none, as those of an interpreter do.
 */
export function splitOptions(program: string, args: readonly Word[], first = false): OptionSplit | undefined {
  const options = Object.hasOwn(TABLES, program) ? TABLES[program] : undefined
  if (!options) return undefined
  const positionals: { word: Word; at: number }[] = []
  const loaded: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    const { value } = word
    if (value === undefined) {
      if (word.prefix === '' || word.prefix.startsWith('-')) return { positionals, loaded, odd: word }
      positionals.push({ word, at })
      continue
    }
    if (value === '--' && !first) {
      positionals.push(...args.slice(at + 1).map((each, offset) => ({ word: each, at: at + 1 + offset })))
      break
    }
    if (!value.startsWith('-') || value === '-' || value === '--') {
      positionals.push({ word, at })
      if (first) break
      continue
    }
    const equals = value.indexOf('=')
    const rule = options.get(equals < 0 ? value : value.slice(0, equals))
    if (!rule || word.glob || (equals >= 0 && rule.takes === 'nothing')) return { positionals, loaded, odd: word }
    if (rule.takes === 'nothing') continue
    let given: string | undefined
    if (equals >= 0) given = value.slice(equals + 1)
    else if (
      rule.takes === 'value' ||
      (args[at + 1]?.value !== undefined && matches(rule.value, args[at + 1]!.value!) && rule.value instanceof RegExp)
    ) {
      at++
      given = args[at]?.glob ? undefined : args[at]?.value
    }
    if (rule.takes === 'value' && given === undefined) return { positionals, loaded, odd: word }
    if (given === undefined) continue
    if (!matches(rule.value, given)) return { positionals, loaded, odd: word }
    if (rule.value === 'file') loaded.push(given)
  }
  return { positionals, loaded }
}

function matches(value: OptionRule['value'], given: string): boolean {
  if (value instanceof RegExp) return value.test(given)
  if (value === 'file') return !/^(?:-|\{|[\w+.-]+:)/.test(given) && given !== ''
  // What starts with a dash could be taken for an option of its own, or be passed on.
  return !given.startsWith('-')
}
