// Items of the view as rows of the scrollback. A printer follows one conversation in order: it holds the Markdown of the
// answer that is being written, so that `live()` is its unfinished part, a few rows at most.
import type { FrontSettings } from '../client/workbench.ts'
import type { Report, ToolResult } from '../protocol/index.ts'
import { visible } from '../lib/visible.ts'
import { diffRows } from './diff-rows.ts'
import { MarkdownStream } from './markdown.ts'
import { outputLine } from './output-line.ts'
import type { Highlight } from './markdown.ts'
import { counted, countText, spanText } from './numbers.ts'
import { cut, wrap } from './styled-text.ts'
import type { Theme } from './theme.ts'
import type { Item } from './item.ts'

export interface PrinterOptions {
  width: number
  theme: Theme
  settings: FrontSettings
  highlight: Highlight
  /** Shows output of tool calls (Ctrl+O). */
  details: boolean
}

/** Lines of a tool's output with details on, and characters of one. */
const DETAIL_LINES = 40
const DETAIL_CHARS = 1000
/** A longer message of the user, such as a paste, is shown by its first rows. */
const MAX_SAID = 20
const SHOWN_SAID = 8
/** Cells of the names before what was said. */
const GUTTER = 7

export class Printer {
  private options: PrinterOptions
  private markdown: MarkdownStream | undefined
  /** Who spoke last: the name is shown when it changes. */
  private speaker: 'you' | 'hound' | undefined
  /** Output of a command of the user that does not end in a line end yet. */
  private line = ''

  constructor(options: PrinterOptions) {
    this.options = options
  }

  /** Changes width, look or details of what follows: rows in the scrollback stay as they are. */
  change(options: Partial<PrinterOptions>): void {
    this.options = { ...this.options, ...options }
    this.markdown?.resize(this.options.width)
  }

  /** The unfinished rows. */
  live(): string[] {
    return this.markdown?.live() ?? []
  }

  /**
   * Rows that are finished by this item. What is `aside` belongs to no answer, so one that is being written goes on behind it:
   * in its line, its block of code, its table. Notes and output of the user's commands always are.
   */
  rows(item: Item, aside = false): string[] {
    if (item.kind === 'text') return [...this.speak('hound'), ...this.text(item.text)]
    if (item.kind === 'output') return this.output(item.text)
    const before = aside || item.kind === 'note' ? [] : this.endText()
    return [...before, ...this.endLine(), ...this.whole(item)]
  }

  private text(text: string): string[] {
    const { width, theme, highlight } = this.options
    this.markdown ??= new MarkdownStream({ width, theme, highlight })
    return this.markdown.feed(text)
  }

  private endText(): string[] {
    const rows = this.markdown?.end() ?? []
    this.markdown = undefined
    return rows
  }

  private output(text: string): string[] {
    const lines = (this.line + text).split('\n')
    this.line = lines.pop() ?? ''
    const { theme, width } = this.options
    return lines.flatMap((line) => wrap(`  ${theme.dim}${outputLine(line)}${theme.reset}`, width))
  }

  private endLine(): string[] {
    return this.line === '' ? [] : this.output('\n')
  }

  private speak(who: 'you' | 'hound'): string[] {
    if (this.speaker === who) return []
    this.speaker = who
    const { theme } = this.options
    return who === 'hound' ? ['', `${theme.accent}hound${theme.reset}`] : []
  }

