// Reads what a test runner printed: how many passed, failed and were skipped, and where the failures stand. Each form is
// the runner's own summary as of its version in 2026; what cannot be read gives no counts, and the exit code tells.
import type { RunnerName } from './test-runners.ts'

export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

type Reader = (output: string) => TestCounts | undefined

/** Sums what each pattern finds; undefined when none of them finds anything. */
function counted(passed: RegExp, failed: RegExp, skipped: RegExp): Reader {
  return (output) => {
    const sums = [passed, failed, skipped].map((pattern) => {
      const found = [...output.matchAll(pattern)].map((match) => Number(match[1]))
      return found.length === 0 ? undefined : found.reduce((a, b) => a + b, 0)
    })
    if (sums.every((sum) => sum === undefined)) return undefined
    return { passed: sums[0] ?? 0, failed: sums[1] ?? 0, skipped: sums[2] ?? 0 }
  }
}

/** Counts in one summary line, such as `Tests  1 failed | 8 passed (9)`. */
function onLine(line: RegExp): Reader {
  const counts = counted(/(\d+) passed/g, /(\d+) (?:failed|errors?)\b/g, /(\d+) (?:skipped|todo|pending|deselected)/g)
  return (output) => {
    const found = [...output.matchAll(line)].at(-1)?.[0]
    return found === undefined ? undefined : counts(found)
  }
}

const lines = (pattern: RegExp, output: string): number => [...output.matchAll(pattern)].length

/** A file that could not even be loaded counts as one failed test: its tests are in no other count. */
function withBrokenFiles(counts: Reader, broken: (output: string) => number): Reader {
  return (output) => {
    const found = counts(output)
    const files = broken(output)
    if (!found && files === 0) return undefined
    const { passed, failed, skipped } = found ?? { passed: 0, failed: 0, skipped: 0 }
    return { passed, failed: failed + files, skipped }
  }
}

const numberIn = (pattern: RegExp, output: string): number => Number(pattern.exec(output)?.[1] ?? 0)

const READERS: Partial<Record<RunnerName, Reader>> = {
  vitest: withBrokenFiles(onLine(/^\s*Tests {2}.*$/gm), (output) => numberIn(/Failed Suites (\d+)/, output)),
  // Jest repeats the failures of many files at the end.
  jest: withBrokenFiles(onLine(/^Tests:.*$/gm), (output) =>
    Math.min(lines(/● Test suite failed to run$/gm, output), numberIn(/^Test Suites: (\d+) failed/m, output)),
  ),
  mocha: counted(/^\s*(\d+) passing/gm, /^\s*(\d+) failing/gm, /^\s*(\d+) pending/gm),
  node: counted(/^(?:#|ℹ) pass (\d+)/gm, /^(?:#|ℹ) fail (\d+)/gm, /^(?:#|ℹ) skipped (\d+)/gm),
  playwright: counted(/^\s*(\d+) passed/gm, /^\s*(\d+) failed/gm, /^\s*(\d+) (?:skipped|did not run)/gm),
  ava: counted(/^\s*(\d+) tests? passed/gm, /^\s*(\d+) tests? failed/gm, /^\s*(\d+) tests? skipped/gm),
  bun: counted(/^\s*(\d+) pass$/gm, /^\s*(\d+) fail$/gm, /^\s*(\d+) skip$/gm),
  deno: onLine(/^(?:ok|FAILED) \|.*$/gm),
  pytest: onLine(/^(?:=+ )?\d+ (?:passed|failed|errors?|skipped|deselected).* in [\d.]+s.*$/gm),
  cargo: onLineSum(/^test result:.*$/gm, /(\d+) passed/g, /(\d+) failed/g, /(\d+) ignored/g),
  go: (output) => {
    const counts = {
      passed: lines(/^\s*--- PASS: /gm, output),
      failed: lines(/^\s*--- FAIL: /gm, output),
      skipped: lines(/^\s*--- SKIP: /gm, output),
    }
    return counts.passed + counts.failed + counts.skipped > 0 ? counts : undefined
  },
  maven: (output) => {
    const found = [...output.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)/g)].at(-1)
    if (!found) return undefined
    const [run, failures, errors, skipped] = found.slice(1).map(Number) as [number, number, number, number]
    return { passed: run - failures - errors - skipped, failed: failures + errors, skipped }
  },
  dotnet: counted(/Passed:\s+(\d+)/g, /Failed:\s+(\d+)/g, /Skipped:\s+(\d+)/g),
  rspec: (output) => {
    const found = /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?/m.exec(output)
    if (!found) return undefined
    const [all, failed, skipped] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)]
    return { passed: all - failed - skipped, failed, skipped }
  },
}

