import type { RepairKind, ScannerOptions, Verdict } from '../../../src/model/text-calls/types.ts'
import { faults, type Draft, type Fault } from './faults.ts'
import { forms, type Form, type MeantCall } from './forms.ts'
import { positions, type Position } from './positions.ts'
import { tools } from './tools.ts'
import { STRICT } from './write-json.ts'

/** A call that must come out. `repairs` are kinds that must be named; others may be (a missing tag, say). */
export interface ExpectedCall {
  verdict: Verdict
  tool: string
  args: Record<string, unknown>
  repairs: RepairKind[]
  truncated: boolean
}

/** A raw model output, what the session knows, and the calls that must come out of it. */
export interface Case {
  id: string
  text: string
  session: Pick<ScannerOptions, 'dialect' | 'madeNativeCalls'>
  calls: ExpectedCall[]
}

const call = (name: string, args: Record<string, unknown>): MeantCall => ({ name, args })

/** What is called. Texts have what trips a parser: quotes, angle brackets, braces, line breaks, backslashes. */
const meant: readonly MeantCall[] = [
  call('read_file', { path: 'src/app.ts' }),
  call('read_file', { path: 'src/app.ts', start_line: 10, end_line: 40 }),
  call('search_text', { query: 'TODO|FIXME', regex: true }),
  call('shell_exec', { command: 'npm test -- --run 2>&1' }),
  call('edit_file', {
    path: 'src/a.ts',
    old_text: 'const a = 1\nlet b',
    new_text: 'const a: Box<"x"> = { y: [1] }\nlet b',
  }),
  call('write_file', { path: 'docs/x.md', content: '# Title\n\n- a <b> & "c"\n- \\d+ {x}' }),
  call('git_status', {}),
  call('git_commit', { message: "fix: it's done", files: ['src/a.ts'] }),
  call('plan_update', {
    items: [
      { text: 'Find it', state: 'done' },
      { text: 'Mend it', state: 'doing' },
    ],
  }),
  call('list_files', { path: '.', recursive: false }),
]

const effectOf = (name: string): string => tools.find((tool) => tool.name === name)!.effect

/** Writes the calls in a form with faults at a position, and works out what must come of it. */
function makeCase(form: Form, calls: readonly MeantCall[], made: readonly Fault[], position: Position): Case {
  const draft: Draft = {
    form,
    written: [...calls],
    style: STRICT,
    markup: [],
    repairs: new Set(),
    closed: form.close !== undefined,
    short: false,
  }
  for (const fault of made) fault.make(draft)
  const text = draft.markup.reduce((before, change) => change(before), form.write(draft.written, draft.style))
  const ended = draft.closed || made.some((fault) => fault.id === 'end-of-turn-token') || !endsMessage(position)
  const truncated = draft.short && !ended
  const expected = calls.map((each, at): ExpectedCall => {
    const last = at === calls.length - 1 && truncated
    const changes = !['read', 'ask'].includes(effectOf(each.name))
    const worth: Verdict = last && changes ? 'cut' : 'call'
    const asked = position.verdict === 'doubt' || (position.verdict === 'effect' && (changes || !form.strong))
    return {
      verdict: asked ? 'doubt' : worth,
      tool: each.name,
      args: typeof each.args === 'string' ? {} : each.args,
      repairs: [...draft.repairs],
      truncated: last,
    }
  })
  return {
    id: [form.id, calls.map((each) => each.name).join('+'), ...made.map((fault) => fault.id), position.id].join(' / '),
    text: position.place(text),
    session: position.session(form),
    calls: position.verdict === 'text' ? [] : expected,
  }
}

const endsMessage = (position: Position): boolean => position.place('x').trimEnd().endsWith('x')

const alone = positions[0]!
const tail = positions.find((position) => position.id === 'ends-the-message')!

/** Faults that undo each other, or together leave no text a person could read. */
const CLASH: readonly (readonly [string, string])[] = [
  ['trailing-commas', 'closer-missing'],
  ['end-tag-missing', 'closer-too-many'],
  ['name-camel', 'name-dash'],
]
const clashes = (made: readonly Fault[]): boolean =>
  CLASH.some(([left, right]) => [left, right].every((id) => made.some((fault) => fault.id === id)))

/** The first calls, from `turn` on, that a fault can be made on. */
function callsFor(form: Form, made: readonly Fault[], turn: number): MeantCall[] | undefined {
  for (let at = 0; at < meant.length; at++) {
    const calls = [meant[(turn + at) % meant.length]!]
    if (made.every((fault) => fault.fits(form, calls))) return calls
  }
  return undefined
}

function build(): Case[] {
  const cases: Case[] = []
  let turn = 0
  const add = (form: Form, made: readonly Fault[], position: Position): void => {
    const calls = clashes(made) ? undefined : callsFor(form, made, turn++)
    if (calls) cases.push(makeCase(form, calls, made, position))
  }
  const of = (kind: Fault['kind']): Fault[] => faults.filter((fault) => fault.kind === kind)
  for (const form of forms) {
    for (const position of positions) if (position.fits(form)) add(form, [], position)
    for (const each of meant) cases.push(makeCase(form, [each], [], alone))
    if (form.many) {
      for (const position of [alone, tail]) {
        const pair = [meant[turn++ % meant.length]!, meant[turn++ % meant.length]!]
        cases.push(makeCase(form, pair, [], position))
      }
      cases.push(makeCase(form, [meant[0]!, meant[6]!, meant[3]!], [], alone))
    }
    for (const fault of faults) add(form, [fault], fault.id === 'space-around' || turn % 2 ? alone : tail)
    // Two and three faults: each of one kind with one of the others, in turn.
    for (const [at, json] of of('json').entries()) {
      const byCall = of('call')[(at + turn) % of('call').length]!
      const markup = of('markup')[(at + turn) % of('markup').length]!
      add(form, [byCall, json], turn % 3 ? alone : tail)
      add(form, [json, markup], turn % 3 ? alone : tail)
      add(form, [byCall, json, markup], alone)
    }
  }
  return cases
}

/** Every form × the calls, the positions, and one to three faults. */
export const cases: readonly Case[] = build()
