// Draws docs/screens/*.svg from real runs: the built program in a pseudo-terminal, a scripted model behind it, and the
// terminal's cells as vector text. Run: npm run build && node script/screens.ts
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { IBufferCell, Terminal } from '@xterm/headless'
import { configure, makePlace } from '../test/support/cli.ts'
import { deadUrl, startModelServer } from '../test/support/model-server.ts'
import type { ServerScript } from '../test/support/model-server.ts'
import { keys, startPty } from '../test/support/pty.ts'
import type { PtyScreen } from '../test/support/pty.ts'

const OUT = resolve(import.meta.dirname, '../docs/screens')
/** Pixels of a cell, and around the screen. */
const CELL = { width: 8.4, height: 18 }
const MARGIN = 12
const COLOURS = { ground: '#1c1f26', text: '#d7dae0' }
/** The sixteen colours of a terminal. */
const PALETTE = `#2e323c #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf
  #7f848e #ff7b86 #b5e08d #ffd68a #82c4ff #dd9bf0 #7fdbe6 #ffffff`.split(/\s+/)

/** Blanks side by side would become one. */
const NBSP = '\u00A0'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

interface Style {
  text: string
  ground: string | undefined
  bold: boolean
  italic: boolean
  dim: boolean
}

function styleOf(cell: IBufferCell): Style {
  const text = cell.isFgPalette() ? (PALETTE[cell.getFgColor()] ?? COLOURS.text) : COLOURS.text
  const ground = cell.isBgPalette() ? PALETTE[cell.getBgColor()] : undefined
  const inverse = cell.isInverse() !== 0
  return {
    text: inverse ? (ground ?? COLOURS.ground) : text,
    ground: inverse ? text : ground,
    bold: cell.isBold() !== 0,
    italic: cell.isItalic() !== 0,
    dim: cell.isDim() !== 0,
  }
}

/** One row as SVG: runs of cells of one style. */
function rowSvg(terminal: Terminal, y: number): string {
  const { active } = terminal.buffer
  const line = active.getLine(active.baseY + y)
  if (!line) return ''
  const runs: { x: number; cells: number; chars: string; style: Style }[] = []
  for (let x = 0; x < terminal.cols; x++) {
    const cell = line.getCell(x)
    if (!cell || cell.getWidth() === 0) continue
    const style = styleOf(cell)
    const last = runs.at(-1)
    if (last && JSON.stringify(last.style) === JSON.stringify(style)) {
      last.chars += cell.getChars() || ' '
      last.cells += cell.getWidth()
    } else runs.push({ x, cells: cell.getWidth(), chars: cell.getChars() || ' ', style })
  }
  return runs.map((run) => runSvg(run, y)).join('')
}

function runSvg(
  { x, cells, chars, style }: { x: number; cells: number; chars: string; style: Style },
  y: number,
): string {
  const left = MARGIN + x * CELL.width
  const top = MARGIN + y * CELL.height
  const box =
    style.ground === undefined
      ? ''
      : `<rect x="${left.toFixed(1)}" y="${top}" width="${(cells * CELL.width).toFixed(1)}" height="${CELL.height}" fill="${style.ground}"/>`
  const shown = chars.trimEnd()
  if (shown === '') return box
  const lead = shown.length - shown.trimStart().length
  const look = [
    `fill="${style.text}"`,
    ...(style.bold ? ['font-weight="bold"'] : []),
    ...(style.italic ? ['font-style="italic"'] : []),
    ...(style.dim ? ['opacity="0.6"'] : []),
  ].join(' ')
  const width = (cells - (chars.length - shown.length) - lead) * CELL.width
  const place = `x="${(left + lead * CELL.width).toFixed(1)}" y="${top + 13}" textLength="${width.toFixed(1)}"`
  return `${box}<text ${place} ${look}>${escaped(shown.trimStart()).replaceAll(' ', NBSP)}</text>`
}

/** The screen as it is now; rows under the last one with text are left out. */
function svgOf(screen: PtyScreen, title: string): string {
  const { terminal } = screen
  const used = screen.rows().findLastIndex((row) => row.trim() !== '') + 1
  const width = Math.ceil(terminal.cols * CELL.width + 2 * MARGIN)
  const height = used * CELL.height + 2 * MARGIN
  const { cursorX, cursorY } = terminal.buffer.active
  const cursor = `<rect x="${(MARGIN + cursorX * CELL.width).toFixed(1)}" y="${MARGIN + cursorY * CELL.height}" width="${CELL.width}" height="${CELL.height}" fill="${COLOURS.text}" opacity="0.7"/>`
  const rows = Array.from({ length: used }, (_, y) => rowSvg(terminal, y))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14"><title>${escaped(title)}</title><rect width="100%" height="100%" rx="6" fill="${COLOURS.ground}"/>${cursor}${rows.join('\n')}</svg>\n`
}

