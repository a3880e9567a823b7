import type { Word } from './segment.ts'

/** True when a word is, or could turn out to be, one of the options refused. */
export function refuses(options: readonly string[], word: Word): boolean {
  const { value } = word
  if (value === undefined || word.glob) return word.prefix === '' || word.prefix.startsWith('-')
  if (!value.startsWith('-') || value === '-') return false
  const name = value.split('=')[0]!
  return options.some((option) => {
    if (option.startsWith('--')) return name.length > 2 && (option.startsWith(name) || name === option)
    if (option.length > 2) return value === option
    return !value.startsWith('--') && value.includes(option[1]!, 1)
  })
}