  private whole(item: Exclude<Item, { kind: 'text' | 'output' }>): string[] {
    const { theme, width, settings, highlight } = this.options
    switch (item.kind) {
      case 'text-end':
        return []
      case 'user':
        return this.user(item)
      case 'call':
        return [...this.speak('hound'), ...this.call(item)]
      case 'diff':
        return [...this.speak('hound'), ...diffRows(item.diff, { width, theme, settings: settings.edit, highlight })]
      case 'approval': {
        const said = { yes: `${theme.good}applied`, no: `${theme.bad}rejected`, cancelled: `${theme.dim}not answered` }
        const why = item.reason === undefined || item.reason === '' ? '' : `: ${visible(item.reason)}`
        // A yes is followed by the change or the call itself.
        if (item.answer === 'yes') return []
        return wrap(
          `${said[item.answer]}${theme.reset} ${visible(item.titles.map(firstLine).join('; '))}${why}`,
          width,
          '  ',
        )
      }
      case 'question':
        return [
          ...this.speak('hound'),
          ...wrap(`${theme.bold}?${theme.reset} ${visible(item.question)}`, width, '  '),
          ...wrap(
            `  ${item.answer === null ? `${theme.dim}not answered${theme.reset}` : visible(item.answer)}`,
            width,
            '  ',
          ),
        ]
      case 'note': {
        const colour = { info: theme.dim, warning: theme.warn, error: theme.bad }[item.level]
        const end = /[.!?:…]$/.test(item.text) ? '' : '.'
        const more = item.suggestion === undefined ? '' : `${end} ${item.suggestion}`
        return `${item.text}${more}`
          .split('\n')
          .flatMap((line) => wrap(`${colour}${visible(line)}${theme.reset}`, width, '  '))
      }
      case 'error': {
        const { message, suggestion } = item.error
        return [
          ...wrap(`${theme.bad}error:${theme.reset} ${visible(message)}`, width, '  '),
          ...(suggestion === undefined ? [] : wrap(`  ${theme.dim}${visible(suggestion)}${theme.reset}`, width, '  ')),
        ]
      }
      case 'plan':
        return planRows(item.items, theme, width)
      case 'interrupted':
        return [`${theme.warn}interrupted${theme.reset}`]
      case 'stats':
        return this.stats(item.report)
    }
  }

  private user({ text, attachments }: Extract<Item, { kind: 'user' }>): string[] {
    const { theme, width } = this.options
    this.speaker = 'you'
    const said = saidRows(text, Math.max(10, width - GUTTER)).map((line, i) =>
      i === 0
        ? `${theme.good}you${theme.reset}${' '.repeat(GUTTER - 3)}${theme.user}${line}${theme.reset}`
        : `${' '.repeat(GUTTER)}${theme.user}${line}${theme.reset}`,
    )
    const notes = attachments.map((each) =>
      cut(`${' '.repeat(GUTTER)}${theme.dim}${visible(each.ref)} · ${visible(each.summary)}${theme.reset}`, width),
    )
    return ['', ...said, ...notes]
  }

  private call({ name, title, result, durationMs, output }: Extract<Item, { kind: 'call' }>): string[] {
    const { theme, width, settings, details } = this.options
    const bad = result.status === 'failed' || result.status === 'cancelled'
    if (!settings.display.showToolCalls && !bad) return []
    const sign = bad ? theme.bad : theme.accent
    const time = durationMs === undefined ? '' : spanText(durationMs)
    const head = cut(
      `${sign}${theme.call}${theme.reset} ${visible(name)} ${theme.dim}${visible(callTitle(name, title))}${theme.reset}`,
      width - time.length - 2,
    )
    const rows = [`${head}  ${theme.dim}${time}${theme.reset}`]
    const text = output === '' ? result.text : output
    if (details) {
      const lines = text.trimEnd().split('\n')
      rows.push(
        ...lines
          .slice(0, DETAIL_LINES)
          .flatMap((line) => wrap(`  ${theme.dim}${visible(line.slice(0, DETAIL_CHARS))}${theme.reset}`, width, '  ')),
      )
      if (lines.length > DETAIL_LINES)
        rows.push(`  ${theme.dim}… ${lines.length - DETAIL_LINES} more lines${theme.reset}`)
    } else if (bad) {
      const first = result.text.split('\n').find((line) => line.trim() !== '') ?? ''
      rows.push(
        ...wrap(`  ${theme.bad}${visible(result.code ?? result.status)}${theme.reset} ${visible(first)}`, width, '  '),
      )
    } else rows.push(...this.ending(name, result, text))
    return rows
  }

