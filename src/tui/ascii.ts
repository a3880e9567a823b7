// For terminals without UTF-8: the signs of the screen itself, cell for cell, so that the layout stays.

const signs: Record<string, string> = {
  '·': '-',
  '…': '~',
  '−': '-',
  '–': '-',
  '—': '-',
  '→': '>',
  '↑': '^',
  '↓': 'v',
  '×': 'x',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
}
const EVERY_SIGN = new RegExp(`[${Object.keys(signs).join('')}]`, 'g')

/** True when the terminal shows what is outside ASCII, by its locale. */
export function showsUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return /utf-?8/i.test(locale) || process.platform === 'darwin'
}

/** A row with those signs in ASCII. */
export const withAsciiSigns = (row: string): string => row.replaceAll(EVERY_SIGN, (sign) => signs[sign]!)
