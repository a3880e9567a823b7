import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseCommand as parse } from './parse-command.ts'
import type { Segment, Word } from './segment.ts'
import { unwrap } from './unwrap.ts'
import fc from '../../../test/support/property.ts'

test('a comparison outside of brackets is a word like any other, joined or not', () => {
  expect(parse('"a" == b').segments[0]!.words.map((word) => word.value)).toEqual(['a', '==', 'b'])
  expect(parse('"a" =~ b > c').problems).toEqual([])
  expect(parse('"a" ==b').segments[0]!.words.map((word) => word.value)).toEqual(['a', '==b'])
  expect(parse('"a" =="c"').segments[0]!.words.map((word) => word.value)).toEqual(['a', '==c'])
  expect(parse('"a" b== c').segments[0]!.words.map((word) => word.value)).toEqual(['a', 'b==', 'c'])
})

test.each(['ls\u0000-a', 'ls\u001b[2J', 'ls "', "ls '", 'ls $(', 'ls (', 'if', 'a <<X', '((', '{'])(
  'what cannot be parsed is a problem that may hide anything: %j',
  (command) => {
    const { problems } = parse(command)
    expect(problems.some(({ hides }) => hides)).toBe(true)
  },
)

test('a text of any length is answered', () => {
  expect(parse('').problems).toEqual([])
  expect(parse(`${'a;'.repeat(60_000)}b`).problems).toEqual([
    { reason: 'the command is longer than 100000 characters', hides: true },
  ])
})