/** Like `onLine`, over every summary line: one for each test binary. */
function onLineSum(line: RegExp, passed: RegExp, failed: RegExp, skipped: RegExp): Reader {
  const counts = counted(passed, failed, skipped)
  return (output) => counts([...output.matchAll(line)].map((match) => match[0]).join('\n'))
}

/** The counts in a runner's output; a script or make may run any of the runners. */
export function readCounts(name: RunnerName, output: string): TestCounts | undefined {
  const own = READERS[name]?.(output)
  if (own || (name !== 'script' && name !== 'make')) return own
  for (const reader of Object.values(READERS)) {
    const counts = reader(output)
    if (counts) return counts
  }
  return undefined
}

/** Where the failures begin: their own section, or the first failed test. */
const FAILURES: Partial<Record<RunnerName, RegExp>> = {
  vitest: /^.*Failed (?:Tests|Suites) \d+.*$|^\s*FAIL /m,
  jest: /^ {2}● |^FAIL /m,
  mocha: /^\s*\d+ failing/m,
  node: /^✖ failing tests:|^not ok /m,
  playwright: /^ {2}1\) /m,
  pytest: /^=+ (?:FAILURES|ERRORS) =+/m,
  cargo: /^failures:/m,
  go: /^\s*--- FAIL: |^# |\.go:\d+:\d+: /m,
  rspec: /^Failures:/m,
  phpunit: /^There (?:was|were) \d+ (?:failure|error)/m,
  maven: /^\[ERROR\]/m,
}
const ANY_FAILURE = /^.*(?:\bFAIL(?:ED|URES?)?\b|\bnot ok\b|✖|✗|AssertionError|Error:)/m

/** A line that says of one test or file that it passed, or that it starts. */
const PASSING =
  /^\s*(?:[✓✔√] |ok \d+ |PASS |=== (?:RUN|PAUSE|CONT|NAME) |--- PASS: |test .* \.\.\. ok$|\S+::\S+ PASSED\b|\(pass\) )/

/** Passing lines that are shown when all is well; with more of them the counts say it better. */
const SHOWN_PASSING = 20

/** The output of a run without failures; long lists of passing tests are left out. */
export function passingShort(output: string): string {
  const all = output.split('\n')
  const rest = all.filter((line) => !PASSING.test(line))
  const passing = all.length - rest.length
  return passing <= SHOWN_PASSING ? output : `${rest.join('\n')}\n(without ${passing} lines of passing tests)`
}

/** The output with the failing tests first, without the lines of passing ones; as it is when nothing tells them apart. */
export function failuresFirst(name: RunnerName, output: string): string {
  const found = (FAILURES[name] ?? ANY_FAILURE).exec(output) ?? ANY_FAILURE.exec(output)
  if (!found || found.index === 0) return output
  const before = output.slice(0, found.index).trimEnd().split('\n')
  const rest = before.filter((line) => !PASSING.test(line))
  const passing = before.length - rest.length
  const left = passing === 0 ? '' : ` (without ${passing} line${passing === 1 ? '' : 's'} of passing tests)`
  return `${output.slice(found.index).trimEnd()}\n--- output before the failures${left} ---\n${rest.join('\n')}`
}
