import { splitPattern } from '../rules/pattern.ts'
import { plainWord, type Word } from './segment.ts'

/**
 * Splits the text of `env -S` (also `-S'text'`, `--split-string=text`, and bundles such as `-iS`) into the words it
 * stands for, followed by the words after it. Undefined when the text uses variables or escapes of its own.
 */
export function readEnvString(words: readonly Word[], at: number): Word[] | undefined {
  const word = words[at]?.value
  if (word === undefined) return undefined
  const attached = word.startsWith('--')
    ? word.includes('=')
      ? word.slice(word.indexOf('=') + 1)
      : ''
    : word.replace(/^-[a-zA-Z0]*?S/, '')
  const text = attached === '' ? words[at + 1]?.value : attached
  if (text === undefined || /[$\\#]/.test(text)) return undefined
  return [...splitPattern(text).map(plainWord), ...words.slice(at + (attached === '' ? 2 : 1))]
}
