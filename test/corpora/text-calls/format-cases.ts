// The formats of today's models × what stands around and in their calls, with what must come out.
import { isDeepStrictEqual } from 'node:util'
import type { ScannerOptions, TextPart, Verdict } from '../../../src/model/text-calls/types.ts'
import type { MeantCall } from './forms.ts'
import { formats, type Format } from './formats.ts'
import { heldOut, leadIns } from './lead-ins.ts'
import { tools } from './tools.ts'

/** The scanner of a version of the parser. */
export type Scan = (text: string, options: ScannerOptions, how?: { cut?: boolean }) => TextPart[]

export interface FormatCase {
  id: string
  format: string
  situation: string
  text: string
  /** The calls that must come out and run, in their order; for a text that was cut: what may come out. */
  calls: readonly MeantCall[]
  cut?: boolean
  dialect?: ScannerOptions['dialect']
  /** What must be seen beside the calls, and what must not. */
  says?: string
}

const call = (name: string, args: Record<string, unknown>): MeantCall => ({ name, args })
const read = call('read_file', { path: 'src/app.ts', start_line: 10 })
const run = call('shell_exec', { command: 'npm test -- --run "a b" 2>&1 | tail -n 5' })

/** What is called: nested, empty, with everything in texts that trips a parser. */
const meant: readonly MeantCall[] = [
  read,
  run,
  call('git_status', {}),
  call('search_text', { query: '"use strict"|<div class=\'x\'>', regex: true, context: 2 }),
  call('edit_file', {
    path: 'src/a.tsx',
    old_text: 'const a = <b c="d">\n  {e[0]}\n</b>',
    new_text: 'const a = \'x\' // \\d+ & "y"\n\tif (a < b && c > d) { return `{}` }',
  }),
  call('write_file', {
    path: 'docs/x.md',
    content: '# Title\n\n- a <b> & "c"\n- [ ] {x}: 1, 2\n\n<div>é 日本 😀</div>\nend',
  }),
  call('plan_update', {
    items: [
      { text: 'Find it, "now"', state: 'done' },
      { text: 'Mend\nit', state: 'doing' },
    ],
  }),
  call('git_commit', { message: "fix: it's done (#1)", files: ['src/a.ts', 'src/b c.ts'] }),
]

const situations: readonly {
  id: string
  fits?: (format: Format) => boolean
  calls?: readonly (readonly MeantCall[])[]
  place: (format: Format, calls: string) => string
  says?: string
  cut?: number
}[] = [
  { id: 'alone', calls: meant.map((each) => [each]), place: (_, calls) => calls },
  {
    id: 'after a sentence',
    calls: [[read], [run], [meant[5]!]],
    place: (format, calls) =>
      format.lead?.('The output shows how it is used. Let me look.', calls) ??
      `The output shows how it is used. Let me look.\n\n${calls}`,
    says: 'The output shows how it is used. Let me look.',
  },
  {
    id: 'on the line of a sentence',
    fits: (format) => format.special && !['functionary', 'gigachat-3', 'hyperclova', 'phi-4-mini'].includes(format.id),
    place: (format, calls) => format.lead?.('Checking the contents.', calls) ?? `Checking the contents. ${calls}`,
    says: 'Checking the contents.',
  },
  {
    id: 'before a sentence',
    fits: (format) => format.special && !format.lead,
    place: (_, calls) => `${calls}\n\nAfter that I will run the tests and tell you what the output says.`,
    says: 'After that I will run the tests and tell you what the output says.',
  },
  {
    id: 'between two sentences',
    fits: (format) => format.special && !format.lead,
    place: (_, calls) => `I use the file instead of the docs:\n${calls}\nThen we know what it contains.`,
    says: 'Then we know what it contains.',
  },
  {
    id: 'after thinking',
    fits: (format) => format.think !== undefined,
    place: ({ think }, calls) =>
      `${think![0]}The user wants the file. I could call read_file for it.${think![1]}${calls}`,
  },
  {
    id: 'after thinking and a sentence',
    fits: (format) => format.think !== undefined && !format.lead,
    place: ({ think }, calls) => `${think![0]}Which file?\nThat one.${think![1]}Let me look at it:\n${calls}`,
    says: 'Let me look at it:',
  },
  {
    id: 'after thinking that the prompt opened, on its line',
    fits: (format) => format.think !== undefined && !['harmony', 'glimmer', 'inkling', 'solar'].includes(format.id),
    place: ({ think }, calls) => `The user wants the file, so I read it.${think![1].trim()}${calls}`,
  },
  {
    id: 'in thinking that never ends',
    fits: (format) =>
      format.special && format.think !== undefined && !['harmony', 'glimmer', 'inkling', 'solar'].includes(format.id),
    place: ({ think }, calls) => `${think![0]}The user wants the file, so I read it now.\n\n${calls}`,
  },
  {
    id: 'several',
    fits: (format) => format.many,
    calls: [
      [read, run],
      [meant[2]!, meant[6]!, meant[4]!],
    ],
    place: (_, calls) => calls,
  },
  {
    id: 'several after a sentence',
    fits: (format) => format.many,
    calls: [[meant[3]!, run]],
    place: (format, calls) => format.lead?.('Both at once.', calls) ?? `Both at once.\n${calls}`,
  },
  { id: 'cut in the middle', calls: [[run], [meant[5]!]], place: (_, calls) => calls, cut: 0.6 },
]

