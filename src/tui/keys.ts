// Keys by name: each control character and each sequence a terminal sends for a key becomes one word, such as `ctrl-c`,
// `shift-enter` or `text`. Sources: ECMA-48, xterm's ctlseqs.txt, https://sw.kovidgoyal.net/kitty/keyboard-protocol/.

export interface Pressed {
  /** `text` when characters were typed. */
  name: string
  text: string
}

const named = (name: string): Pressed => ({ name, text: '' })

/** Keys by the last letter of their sequence: `ESC [ 1 ; modifiers A`. */
const byLetter: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
}
/** Keys by the number of their sequence: `ESC [ 3 ; modifiers ~`. */
const byNumber: Record<string, string> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
}
/** Keys by their code point in kitty's protocol, where they are no characters. */
const byCode: Record<number, string> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'esc',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'page-up',
  57422: 'page-down',
  57423: 'home',
  57424: 'end',
  57426: 'delete',
}
/** Digits and signs of the keypad in kitty's protocol, from this code point on. */
const KEYPAD = 57399
const KEYPAD_CHARS = '0123456789./*-+'
/** Code points of keys that are no characters: the private use area. */
const PRIVATE_USE = [0xe000, 0xf8ff] as const

const SHIFT = 1
const ALT = 2 | 32
const CTRL = 4
/** Keys of the desktop. */
const SUPER = 8 | 16
const RELEASED = 3

/** `2:3` of `ESC [ 1 ; 2:3 A`: modifiers plus one, and what happened to the key. */
function modified(field: string | undefined): { bits: number; released: boolean } {
  const [bits = '', event = ''] = (field ?? '').split(':')
  return { bits: Math.max(0, Number(bits || 1) - 1), released: Number(event) === RELEASED }
}

const lead = (bits: number, withShift: boolean): string =>
  `${bits & CTRL ? 'ctrl-' : ''}${bits & ALT ? 'alt-' : ''}${withShift && bits & SHIFT ? 'shift-' : ''}`

/** A character with modifiers. */
function character(char: string, bits: number): Pressed | undefined {
  if (bits & SUPER) return undefined
  if ((bits & (CTRL | ALT)) === 0) return { name: 'text', text: bits & SHIFT ? char.toUpperCase() : char }
  const name = lead(bits, false) + char.toLowerCase()
  return named(name === 'ctrl-j' ? 'newline' : name)
}

function byCodePoint(code: number, bits: number): Pressed | undefined {
  const key = byCode[code]
  // Who still holds Shift while he deletes means the same.
  if (key !== undefined) return named(lead(bits, key !== 'backspace') + key)
  const keypad = KEYPAD_CHARS[code - KEYPAD]
  if (keypad !== undefined) return character(keypad, bits)
  if (code < 32 || code > 0x10ffff || (code >= PRIVATE_USE[0] && code <= PRIVATE_USE[1])) return undefined
  return character(String.fromCodePoint(code), bits)
}

/**
 * The key of a sequence `ESC [ parameters final`; undefined for releases, for keys that mean nothing here, and for what is no key.
 */
export function sequenceKey(parameters: string, final: string): Pressed | undefined {
  const [first = '', second, third = ''] = parameters.split(';')
  const { bits, released } = modified(second)
  if (released) return undefined
  if (final === 'u') return byCodePoint(Number(first.split(':')[0]), bits)
  if (final === 'Z') return named('shift-tab')
  if (final === '~') {
    // xterm's modifyOtherKeys: the character's code point is the third number.
    if (first === '27') return byCodePoint(Number(third), bits)
    const key = byNumber[first]
    return key === undefined ? undefined : named(lead(bits, true) + key)
  }
  const key = first === '' || first === '1' ? byLetter[final] : undefined
  return key === undefined ? undefined : named(lead(bits, true) + key)
}

/** The key of `ESC O letter`, as keypads and some terminals' arrows send it. */
export const applicationKey = (letter: string): Pressed | undefined => {
  const key = letter === 'M' ? 'enter' : byLetter[letter]
  return key === undefined ? undefined : named(key)
}

/** The key of a control character; with `alt` it came after an ESC. */
export function controlKey(char: string, alt: boolean): Pressed {
  const code = char.charCodeAt(0)
  const bits = alt ? ALT : 0
  if (char === '\n' && !alt) return named('newline')
  const key = char === '\n' ? 'enter' : byCode[code]
  if (key !== undefined) return named(lead(bits, true) + key)
  // Ctrl+A is 1; Ctrl+Space is 0; Ctrl+\ to Ctrl+_ are 28 to 31.
  const letter = code === 0 ? ' ' : String.fromCharCode(code + (code <= 26 ? 96 : 64))
  return named(lead(bits | CTRL, false) + letter)
}

/** A character after an ESC. */
export const altKey = (char: string): Pressed => named(`alt-${char.toLowerCase()}`)
