// Colours and signs of the screen. A style is an SGR sequence, closed by a full reset; without colour it is empty.
import { showsUtf8 } from './ascii.ts'

export interface Theme {
  /** Ends every style. */
  reset: string
  bold: string
  italic: string
  dim: string
  heading: string
  code: string
  user: string
  accent: string
  good: string
  bad: string
  warn: string
  added: string
  removed: string
  addedMark: string
  removedMark: string
  keyword: string
  string: string
  comment: string
  number: string
  name: string
  bullet: string
  bar: string
  rule: string
  call: string
}

export type ThemeName = 'dark' | 'light' | 'high-contrast' | 'none'

const sgr = (...codes: (number | string)[]): string => `\u001B[${codes.join(';')}m`

const signs = { bullet: '•', bar: '│', rule: '─', call: '▸' }
const asciiSigns = { bullet: '*', bar: '|', rule: '-', call: '>' }

const dark = {
  reset: sgr(0),
  bold: sgr(1),
  italic: sgr(3),
  dim: sgr(2),
  heading: sgr(1, 36),
  code: sgr(33),
  user: sgr(1),
  accent: sgr(36),
  good: sgr(32),
  bad: sgr(31),
  warn: sgr(33),
  added: sgr(32),
  removed: sgr(31),
  addedMark: sgr(30, 42),
  removedMark: sgr(30, 41),
  keyword: sgr(35),
  string: sgr(32),
  comment: sgr(90),
  number: sgr(33),
  name: sgr(34),
}
const light = {
  ...dark,
  code: sgr(34),
  heading: sgr(1, 34),
  accent: sgr(34),
  warn: sgr(35),
  number: sgr(35),
  name: sgr(36),
}
const highContrast = {
  ...dark,
  dim: '',
  // The dark half of the colours is too near to black.
  heading: sgr(1, 96),
  code: sgr(93),
  keyword: sgr(95),
  string: sgr(92),
  number: sgr(93),
  name: sgr(96),
  comment: sgr(37),
  addedMark: sgr(30, 102),
  removedMark: sgr(30, 101),
  added: sgr(1, 92),
  removed: sgr(1, 91),
  accent: sgr(1, 96),
  warn: sgr(1, 93),
  bad: sgr(1, 91),
  good: sgr(1, 92),
}
const none = Object.fromEntries(Object.keys(dark).map((key) => [key, ''])) as typeof dark

const themes: Record<ThemeName, typeof dark> = { dark, light, 'high-contrast': highContrast, none }

/** The theme of a name; NO_COLOR and dumb terminals get none, terminals without UTF-8 get ASCII signs. */
export function themeOf(name: ThemeName, env: NodeJS.ProcessEnv): Theme {
  const plain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb'
  return { ...themes[plain ? 'none' : name], ...(showsUtf8(env) ? signs : asciiSigns) }
}
