// Keys by name. Ink parses the bytes; here each key becomes one word, such as `ctrl-c`, `shift-enter` or `text`.
import type { Key } from 'ink'

export interface Pressed {
  /** `text` when characters were typed. */
  name: string
  text: string
}

const named = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'page-up'],
  ['pageDown', 'page-down'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const

/** The name of a key as Ink reports it; undefined for releases and keys that mean nothing here. */
export function pressed(input: string, key: Key): Pressed | undefined {
  if (key.eventType === 'release') return undefined
  const prefix = `${key.ctrl ? 'ctrl-' : ''}${key.meta && !key.escape ? 'alt-' : ''}`
  for (const [flag, name] of named) {
    if (key[flag]) return { name: `${prefix}${key.shift ? 'shift-' : ''}${name}`, text: '' }
  }
  // Ctrl+J is a line end of its own.
  if (input === '\n') return { name: 'newline', text: '' }
  if (input === '') return undefined
  if (prefix !== '') return { name: `${prefix}${input.toLowerCase()}`, text: '' }
  return { name: 'text', text: input }
}
