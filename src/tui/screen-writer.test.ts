import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { rowChange } from './row-change.ts'
import { ScreenWriter } from './screen-writer.ts'
import type { Frame } from './screen-writer.ts'
import fc from '../../test/support/property.ts'

const ESC = '\u001B'
const BOLD = `${ESC}[1m`
const RED = `${ESC}[31m`
const RESET = `${ESC}[0m`
const COLUMNS = 20
const ROWS = 8

const terminalOf = (columns = COLUMNS): xterm.Terminal =>
  new xterm.Terminal({ cols: columns, rows: ROWS, scrollback: 1000, allowProposedApi: true })
const write = (terminal: xterm.Terminal, bytes: string): Promise<void> =>
  new Promise((resolve) => terminal.write(bytes, resolve))
/** Everything in the terminal without blank rows at its end. */
function all(terminal: xterm.Terminal): string[] {
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? '')
  return rows.join('\n').trimEnd().split('\n')
}
/** Text and look of the cells of one row. */
function cellsOf(terminal: xterm.Terminal, y: number): string[] {
  const line = terminal.buffer.active.getLine(y)!
  return Array.from({ length: terminal.cols }, (_, x) => {
    const cell = line.getCell(x)!
    const chars = cell.getChars()
    return chars === '' || chars === ' ' ? '' : `${chars} ${cell.isBold()} ${cell.getFgColor()}`
  })
}

test('a frame changes only the rows that differ', () => {
  const writer = new ScreenWriter()
  writer.frame({ printed: [], rows: ['text', '', 'status', '>'], cursor: { x: 2, y: 3 } })
  const bytes = writer.frame({ printed: [], rows: ['text goes on', '', 'status', '>'], cursor: { x: 2, y: 3 } })
  expect(bytes).toBe(`${ESC}[?2026h${ESC}[?25l${ESC}[3A${ESC}[5G goes on${ESC}[3B${ESC}[3G${ESC}[?25h${ESC}[?2026l`)
})

test('a frame that looks like the last is no byte, and a cursor that moved is one move', () => {
  const writer = new ScreenWriter()
  const frame: Frame = { printed: [], rows: ['a', '> bc'], cursor: { x: 2, y: 1 } }
  writer.frame(frame)
  expect(writer.frame(frame)).toBe('')
  expect(writer.frame({ ...frame, cursor: { x: 3, y: 1 } })).toBe(`${ESC}[4G`)
})

test('a row that is finished where it stood is not written again', () => {
  const writer = new ScreenWriter()
  writer.frame({ printed: [], rows: ['finished', '>'], cursor: { x: 2, y: 1 } })
  const bytes = writer.frame({ printed: ['finished'], rows: ['next', '>'], cursor: { x: 2, y: 1 } })
  expect(bytes).not.toContain('finished')
  expect(bytes).toContain('next')
})

test('after a resize that wraps its rows the live part stands once on the screen', async () => {
  const terminal = terminalOf(40)
  const writer = new ScreenWriter()
  const frame = (width: number): Frame => ({
    printed: [],
    rows: ['text', 'x'.repeat(width), '>'],
    cursor: { x: 2, y: 2 },
  })
  await write(terminal, writer.frame({ ...frame(40), printed: ['said before'] }))
  terminal.resize(16, ROWS)
  await write(terminal, writer.erase(16) + writer.frame(frame(16)))
  expect(all(terminal)).toEqual(['said before', 'text', 'x'.repeat(16), '>'])
})

test('what the live part leaves stays, and a shell goes on under it', async () => {
  const terminal = terminalOf()
  const writer = new ScreenWriter()
  await write(terminal, writer.frame({ printed: ['said'], rows: ['a', '>', 'menu'], cursor: { x: 2, y: 1 } }))
  await write(terminal, `${writer.leave()}$ `)
  expect(all(terminal)).toEqual(['said', 'a', '>', 'menu', '$'])
})

const styledRow = fc
  .array(
    fc.constantFrom('a', 'b', ' ', '日', 'e\u0301', '👍', `${BOLD}x${RESET}`, `${RED}${BOLD}yz${RESET}`, `${RED}q`),
    {
      maxLength: 9,
    },
  )
  .map((parts) => parts.join('') + (parts.some((part) => part === `${RED}q`) ? RESET : ''))

test('property: whatever frames come, the terminal holds what was printed, each once, and then the live part', async () => {
  const frames = fc.array(
    fc.record({
      printed: fc.array(styledRow, { maxLength: 5 }),
      rows: fc.array(styledRow, { minLength: 1, maxLength: ROWS - 2 }),
      at: fc.nat(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(frames, async (made) => {
      const terminal = terminalOf()
      const expected = terminalOf()
      const writer = new ScreenWriter()
      let printed = ''
      for (const { printed: finished, rows, at } of made) {
        const cursor = { x: at % 5, y: at % rows.length }
        await write(terminal, writer.frame({ printed: finished, rows, cursor }))
        printed += finished.map((row) => `${row}\r\n`).join('')
        expected.reset()
        await write(expected, printed + rows.join('\r\n'))
        expect(all(terminal)).toEqual(all(expected))
        const top = printed.split('\n').length - 1
        const look = (each: xterm.Terminal): string[][] =>
          Array.from({ length: top + rows.length }, (_, y) => cellsOf(each, y))
        expect(look(terminal)).toEqual(look(expected))
        const { active } = terminal.buffer
        expect({ x: active.cursorX, y: active.baseY + active.cursorY }).toEqual({ x: cursor.x, y: top + cursor.y })
      }
      terminal.dispose()
      expected.dispose()
    }),
    { numRuns: 50 },
  )
})

test('property: a changed row looks like one that was written anew', async () => {
  await fc.assert(
    fc.asyncProperty(styledRow, styledRow, styledRow, async (start, one, two) => {
      const terminal = terminalOf(2 * COLUMNS)
      const fresh = terminalOf(2 * COLUMNS)
      await write(terminal, start + one + rowChange(start + one, start + two))
      await write(fresh, start + two)
      expect(cellsOf(terminal, 0)).toEqual(cellsOf(fresh, 0))
    }),
  )
})
