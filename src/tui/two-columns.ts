// Names with what they mean, as a text that fits the screen: two columns, or one under the other where there is no room.
import { wrap } from './styled-text.ts'

/** The second column has at least this, or goes under the first. Cells. */
const MIN_SECOND = 46
const NARROW_MARGIN = 4

/** `least`: cells the second column must have; default as much as most sentences need. */
export function twoColumns(
  rows: readonly { head: string; text: string }[],
  columns: number,
  least = MIN_SECOND,
): string {
  const width = Math.max(...rows.map(({ head }) => head.length))
  const isNarrow = columns < width + least
  const margin = ' '.repeat(isNarrow ? NARROW_MARGIN : width + 2)
  return rows
    .map(({ head, text }) => {
      if (head === '') return ''
      const lines = wrap(text, columns - margin.length - 1).map((line) => margin + line)
      return isNarrow ? [head, ...lines].join('\n') : head + lines.join('\n').slice(head.length)
    })
    .join('\n')
}