function build(): FormatCase[] {
  const cases: FormatCase[] = []
  for (const format of formats) {
    for (const { id, fits, calls = [[read], [run]], place, says, cut } of situations) {
      if (fits && !fits(format)) continue
      for (const some of calls) {
        const whole = place(format, format.write(some))
        const text = cut === undefined ? whole : whole.slice(0, Math.floor(whole.length * cut))
        const names = some.map((each) => each.name).join('+')
        cases.push({
          id: `${format.id} / ${id} / ${names}`,
          format: format.id,
          situation: id,
          text,
          calls: some,
          ...(cut === undefined ? {} : { cut: true }),
          ...(says === undefined ? {} : { says }),
        })
      }
    }
  }
  return cases
}

/** Every format in every situation it can stand in. */
export const formatCases: readonly FormatCase[] = build()

/** Every sentence before a read and before a command, in turn in the forms that mean a call, in a session that knows nothing. */
export function leadInCases(sentences: readonly string[], every: (format: Format) => boolean): FormatCase[] {
  const chosen = formats.filter((format) => every(format))
  return sentences.flatMap((sentence, at) =>
    [read, run].map((each, turn): FormatCase => {
      const format = chosen[(at * 2 + turn) % chosen.length]!
      const calls = format.write([each])
      const gap = at % 3 === 0 ? '\n' : '\n\n'
      const text = format.lead?.(sentence, calls) ?? `${sentence}${gap}${calls}`
      return { id: `${format.id} / ${sentence}`, format: format.id, situation: 'lead-in', text, calls: [each] }
    }),
  )
}

export const allLeadIns = { grammar: leadIns, heldOut }

/** What is wrong with what came out of a case, or undefined. */
export function wrongInFormat(each: FormatCase, scan: Scan): string | undefined {
  const session = each.dialect ? { dialect: each.dialect } : {}
  const parts = scan(each.text, { tools, ...session }, { cut: each.cut ?? false })
  const found = parts.filter((part) => part.type === 'call')
  const show = JSON.stringify(found.map(({ verdict, tool, args }) => [verdict, tool, args]))
  if (each.cut) {
    // Nothing that changes something may run but as it was meant; and what was begun must be seen.
    const wrong = found.some(
      (part) => part.verdict === 'call' && !each.calls.some((meant) => isDeepStrictEqual(part.args, meant.args)),
    )
    return wrong ? `runs ${show}` : found.length === 0 ? 'not seen' : undefined
  }
  const right =
    found.length === each.calls.length &&
    each.calls.every((meant, at) => {
      const { verdict, tool, args } = found[at]!
      return verdict === ('call' satisfies Verdict) && tool === meant.name && isDeepStrictEqual(args, meant.args)
    })
  if (!right) return show
  const reset = parts.findLastIndex((part) => part.type === 'reasoning-before')
  const text = parts
    .slice(reset + 1)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
  if (each.says !== undefined) return text.includes(each.says) ? undefined : `says ${JSON.stringify(text)}`
  // Nothing of the markup is shown.
  return each.situation !== 'lead-in' && /[<>{}[\]|]/.test(text) ? `shows ${JSON.stringify(text)}` : undefined
}