  /** How a command or tests ended, where a call that itself went well does not tell. */
  private ending(name: string, { text, data }: ToolResult, output: string): string[] {
    const { theme, width } = this.options
    const first = text.split('\n')[0] ?? ''
    const bad = data?.['exitCode'] !== 0
    if (name === 'run_tests') return [cut(`  ${bad ? theme.warn : theme.dim}${visible(first)}${theme.reset}`, width)]
    const exitCode = name === 'shell_exec' ? data?.['exitCode'] : undefined
    if (typeof exitCode !== 'number' || exitCode === 0) return []
    const last = outputLine(output.trimEnd().split('\n').at(-1) ?? '')
    const said = last === '' || last === visible(first) ? '' : ` ${theme.dim}· ${last}${theme.reset}`
    return [cut(`  ${theme.warn}exit code ${exitCode}${theme.reset}${said}`, width)]
  }

  private stats(report: Report): string[] {
    const { theme, settings, width } = this.options
    const { elapsedMs, inputTokens, outputTokens, toolCalls, filesChanged, tests, refused } = report
    // Nothing was said and nothing done: the error above tells all.
    if (!settings.display.showStats || inputTokens + outputTokens + toolCalls === 0) return []
    const parts = [
      spanText(elapsedMs),
      `${countText(inputTokens + outputTokens)} tokens`,
      ...(toolCalls > 0 ? [counted(toolCalls, 'tool call')] : []),
      ...(filesChanged.length > 0
        ? [
            `changed ${filesChanged
              .slice(0, 3)
              .map((each) => `${visible(each.path)} +${each.added} −${each.removed}`)
              .join(', ')}${filesChanged.length > 3 ? ` and ${filesChanged.length - 3} more` : ''}`,
          ]
        : []),
      ...(tests
        ? [
            `tests: ${tests.uncounted ? 'failed, without counts' : `${tests.passed} passed, ${tests.failed} failed`}${tests.stale ? ' (before the last edit)' : ''}`,
          ]
        : []),
      ...(refused.length > 0 ? [`${counted(refused.length, 'action')} refused`] : []),
    ]
    return wrap(`${theme.dim}${parts.join(' · ')}${theme.reset}`, width)
  }
}

/** What the user said; of a long text the first rows, without laying out the rest. */
function saidRows(text: string, width: number): string[] {
  const lines = text.split('\n')
  const most = width * (MAX_SAID + 1)
  const rows: string[] = []
  // Of what is not laid out: a row per line, and as many as the rest of a very long line fills.
  let more = lines.length
  for (const line of lines) {
    if (rows.length > MAX_SAID) break
    rows.push(...wrap(visible(line.slice(0, most)), width))
    more += Math.ceil(Math.max(0, line.length - most) / width) - 1
  }
  if (rows.length <= MAX_SAID) return rows
  const hidden = rows.length - SHOWN_SAID + more
  return [...rows.slice(0, SHOWN_SAID), `… ${counted(hidden, 'more row')}`]
}

/** A title beside the name of its tool, in one row: `read src/a.ts` beside `read_file` says read twice. */
export function callTitle(name: string, title: string): string {
  const [verb = '', ...rest] = title.split(' ')
  return firstLine(rest.length > 0 && name.split('_').includes(verb) ? rest.join(' ') : title)
}

/** The first line, and how many there are: a row with a line end in it would break the screen. */
function firstLine(text: string): string {
  const [first = '', ...more] = text.trim().split('\n')
  return more.length === 0 ? first : `${first} … ${more.length + 1} lines`
}

/** The plan, one row per item. */
export function planRows(
  items: { text: string; state: 'open' | 'doing' | 'done' }[],
  theme: Theme,
  width: number,
): string[] {
  const marks = { open: `[ ]`, doing: `${theme.accent}[>]${theme.reset}`, done: `${theme.good}[x]${theme.reset}` }
  return items.map((item) => cut(`${marks[item.state]} ${visible(item.text.replaceAll(/\s*\n\s*/g, ' '))}`, width))
}