// The comparison with bash itself: unknown commands end in a handler that writes down what it was called with, and
// each of these calls must be among the commands that were found, each file that appears among the redirections.
const folder = mkdtempSync(join(tmpdir(), 'codehound-bash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const hasBash = existsSync('/bin/bash')
mkdirSync(join(folder, 'bin'))
for (const program of ['/bin/sh', '/usr/bin/env', '/usr/bin/xargs', '/usr/bin/nohup']) {
  if (existsSync(program)) symlinkSync(program, join(folder, 'bin', program.slice(program.lastIndexOf('/') + 1)))
}
const handler = join(folder, 'handler.sh')
writeFileSync(
  handler,
  String.raw`command_not_found_handle() { local s= a; for a in "$@"; do s+="$a"$'\x01'; done; printf '%s\x02' "$s" >> "$CALLS"; return 0; }`,
)

const COMMANDS = [
  'c1',
  'c2',
  '"c1"',
  "c'2'",
  '\\c3',
  '$N',
  'A=1 c1',
  'A=$(c2) c3',
  '! c1',
  'time c1',
  '(c1)',
  '{ c2; }',
  'f() { c1; }; f',
  'env c1',
  "sh -c 'c1 z'",
  "eval 'c2 y'",
  'command c1',
  'xargs c2',
  'nohup c1',
  'coproc c1',
  'exec c1',
  '[[ -n $(c1) ]]',
  'if c1; then c2; fi',
  'for i in 1 2; do c1 $i; done',
  'until true; do c1; done',
  'case a in a) c1;; *) c2;; esac',
  'c1 <<EOF\nx $(c2)\nEOF\n',
  "c1 <<'EOF'\nx $(c2)\nEOF\n",
  'c1 <<-EOF\n\tx `c3`\n\tEOF\n',
  'c1 <<< "$(c4)"',
  'x=(a $(c1))',
]
const WORDS = [
  'a',
  '-rf',
  'x=1',
  '"q r"',
  "'s t'",
  '\\e',
  "$'\\x41'",
  '"$V"',
  '$V',
  '${V}',
  '"a\\"b"',
  "'#'",
  'a#b',
  '#c',
  '*',
  '{m,n}',
  '{',
  '}',
  '!',
  '~',
  '\\\n',
  'a\\\nb',
  '""',
  '$(c3 k)',
  '`c4 l`',
  '"$(c5 "m")"',
  '<(c2 n)',
  '$((1+2))',
  '2',
  '$',
  'a$',
  '$"z"',
  '\\',
  '[',
  '[a]',
  '=',
  'a"b"c',
  '\t',
  'é',
  '$@',
  '\\$(c3)',
  '"\\$(c3)"',
  '&',
  '|',
  ';;',
  'esac',
  'then',
  'do',
  '((',
  ']]',
  '<<',
  '{fd}',
  "~'x'",
]
const OPERATORS = [' ; ', ' && ', ' || ', ' | ', ' & ', '\n', ';', '&&', '|', '\\\n', ' ;; ']
const REDIRECTIONS = [
  '> o1',
  '>> o2',
  '2> o3',
  '&> o4',
  '>| o5',
  '< /dev/null',
  '2>&1',
  '> o6 d',
  '<<< t',
  '> "o 7"',
  '-2> o8',
  '{fd}> o9',
]

const simple = fc
  .tuple(
    fc.constantFrom(...COMMANDS),
    fc.array(fc.tuple(fc.constantFrom(' ', ' ', ' ', ''), fc.constantFrom(...WORDS, ...REDIRECTIONS)), {
      maxLength: 3,
    }),
  )
  .map(([command, words]) => command + words.map((each) => each.join('')).join(''))
const text = fc
  .array(fc.tuple(simple, fc.constantFrom(...OPERATORS)), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map((each) => each.join('')).join(''))

function matches(words: readonly Word[], call: readonly string[]): boolean {
  const [word, ...rest] = words
  if (word === undefined) return call.length === 0
  if (word.value !== undefined && !word.glob) return word.value === call[0] && matches(rest, call.slice(1))
  return call.some((_, at) => matches(rest, call.slice(at))) || matches(rest, [])
}

/** `CODEHOUND_FUZZ=5000` roams that many random texts; without it the same few are run each time. */
const roam = Number(process.env['CODEHOUND_FUZZ'] ?? 0)

let runs = 0
function runInBash(command: string): { calls: string[][]; files: string[] } {
  const place = join(folder, String(runs++))
  mkdirSync(place)
  const log = `${place}.log`
  const env = { BASH_ENV: handler, CALLS: log, PATH: join(folder, 'bin'), HOME: '/home/u', V: 'v w', N: 'c1' }
  spawnSync('/bin/bash', ['-c', command], { cwd: place, env, stdio: 'ignore', timeout: 1_500, killSignal: 'SIGKILL' })
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\u0002').slice(0, -1) : []
  return { calls: lines.map((line) => line.split('\u0001').slice(0, -1)), files: readdirSync(place) }
}

test.runIf(hasBash)(
  'what bash runs and writes is among what was found',
  () => {
    fc.assert(
      fc.property(text, (command) => {
        const { segments, problems } = unwrap(parse(command, { home: '/home/u' }), parse, { home: '/home/u' })
        fc.pre(problems.length === 0)
        const { calls, files } = runInBash(command)
        // `time` after a `|` is the program of that name, and the wrapper of that name to us.
        const missed = calls.filter(
          (call) => call[0] !== 'time' && !segments.some((segment: Segment) => matches(segment.words, call)),
        )
        const targets = segments.flatMap((segment) => segment.redirects.map((redirect) => redirect.target))
        const unseen = files.filter((file) => !targets.some((target) => target && (target.value ?? file) === file))
        expect({ command, missed, unseen }).toEqual({ command, missed: [], unseen: [] })
      }),
      roam === 0 ? { numRuns: 80, maxSkipsPerRun: 20, seed: 20_261_120 } : { numRuns: roam, maxSkipsPerRun: 20 },
    )
  },
  600_000,
)

test('constructs nested without end are answered, and do not reach the end of the stack', () => {
  const opened = [
    '$(',
    '(',
    '{ ',
    '`',
    '"$(',
    '${x:-',
    '$((',
    'x=(',
    'if a; then ',
    '<(',
    '[[ ',
    'f() { ',
    'case a in a) ',
    'a <<E\n',
    '! ',
    'time ',
  ]
  for (const open of opened) {
    const { problems } = parse(open.repeat(Math.floor(99_000 / open.length)))
    if (open !== '`') expect({ open, hides: problems.some(({ hides }) => hides) }).toEqual({ open, hides: true })
  }
})

test('long words with what may be a brace or a pattern are read in one pass', () => {
  for (const piece of ['{a,', 'a[', '\\a', '~', 'x=$x', '`a` '])
    expect(parse(`c1 ${piece.repeat(20_000)}`).segments.length).toBeGreaterThan(0)
})
