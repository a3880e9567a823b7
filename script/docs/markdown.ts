/** Said at the top of each page, so that nobody edits it by hand. */
export function generated(source: string): string {
  return `<!-- Made by \`npm run docs\` from ${source}. Do not edit: change the source. -->`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** A cell ends at a bar or a line break. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

export function code(text: string): string {
  return `\`${text}\``
}