const server = await startModelServer([])

interface SceneOptions {
  columns?: number
  rows?: number
  env?: Record<string, string>
  configured?: boolean
}

/** Runs one scene and draws the screen at its end. */
async function scene(
  name: string,
  title: string,
  script: ServerScript,
  play: (screen: PtyScreen) => Promise<void>,
  { columns = 96, rows = 30, env = {}, configured = true }: SceneOptions = {},
): Promise<void> {
  server.play(script, { by: 'requests', window: 32_768 })
  const place = makePlace()
  cpSync(resolve(import.meta.dirname, '../src/demo/project'), place.folder, { recursive: true })
  if (configured) configure(place, server.url, { window: 32_768 })
  const screen = startPty(place, [], { columns, rows, env: { NO_COLOR: '', ...env } })
  try {
    await screen.waitFor(/· ready/)
    await play(screen)
    writeFileSync(join(OUT, `${name}.svg`), svgOf(screen, title))
    console.log(`docs/screens/${name}.svg`)
  } finally {
    screen.close()
    place.remove()
  }
}

const look = {
  text: 'I look at the code that computes the price.',
  calls: [{ name: 'read_file', arguments: { path: 'src/discount.js' } }],
}
const mend = {
  text: 'percentOff multiplies by the percentage itself: 10 is taken as 1,000 %.',
  calls: [
    {
      name: 'edit_file',
      arguments: {
        path: 'src/discount.js',
        old_text: 'cents - cents * percent',
        new_text: 'cents - (cents * percent) / 100',
      },
    },
  ],
}
const tests = { calls: [{ name: 'shell_exec', arguments: { command: 'make check && npm run report' } }] }
const answer = {
  text: '`percentOff` took **10** as 1,000 %. It divides by 100 now:\n\n```js\nexport function percentOff(cents, percent) {\n  return Math.round(cents - (cents * percent) / 100) // 10 % off\n}\n```\n\n| order | before | now |\n|---|---|---|\n| 2 books, 10 % | −18.00 | 18.00 |\n| 1 pen, 0 % | 2.00 | 2.00 |\n\n1. The change is one line; `/undo` takes it back.\n2. Next: a test for 100 %.\n',
}

mkdirSync(OUT, { recursive: true })
try {
  const nobody = (await deadUrl()).replace('http://', '')
  await scene('first-start', 'A first start without a model', [], (screen) => screen.waitFor('No model was found'), {
    env: { OLLAMA_HOST: nobody },
    configured: false,
  })
  const question = 'Ten percent off makes the price negative. Find out why and mend it.'
  await scene('approval', 'A change waits for a yes', [look, mend], async (screen) => {
    await screen.send(question)
    await screen.waitFor('[Y] apply')
  })
  await scene('command', 'A command waits for a yes', [look, mend, tests], async (screen) => {
    await screen.send(question)
    await screen.waitFor('[Y] apply')
    screen.type('y')
    await screen.waitFor('[Y] yes')
  })
  await scene('answer', 'An answer with code and a table', [answer], async (screen) => {
    await screen.send('Explain the mistake to me.')
    await screen.waitFor(/tokens/)
    await screen.ready()
  })
  await scene('completion', 'Completion of paths', [], async (screen) => {
    screen.type('explain @src/')
    await screen.waitFor(/ {2}@src\/\w+/)
    screen.type(keys.down)
  })
  await scene(
    'retry',
    'A busy server is waited for',
    [{ faults: [{ type: 'status', status: 429, retryAfter: 9 }] }, answer],
    async (screen) => {
      await screen.send('Explain the mistake to me.')
      await screen.waitFor('retry 1/')
      await screen.send('and say it short')
      await screen.waitFor('queued: and say it short')
    },
  )
  await scene(
    'narrow',
    'Sixty columns',
    [look, mend],
    async (screen) => {
      await screen.send(question)
      await screen.waitFor('[Y] apply')
    },
    { columns: 60 },
  )
} finally {
  await server.close()
}
process.exit(0)
