import { expect, test } from 'vitest'
import { TerminalInput } from './terminal-input.ts'
import type { TerminalEvent } from './terminal-input.ts'
import fc from '../../test/support/property.ts'

const ESC = '\u001B'

/** Keys by name, texts in quotes, pastes in angle brackets. */
function shown(events: TerminalEvent[]): string[] {
  return events.map((event) => {
    if (event.type === 'paste') return `<${event.text}>`
    if (event.type === 'focus') return event.inFront ? 'focus in' : 'focus out'
    if (event.type === 'kitty') return 'kitty'
    return event.key.name === 'text' ? `"${event.key.text}"` : event.key.name
  })
}

/** What a reader that has read something before makes of one more chunk. */
function read(...chunks: string[]): string[] {
  const input = new TerminalInput(true)
  input.read(' ')
  return shown([...chunks.flatMap((chunk) => input.read(chunk)), ...input.decide()])
}

test('keys of every usual terminal have one name', () => {
  const keys: Record<string, string[]> = {
    enter: ['\r', `${ESC}[13u`, `${ESC}OM`, `${ESC}[57414u`],
    newline: ['\n', `${ESC}[106;5u`],
    'shift-enter': [`${ESC}[13;2u`, `${ESC}[27;2;13~`],
    'alt-enter': [`${ESC}\r`, `${ESC}[13;3u`],
    esc: [ESC, `${ESC}[27u`, `${ESC}[27;1:1u`],
    tab: ['\t'],
    'shift-tab': [`${ESC}[Z`, `${ESC}[9;2u`],
    backspace: ['\u007F', '\b', `${ESC}[127u`, `${ESC}[127;2u`],
    'alt-backspace': [`${ESC}\u007F`, `${ESC}[127;3u`],
    'ctrl-backspace': [`${ESC}[127;5u`],
    delete: [`${ESC}[3~`],
    up: [`${ESC}[A`, `${ESC}OA`, `${ESC}[1;1A`, `${ESC}[57419u`],
    'ctrl-right': [`${ESC}[1;5C`],
    'alt-left': [`${ESC}[1;3D`, `${ESC}${ESC}[D`, `${ESC}${ESC}OD`],
    home: [`${ESC}[H`, `${ESC}OH`, `${ESC}[1~`, `${ESC}[7~`],
    end: [`${ESC}[F`, `${ESC}[4~`],
    'page-up': [`${ESC}[5~`],
    'ctrl-c': ['\u0003', `${ESC}[99;5u`, `${ESC}[67;5u`],
    'ctrl-z': ['\u001A'],
    'ctrl-_': ['\u001F'],
    'alt-b': [`${ESC}b`, `${ESC}B`, `${ESC}[98;3u`],
  }
  for (const [name, sequences] of Object.entries(keys))
    for (const sequence of sequences) expect([sequence, ...read(sequence)]).toEqual([sequence, name])
})

test('what means nothing here is not typed', () => {
  // F1 of the Linux console and of xterm, F5, a key let go, a desktop key, a mouse report, the answer to a question.
  for (const sequence of ['[[A', 'OP', '[15~', '[97;1:3u', '[99;9u', '[<0;3;4M', '[?62;22c', '[57441u'])
    expect([sequence, ...read(`${ESC}${sequence}`)]).toEqual([sequence])
})

test('focus reports and the answer about the keyboard protocol are told apart from keys', () => {
  expect(read(`${ESC}[I${ESC}[O${ESC}[?1u`)).toEqual(['focus in', 'focus out', 'kitty'])
})

test('a paste is one text with plain line ends, whatever it holds', () => {
  expect(read(`${ESC}[200~one\r\ntwo\rthree\n${ESC}[A${ESC}[201~x`)).toEqual([`<one\ntwo\nthree\n${ESC}[A>`, '"x"'])
})

test('lines that are not marked as a paste were typed', () => {
  expect(read('ls\rfoo\r')).toEqual(['"ls"', 'enter', '"foo"', 'enter'])
})

test('what was typed before the terminal was in raw mode ends its lines with Enter', () => {
  expect(shown(new TerminalInput(true).read('ls\nfoo\n'))).toEqual(['"ls"', 'enter', '"foo"', 'enter'])
})

test('where pastes cannot be marked, several lines at once are one, and a line with its Enter is typing', () => {
  const input = new TerminalInput(false)
  expect(shown(input.read('one\rtwo\rthree'))).toEqual(['<one\ntwo\nthree>'])
  expect(shown(input.read('one\r'))).toEqual(['"one"', 'enter'])
  expect(shown(input.read('\r'))).toEqual(['enter'])
})

test('ESC is undecided until something follows or nothing does', () => {
  const input = new TerminalInput(true)
  expect([shown(input.read(ESC)), input.undecided]).toEqual([[], true])
  expect(shown(input.read('[A'))).toEqual(['up'])
  input.read(`${ESC}${ESC}`)
  expect(shown(input.decide())).toEqual(['esc', 'esc'])
  // A sequence that has begun is no key, however long the rest takes.
  expect([shown(input.read(`${ESC}[1;`)), input.undecided]).toEqual([[], false])
  expect(shown(input.read('5C'))).toEqual(['ctrl-right'])
})

test('property: what is read does not depend on how it was split', () => {
  const piece = fc.constantFrom(
    'a',
    '日本',
    '👩‍👩‍👧',
    '\r',
    '\t',
    '\u0003',
    `${ESC}[A`,
    `${ESC}[13;2u`,
    `${ESC}OH`,
    `${ESC}b`,
    `${ESC}[200~p\rq${ESC}[201~`,
    `${ESC}[I`,
    ' ',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(60), { maxLength: 6 }),
      (all, cuts) => {
        const text = all.join('')
        const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
        const chunks = at.slice(1).map((end, i) => text.slice(at[i], end))
        // Letters that came one by one are the same letters.
        const joined = (events: string[]): string => events.join('|').replaceAll('"|"', '')
        expect(joined(read(...chunks))).toBe(joined(read(text)))
      },
    ),
  )
})
